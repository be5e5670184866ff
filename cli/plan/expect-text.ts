import type { Roofline } from "../../knowledge/memory/index.ts";
import type { Expectation } from "../../knowledge/service/expect.ts";
import type { NearReference } from "../../knowledge/tuning/index.ts";
import { bar, grouped, table, wrap } from "../text.ts";

/** What to expect of a service: the hardware's bound with its arithmetic, the nearest public figures, and other choices of memory. */
export function expectText({ roofline, references, choices }: Expectation): string {
    return [
        roofline ? rooflineText(roofline) : "  No bound: the memory bandwidth of these cards is not known.\n",
        "\n",
        ...(references.length === 0 ? ["  No public figure of this model in this format on this card.\n"] : []),
        ...references.map(referenceText),
        "\n  What the memory would hold\n",
        choicesText(choices),
    ].join("");
}

function rooflineText({ gigabytesPerSecond, bandwidthSays, weightBytes, points, reductions }: Roofline): string {
    const rows = points.map(({ context, cacheBytes, tokensPerSecond }) => [
        `over ${grouped(context)} tokens`,
        `${grouped(Math.floor(tokensPerSecond))} tokens/s at most`,
        `${gigabytesPerSecond} GB/s / (${gigabytes(weightBytes)} weights + ${gigabytes(cacheBytes)} cache and states)`,
    ]);
    const { count = 0, bytes = 0, milliseconds = 0, gigabytesPerSecond: path = 0 } = reductions ?? {};
    return [
        wrap(
            `One user without drafts, bound by what one card reads for a token (${gigabytesPerSecond} GB/s: ${bandwidthSays}):`,
            2,
        ),
        table(rows),
        reductions
            ? wrap(
                  `To that come ${count} all-reduces of ${grouped(bytes)} bytes a token: ${milliseconds.toFixed(2)} ms by their bytes at ${path} GB/s, and in practice their latency, which decides.`,
                  2,
              )
            : "",
    ].join("");
}

function referenceText({ engine, version, cards, counted, speeds, setup, source, differs }: NearReference): string {
    const what = counted === "both" ? "tokens/s, prompts included" : "output tokens/s";
    const figures = speeds.map(
        ({ users, tokensPerSecond, context, secondsToFirstToken }) =>
            `${grouped(tokensPerSecond)} with ${users} user${users === 1 ? "" : "s"}` +
            (context === undefined ? "" : ` over ${grouped(context)} tokens`) +
            (secondsToFirstToken === undefined ? "" : ` (first token after ${secondsToFirstToken} s)`),
    );
    const distance = differs.length === 0 ? "Same cards, release and decoding." : `Differs: ${differs.join("; ")}.`;
    return (
        wrap(`${engine} ${version} on ${cards} card${cards === 1 ? "" : "s"}, ${what}: ${figures.join(", ")}.`, 2) +
        wrap([setup && `Setup: ${setup}.`, distance, source].filter(Boolean).join(" "), 6)
    );
}

function choicesText(choices: Expectation["choices"]): string {
    const most = Math.max(...choices.map(({ kvTokens }) => kvTokens));
    const rows = choices.map(({ choice, memFractionStatic, kvTokens, requests }) => [
        choice,
        `fraction ${(Math.floor(memFractionStatic * 1000) / 1000).toFixed(3)}`,
        kvTokens === 0 ? "does not fit" : `${grouped(kvTokens)} tokens`,
        kvTokens === 0 ? "" : `${grouped(requests)} requests`,
        bar(kvTokens / most, 20),
    ]);
    return table(rows);
}

function gigabytes(bytes: number): string {
    return `${(bytes / 1e9).toFixed(2)} GB`;
}
