import type { Figures, Oracle } from "../records/oracle.ts";

/** Most that each figure may be; of `topAgreement` and `topOverlap` the least. */
export type Limits = Figures;

/** Figures of which more is better. */
export const moreIsBetter: ReadonlySet<keyof Figures> = new Set(["topAgreement", "topOverlap"]);

/** What decides how far two sound servers may be from each other: weights and key-value cache of one of them. */
export interface Precision {
    /** Method of the weights, such as `modelopt_fp4`; without one they have 16 bits. */
    readonly quantization?: string | undefined;
    /** Element type of the key-value cache; without one, or with `auto`, it has 16 bits. */
    readonly kvCache?: string | undefined;
}

/** A row of the tables below: what it is for, its figures, and where they come from. */
interface Row<K extends keyof Figures> {
    readonly figures: Pick<Limits, K>;
    readonly source: string;
}

type PromptFigure = "promptMean" | "promptTail" | "promptStretch" | "promptLargest";
type AnswerFigure = Exclude<keyof Figures, PromptFigure>;

/**
 * Bits of the weights of the reference and of what is served, the wider first.
 *
 * Measured with SGLang 0.5.16 on an H200 (test/fixtures/oracle): another attention kernel 0.00024 of the mean, 5 % noise in every
 * weight 0.068. NVFP4 and FP8 rows are guesses from the width of the numbers.
 */
const byWeights: Readonly<Record<string, Row<PromptFigure>>> = {
    "16,16": {
        figures: { promptMean: 0.008, promptTail: 0.05, promptStretch: 0.12, promptLargest: 1 },
        source: "test/fixtures/oracle/README.md: 33 times another kernel, a third of 2 % noise",
    },
    "8,8": {
        figures: { promptMean: 0.02, promptTail: 0.1, promptStretch: 0.25, promptLargest: 2 },
        source: "unverified",
    },
    "4,4": {
        figures: { promptMean: 0.04, promptTail: 0.2, promptStretch: 0.5, promptLargest: 3 },
        source: "unverified",
    },
    "16,8": {
        figures: { promptMean: 0.08, promptTail: 0.35, promptStretch: 0.8, promptLargest: 4 },
        source: "unverified",
    },
    "16,4": {
        figures: { promptMean: 0.25, promptTail: 1, promptStretch: 2, promptLargest: 6 },
        source: "unverified",
    },
    "8,4": {
        figures: { promptMean: 0.25, promptTail: 1, promptStretch: 2, promptLargest: 6 },
        source: "unverified",
    },
};

/** The coarser key-value cache of the two: what prefill does not show, since it reads what it has just computed. */
const byCache: Readonly<Record<string, Row<AnswerFigure>>> = {
    "16": {
        figures: {
            answerMean: 0.004,
            answerTail: 0.015,
            answerLargest: 0.5,
            topMean: 0.015,
            topAgreement: 0.9,
            topOverlap: 0.9,
            topDivergence: 0.02,
        },
        source: "test/fixtures/oracle/README.md: another kernel 0.0003 and 0.0036, 5 % noise 0.0075 and 0.053",
    },
    fp8_e4m3: {
        figures: {
            answerMean: 0.012,
            answerTail: 0.2,
            answerLargest: 1,
            topMean: 0.045,
            topAgreement: 0.85,
            topOverlap: 0.85,
            topDivergence: 0.05,
        },
        source: "test/fixtures/oracle/README.md: an FP8 cache 0.0025 and 0.022",
    },
    fp8_e5m2: {
        figures: {
            answerMean: 0.025,
            answerTail: 0.4,
            answerLargest: 2,
            topMean: 0.09,
            topAgreement: 0.85,
            topOverlap: 0.8,
            topDivergence: 0.1,
        },
        source: "unverified: one bit of mantissa less than fp8_e4m3",
    },
    fp4: {
        figures: {
            answerMean: 0.05,
            answerTail: 0.8,
            answerLargest: 4,
            topMean: 0.18,
            topAgreement: 0.8,
            topOverlap: 0.7,
            topDivergence: 0.2,
        },
        source: "unverified: two bits of mantissa less than fp8_e4m3",
    },
};

/**
 * How far a sound server may be from itself, cold and cached, alone and in a crowd: kernels that are chosen by batch size change
 * sums, and a wrong "no" is worse than a fault that only an oracle finds. Unverified for large models. Measured in front of SGLang 0.5.16 on
 * an H200 with a model of four layers (attention by Triton and FlashInfer, and an FP8 cache): prompts 0, `answerMean` up to 0.0041,
 * `answerTail` 0.025, `topMean` 0.12, `topAgreement` 0.94 at least.
 */
export const itselfLimits: Limits = {
    promptMean: 0.3,
    promptTail: 2,
    promptStretch: 2,
    promptLargest: 12,
    answerMean: 0.3,
    answerTail: 4,
    answerLargest: 12,
    topMean: 0.8,
    topAgreement: 0.2,
    topOverlap: 0.3,
    topDivergence: 0.5,
};

/** A reference was asked a few times only: what it did not show of its spread. Unverified. */
const timesSpread = 3;

/**
 * How far a sound server may be from a reference: the row of the two precisions, or the reference's own spread where that is wider,
 * all times `tolerance`.
 */
export function limitsFor({ asked, spread }: Oracle, served: Precision, tolerance = 1): Limits {
    const weights = [bitsOf(asked.quantization), bitsOf(served.quantization)].toSorted((a, b) => b - a);
    const prompt = byWeights[weights.join()]!.figures;
    const cache = byCache[coarser(cacheOf(asked.kvCache), cacheOf(served.kvCache))]!.figures;
    // weights that differ show in answers as much as in prompts
    const scale = Math.max(1, prompt.promptMean / byWeights["16,16"]!.figures.promptMean);
    const row: Limits = { ...prompt, ...mapFigures(cache, (value, name) => widened(name, value, scale)) };
    return mapFigures(row, (value, name) => {
        const own = [spread.again, spread.together].flatMap((one) => (one ? [one.figures[name]] : []));
        const seen = own.map((one) => (moreIsBetter.has(name) ? 1 - timesSpread * (1 - one) : timesSpread * one));
        const least = moreIsBetter.has(name) ? Math.min(value, ...seen) : Math.max(value, ...seen);
        return widened(name, least, tolerance);
    });
}

/** A limit times a factor; of a share, what is missing of the whole. */
function widened(name: keyof Figures, value: number, factor: number): number {
    return moreIsBetter.has(name) ? Math.max(0, 1 - factor * (1 - value)) : factor * value;
}

function mapFigures<T extends object>(row: T, change: (value: number, name: keyof Figures) => number): T {
    const entries = Object.entries(row) as [keyof Figures, number][];
    return Object.fromEntries(entries.map(([name, value]) => [name, change(value, name)])) as T;
}

function bitsOf(quantization = ""): 4 | 8 | 16 {
    if (/fp4|w4|int4|awq|gptq|mxfp4|marlin/i.test(quantization)) {
        return 4;
    }
    return /8/.test(quantization) ? 8 : 16;
}

function cacheOf(kvCache = "auto"): string {
    return Object.keys(byCache).find((name) => kvCache.includes(name)) ?? "16";
}

function coarser(a: string, b: string): string {
    const order = Object.keys(byCache).toSorted((x, y) => rank(x) - rank(y));
    return order[Math.max(order.indexOf(a), order.indexOf(b))]!;
}

function rank(cache: string): number {
    return byCache[cache]!.figures.topMean;
}
