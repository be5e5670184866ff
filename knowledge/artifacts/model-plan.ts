import type { Planned } from "../contract/index.ts";
import type { ModelFields } from "../fields/model.ts";
import type { TensorIndex } from "../models/index.ts";
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

/** What decides the files of a model. */
export type ModelInput = Pick<ModelFields, "repository" | "revision" | "directory" | "retention" | "endpoint">;

/** A model as it is asked for. */
export interface ModelSpec extends ModelInput {
    readonly name: string;
    /** Id of the profile. Defaults to the one that lists the repository. */
    readonly profile?: string;
    /** The model's own `config.json`, for a model without a profile. */
    readonly config?: unknown;
    /** Content of `hf_quant_config.json` beside it, where there is one. */
    readonly hfQuantConfig?: unknown;
    /** What the index of the checkpoint's files says, where it lies beside its configuration. */
    readonly tensors?: TensorIndex | undefined;
    /** Size of a pool's volume, GiB. Defaults to the size of the files and a fifth. */
    readonly storageGiB?: number;
    /** What the lock file knows of the repository; absent before `pin`. */
    readonly locked?: LockedModel;
}

/** Version of `huggingface_hub`, the hub's own client, that downloads; independent of the build. */
const hubClientVersion = "1.33.0";

/** Plans the download of a model; pure. An entry of the lock file counts only for the revision that it was made for. */
export function modelPlan({ name, locked, ...model }: ModelSpec): ModelPlan {
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
