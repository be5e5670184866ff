import { z } from "zod";
import {
    absolute,
    account,
    anyPython,
    digest,
    environment,
    natural,
    positive,
    python,
    serverArguments,
    unit,
    word,
} from "../base/words.ts";
import { gate } from "./gate.ts";
import { contract, owned } from "./identity.ts";

/** Where a server listens. */
export const endpoint = z.strictObject({ host: word, port: positive }).meta({ title: "Endpoint" });

/** The weights that a server gets. */
export const model = z.strictObject({ path: absolute, manifestDigest: digest.optional() }).meta({ title: "Model" });

/** The parts of a service that no review needs. */
const keptPart = {
    /** Take over a unit of the service's name that somebody else made. */
    adopt: z.literal(true).optional(),
    apiKeyFile: absolute.optional(),
    endpoint,
    environment,
    gate,
    model,
    release: word,
    startupBudgetSeconds: positive,
    stopGraceSeconds: natural,
    unit,
    user: account,
};

/** The parts of a service that a diff shows. */
const shownPart = {
    arguments: serverArguments,
    /** Digest of the build. */
    build: digest,
    settingsDigest: digest,
};

/** Sent to `prepare`: what the host must have, and what `activate` then leaves out. */
export const prepare = z.strictObject({
    ...owned,
    build: z
        .strictObject({ cuda: word.optional(), digest, python: anyPython.optional() })
        .meta({ title: "PreparedBuild" }),
    needs: z
        .strictObject({
            diskBytes: natural.optional(),
            driverAtLeast: word.optional(),
            gpus: z.array(natural).optional(),
            host: word.optional(),
            memoryBytes: natural.optional(),
            port: positive.optional(),
            python: python.optional(),
            tools: z.array(word).optional(),
        })
        .meta({ title: "Needs" }),
    service: z.strictObject(keptPart).meta({ title: "ServicePart" }).optional(),
    user: account.optional(),
});

/** Kept by `prepare` for `activate`: `service` of {@link prepare}. */
export const prepared = z.strictObject({ contract, ...keptPart });

/** Sent to `intend`, before `activate`: what is to serve. Whatever changes in the document of `activate` changes one of its digests. */
export const intend = z.strictObject({ ...owned, prepared: digest });

/** Sent to `activate` and `check-arguments`. */
export const activate = z.strictObject({ ...owned, ...shownPart, prepared: digest });

/** What `activate` makes of it with what was prepared, and keeps with the generation. */
export const service = z.strictObject({ ...owned, ...shownPart, ...keptPart });
