import { z } from "zod";
import type { DeploymentModel } from "../../knowledge/deployment.ts";
import { digestOf } from "../../knowledge/digest.ts";
import type { LockedFile, LockedModel } from "../../knowledge/lock.ts";

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

/** Asks the hub for a revision and its files. Throws an Error that says what the hub answered. */
export async function pinModel(model: DeploymentModel): Promise<LockedModel> {
    const endpoint = model.endpoint ?? process.env.HF_ENDPOINT ?? "https://huggingface.co";
    const revision = model.revision ?? "main";
    const url = `${endpoint}/api/models/${model.repository}/revision/${revision}?blobs=true`;
    const token = process.env.HF_TOKEN;
    const response = await fetch(url, { headers: token ? { authorization: `Bearer ${token}` } : {} }).catch((error) => {
        throw new Error(`${endpoint} cannot be reached: ${error.cause?.message ?? error.message}`);
    });
    if (response.status === 401 || response.status === 403) {
        throw new Error(
            `the hub refuses ${model.repository} (${response.status}); put a token with access into HF_TOKEN`,
        );
    }
    if (!response.ok) {
        throw new Error(`the hub answers ${response.status} for ${model.repository} at ${revision}`);
    }
    const found = revisionSchema.parse(await response.json());
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
