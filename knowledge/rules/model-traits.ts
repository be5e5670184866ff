import type { Checkpoint, ModelProfile } from "../models/index.ts";
import { isMultimodal } from "../models/index.ts";

/** A model and the checkpoint of it that is served. */
export interface ServedModel {
    readonly profile: ModelProfile;
    readonly checkpoint: Checkpoint;
    /** Whether the release has a class for the architecture; `undefined` when the release is not known. */
    readonly supportedByRelease?: boolean;
}

/** Facts of a model that conditions ask for: yes, no, or `undefined` where nobody knows. */
export const modelTraits = {
    /** Takes pictures. */
    multimodal: ({ profile }) => isMultimodal(profile),
    /** Has routed experts. */
    experts: ({ profile }) => profile.structure.experts !== undefined,
    /** Keeps one latent vector per token (MLA), with or without sparse attention. */
    "latent-attention": ({ profile }) =>
        profile.structure.mla !== undefined || ["mla", "dsa", "hybrid-kda-dsa"].includes(profile.structure.attention),
    /** The checkpoint is known to lack multi-token-prediction weights, and the architecture would take them from it. */
    "no-mtp-weights": ({ checkpoint }) => (checkpoint.hasMtp === "unverified" ? undefined : !checkpoint.hasMtp),
    /** Nobody has checked whether the checkpoint has multi-token-prediction weights. */
    "mtp-weights-unverified": ({ checkpoint }) => checkpoint.hasMtp === "unverified",
    /** Shared experts are loose bf16 beside quantized routed experts. */
    "loose-shared-experts": ({ profile, checkpoint: { formats } }) =>
        (profile.structure.experts?.sharedIntermediate ?? 0) > 0 &&
        formats.sharedExperts?.includes("bf16") === true &&
        formats.experts?.some((format) => format !== "bf16" && format !== "fp8") === true,
    /** The checkpoint carries scales for an FP8 cache, so that kv-cache-dtype auto becomes fp8_e4m3. */
    "fp8-kv-calibrated": ({ checkpoint: { kvCalibrated } }) =>
        kvCalibrated === "unverified" ? undefined : kvCalibrated === "fp8_e4m3",
    /** The release has no class for the architecture. */
    "not-in-release": ({ supportedByRelease }) => (supportedByRelease === undefined ? undefined : !supportedByRelease),
    /** Nobody has shown that it runs on SM120. */
    unproven: ({ profile }) =>
        profile.evidence.length > 0 && !profile.evidence.some((evidence) => evidence.outcome === "runs"),
} as const satisfies Record<string, (model: ServedModel) => boolean | undefined>;

/** Name of a trait. */
export type ModelTrait = keyof typeof modelTraits;
