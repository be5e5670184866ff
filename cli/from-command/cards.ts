import type { Problem } from "../../knowledge/base/settings.ts";
import type { GpusUsed } from "../../knowledge/launch/found.ts";
import type { HostFacts } from "../../knowledge/records/facts.ts";

/** Cards of one machine that a launch uses, and who says so. */
export interface CardsUsed {
    /** Absent: all of them. */
    readonly gpus?: readonly number[];
    readonly from: string;
    readonly problems: readonly Problem[];
}

/**
 * The cards of a launch: those that it is given, and of them as many as its parallel sizes take. A launch without sizes uses one card,
 * as SGLang does.
 */
export function cardsUsed(
    given: GpusUsed | undefined,
    setting: (name: string) => number | undefined,
    facts: HostFacts | undefined,
): CardsUsed {
    const all = facts?.gpus.map(({ index }) => index) ?? [];
    const { present, problems } = visible(given, all, facts);
    const replicas = setting("enable-dp-attention") === undefined ? (setting("dp-size") ?? 1) : 1;
    const world = (setting("tp-size") ?? 1) * (setting("pp-size") ?? 1) * replicas;
    const count = Math.max(1, Math.ceil(world / (setting("nnodes") ?? 1)));
    const first = setting("base-gpu-id") ?? 0;
    const step = setting("gpu-id-step") ?? 1;
    const wanted = Array.from({ length: count }, (_, rank) => present[first + rank * step]);
    const from = given ? "the cards that it is given and its parallel sizes" : "its parallel sizes";
    // more than there are: all of them, and the rules say what is missing
    const gpus = wanted.every((gpu) => gpu !== undefined) ? (wanted as number[]) : present;
    return { ...(gpus.length === 0 ? {} : { gpus }), from, problems };
}

function visible(
    given: GpusUsed | undefined,
    all: readonly number[],
    facts: HostFacts | undefined,
): { present: readonly number[]; problems: Problem[] } {
    if (!given) {
        return { present: all, problems: [] };
    }
    if ("count" in given) {
        return { present: all.slice(0, given.count), problems: [] };
    }
    if ("indices" in given) {
        return { present: given.indices, problems: [] };
    }
    const found = given.ids.map((id) => facts?.gpus.find(({ uuid }) => uuid?.startsWith(id))?.index);
    const lost = given.ids.filter((_, index) => found[index] === undefined);
    const message = `the host of the facts has no GPU ${lost.join(", ")}: give its own facts with --facts, or indices`;
    return {
        present: found.filter((index) => index !== undefined),
        problems: lost.length === 0 ? [] : [{ path: "launch.CUDA_VISIBLE_DEVICES", message }],
    };
}
