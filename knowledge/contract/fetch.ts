import { z } from "zod";
import { absolute, digest, httpAddress, python, repository, sha1, version } from "../base/words.ts";
import { lockedFile, lockedPackage } from "../records/lock.ts";
import { owned } from "./identity.ts";

/** Sent to `fetch`, and mounted for the weights' job of a pool. */
export const fetch = z.strictObject({
    ...owned,
    /** Where the hub's own client comes from; in a pool it is the image's. */
    client: z
        .strictObject({
            build: digest.optional(),
            lock: z.array(lockedPackage).optional(),
            python: python.optional(),
            version: version.optional(),
        })
        .meta({ title: "HubClient" }),
    /** Folder of all snapshots. */
    directory: absolute,
    endpoint: httpAddress.optional(),
    /** Defaults to what the hub lists. */
    files: z.array(lockedFile).optional(),
    repository,
    retention: z.enum(["Retain", "Purge"]),
    revision: sha1,
    tokenFile: absolute.optional(),
});
