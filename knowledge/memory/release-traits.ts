/** Where SGLang's own memory arithmetic changed. All windows were read in the published wheels 0.5.9 to 0.5.23. */

import { compareVersions } from "../base/version.ts";

/** How one release sizes memory. */
export interface ReleaseTraits {
    /** MiB that the default fraction sets aside for an EAGLE-like draft; 0 once drafts are loaded before sizing (0.5.14). */
    readonly draftReserveMiB: number;
    /** MiB that it sets aside for a standalone draft model. */
    readonly standaloneReserveMiB: number;
    /** Whether decode graphs that are off cost nothing in the default fraction. Since 0.5.15. */
    readonly disabledGraphsAreFree: boolean;
    /** Whether DeepEP's buffers are set aside. Since 0.5.15. */
    readonly deepepReserve: boolean;
    /** Cards below 35 GiB: chunk 4096 and graphs up to 48 or 160 instead of 2048 and 24 or 80. Since 0.5.20. */
    readonly largerSmallCards: boolean;
    /** Whether the default decode-graph batch is capped by `max-running-requests`. Since 0.5.22. */
    readonly graphsCappedByRequests: boolean;
    /** Whether draft weights are loaded before the pool is sized and the draft's layers are part of a token. Since 0.5.14. */
    readonly draftCounted: boolean;
    /** Whether a DFLASH draft is part of a token. Since 0.5.11. */
    readonly dflashCounted: boolean;
    /** Whether a sparse-attention token is sized at the width that is allocated. Since 0.5.17; before, fp8 is sized at 576 and allocated at 656. */
    readonly sparseRealWidth: boolean;
    /** Whether index keys are stored only on layers that compute top-k, and counted apart for a draft. Since 0.5.18. */
    readonly sharedIndexElided: boolean;
    /** Whether the pool of recurrent states has one padding slot and, under PP, only the stage's layers. Since 0.5.17. */
    readonly mambaPadding: boolean;
    /** Whether recurrent states and speculative intermediates are solved together. Since 0.5.13; before, intermediates come off first. */
    readonly mambaJointSolve: boolean;
    /** Whether the automatic strategy for recurrent states is `extra_buffer`. Since 0.5.14; before it is `no_buffer`. */
    readonly mambaExtraBuffer: boolean;
    /** Whether 100 MiB stay free for a multimodal model. Since 0.5.18. */
    readonly multimodalReserve: boolean;
    /** Whether Python's garbage is collected before free memory is measured. Since 0.5.19; before, the pool can come out smaller. */
    readonly collectsGarbage: boolean;
    /** Whether requests are capped at half the tokens. Since 0.5.10. */
    readonly requestsCappedByTokens: boolean;
    /** Whether an explicit `max-running-requests` is also capped by SGLang's estimate. 0.5.10 to 0.5.13. */
    readonly explicitRequestsEstimated: boolean;
}

/** Releases already looked at: a plan asks for the same one many times. */
const known = new Map<string, ReleaseTraits>();

/** How this release sizes memory. Throws a RangeError when the text is no version. */
export function traitsOf(release: string): ReleaseTraits {
    const traits = known.get(release) ?? readTraits(release);
    known.set(release, traits);
    return traits;
}

function readTraits(release: string): ReleaseTraits {
    const since = (first: string) => compareVersions(release, first) >= 0;
    const draftCounted = since("0.5.14");
    return {
        draftReserveMiB: draftCounted ? 0 : since("0.5.10") ? 4096 : 2048,
        standaloneReserveMiB: draftCounted ? 0 : 6144,
        disabledGraphsAreFree: since("0.5.15"),
        deepepReserve: since("0.5.15"),
        largerSmallCards: since("0.5.20"),
        graphsCappedByRequests: since("0.5.22"),
        draftCounted,
        dflashCounted: since("0.5.11"),
        sparseRealWidth: since("0.5.17"),
        sharedIndexElided: since("0.5.18"),
        mambaPadding: since("0.5.17"),
        mambaJointSolve: since("0.5.13"),
        mambaExtraBuffer: draftCounted,
        multimodalReserve: since("0.5.18"),
        collectsGarbage: since("0.5.19"),
        requestsCappedByTokens: since("0.5.10"),
        explicitRequestsEstimated: since("0.5.10") && !draftCounted,
    };
}
