import { z } from "zod";
import { digestOf } from "../../knowledge/base/digest.ts";
import type { ModelFields } from "../../knowledge/fields/model.ts";
import type { LockedFile, LockedModel } from "../../knowledge/records/lock.ts";

/** What the hub says of a revision, as far as it is needed. */
const revisionSchema = z.object({
    sha: z.string().regex(/^[0-9a-f]{40}$/),
    siblings: z.array(
        z.object({
            rfilename: z.string(),
            size: z.int().min(0),
            blobId: z.string().optional(),
            lfs: z.object({ sha256: z.string() }).nullish(),
        }),
    ),
});

/** Time for one answer of the hub. */
const answerMilliseconds = 60_000;

/** Asks the hub for a revision and its files. Throws an Error that says what the hub answered. */
export async function pinModel(model: ModelFields): Promise<LockedModel> {
    const endpoint = (model.endpoint ?? process.env.HF_ENDPOINT ?? "https://huggingface.co").replace(/\/+$/, "");
    const revision = model.revision ?? "main";
    const url = `${endpoint}/api/models/${model.repository}/revision/${revision}?blobs=true`;
    const token = process.env.HF_TOKEN;
    const headers: Record<string, string> = token ? { authorization: `Bearer ${token}` } : {};
    const response = await fetch(url, { headers, signal: AbortSignal.timeout(answerMilliseconds) }).catch((error) => {
        throw new Error(`${endpoint} cannot be reached: ${error.cause?.message ?? error.message}`);
    });
    if (response.status === 401 || response.status === 403) {
        throw new Error(
            `the hub refuses ${model.repository} (${response.status}): it does not exist, or needs a token with access ` +
                (token ? "(the one in HF_TOKEN has none)" : "in HF_TOKEN"),
        );
    }
    if (!response.ok) {
        throw new Error(`the hub answers ${response.status} for ${model.repository} at ${revision}`);
    }
    const found = revisionSchema.safeParse(await response.json().catch(() => undefined)).data;
    if (found === undefined) {
        throw new Error(`${endpoint} does not answer as a model hub does; correct the endpoint`);
    }
    const files = found.siblings.map(lockedFile).sort((a, b) => (a.path < b.path ? -1 : 1));
    return {
        revision: found.sha,
        bytes: files.reduce((sum, { size }) => sum + size, 0),
        manifestDigest: digestOf(files),
        files,
    };
}

function lockedFile({ rfilename, size, blobId, lfs }: z.output<typeof revisionSchema>["siblings"][number]): LockedFile {
    return lfs ? { path: rfilename, size, sha256: lfs.sha256 } : { path: rfilename, size, gitBlob: blobId };
}
