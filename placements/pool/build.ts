import { type BuildSpec, buildPlan } from "../../knowledge/artifacts/build-plan.ts";
import { shortDigestOf } from "../../knowledge/base/digest.ts";
import type { Planned } from "../../knowledge/contract/index.ts";

/** A build as it is in a pod: an image, and what is changed in it. */
export interface PoolBuild {
    /** Names the build: image and patches. */
    readonly digest: string;
    /** `NAME@sha256:…`. */
    readonly image: string;
    /** What the init container is to do. */
    readonly stage: Planned<"stage">;
}

/** Stands for the image of a build that names none: a preview shows it, an update refuses it. */
export const noImage = "image-not-given";

/** Plans a build for pods; pure. An image of a git commit is not asked for its release. */
export function poolBuild(build: BuildSpec): PoolBuild {
    const { image = noImage, source, release, locked } = build;
    const { patches } = buildPlan({ ...build, source: undefined }).desired;
    const stage = { patches: patches ?? [], release: source ? "" : release, treeSha256: locked?.treeSha256 };
    return { digest: shortDigestOf({ image, stage }), image, stage };
}
