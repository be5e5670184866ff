import { z } from "zod";
import { absolute, digest, environment, natural, positive, serverArguments, slot, word } from "../base/words.ts";
import { gate } from "./gate.ts";
import { contract } from "./identity.ts";
import { endpoint, model } from "./service.ts";

/** Mounted for a server's pod, and kept on the volume as the last revision that passed its gate. */
export const pod = z.strictObject({
    contract,
    name: slot,
    generation: digest,
    settingsDigest: digest,
    release: word,
    image: word,
    /** Digest of the build. */
    build: digest,
    arguments: serverArguments,
    environment,
    /** Of a server over several pods; the head is asked which revision it has started. */
    nodes: z
        .strictObject({ boardPort: positive, count: positive, head: word, port: positive })
        .meta({ title: "PodNodes" })
        .optional(),
    model,
    apiKeyFile: absolute.optional(),
    endpoint,
    /** Path that the readiness probe asks the server for. */
    readyPath: word,
    gate,
    startupBudgetSeconds: positive,
    stopGraceSeconds: natural,
});
