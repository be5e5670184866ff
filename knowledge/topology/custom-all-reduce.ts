import { type NcclInput, pairsWith, pcieLinks } from "./nccl-input.ts";
import type { P2pDecision } from "./nccl-p2p.ts";

/** What becomes of SGLang's own all-reduce. */
export interface CustomAllReduce {
    /** Whether to start SGLang with `--disable-custom-all-reduce`. */
    readonly disable: boolean;
    /** Why. */
    readonly reason: string;
}

/**
 * SGLang's custom all-reduce needs P2P. Without NVLink between all GPUs SGLang uses it for two of them only
 * (custom_all_reduce.py, 0.5.8 to 0.5.23), so on more it is switched off in so many words.
 */
export function decideCustomAllReduce(input: NcclInput, mode: P2pDecision["mode"]): CustomAllReduce {
    const [pair] = pcieLinks(input);
    switch (mode) {
        case "none":
            return { disable: false, reason: "One GPU has nothing to reduce." };
        case "nvlink":
            return { disable: false, reason: "Every pair has NVLink." };
        case "off":
            return { disable: true, reason: "It needs P2P, which is off (noonghunna/club-3090#1229)." };
        default:
            if (input.gpus.length !== 2) {
                return {
                    disable: true,
                    reason: "SGLang uses it on PCIe for two GPUs only; on more it is slower or crashes across sockets (sgl-project/sglang#4814).",
                };
            }
    }
    const proven =
        input.p2pProven === true || (input.p2p?.r && input.p2p.w && pairsWith(input, /^(?!OK$)/).length === 0);
    return pair!.type !== "SYS" && proven
        ? { disable: false, reason: "Two GPUs under one CPU, and the driver grants peer access." }
        : {
              disable: true,
              reason: "Peer access between the two GPUs is not shown, or crosses sockets; without it the first all-reduce hangs.",
          };
}
