import type { Planned } from "../contract/index.ts";
import type { ModelFields } from "../fields/model.ts";
import type { LockedModel } from "../records/lock.ts";

/** A model's revision as it will be on a host. */
export interface ModelPlan {
    /** Commit, or `not-pinned`. */
    readonly revision: string;
    readonly path: string;
    /** Bytes of all files; absent before `pin`. */
    readonly bytes?: number;
    /** Digest over the file list; absent before `pin`. */
    readonly manifestDigest?: string;
    readonly pinned: boolean;
    /** Desired state for the agent's `fetch`. */
    readonly desired: Planned<"fetch">;
}

/** What {@link modelPlan} needs of a model. */
export type ModelInput = Pick<ModelFields, "repository" | "revision" | "directory" | "retention" | "endpoint">;

/** Version of `huggingface_hub`, the hub's own client, that downloads; independent of the build. */
const hubClientVersion = "1.33.0";

/** Plans the download of a model; pure. An entry of the lock file counts only for the revision that it was made for. */
export function modelPlan(name: string, model: ModelInput, locked: LockedModel | undefined): ModelPlan {
    const revision = model.revision ?? locked?.revision ?? "not-pinned";
    const entry = locked?.revision === revision ? locked : undefined;
    const { repository, directory, retention, endpoint } = model;
    return {
        revision,
        path: snapshotFolder(directory, repository, revision),
        bytes: entry?.bytes,
        manifestDigest: entry?.manifestDigest,
        pinned: entry !== undefined,
        desired: {
            name,
            generation: entry?.manifestDigest ?? revision,
            directory,
            repository,
            revision,
            files: entry?.files ?? [],
            client: { version: hubClientVersion },
            endpoint,
            retention,
        },
    };
}

/** Folder of one revision of a model. */
export function snapshotFolder(directory: string, repository: string, revision: string): string {
    return `${directory}/${repository.replace("/", "--")}/${revision}`;
}
