import type { NumberFormat } from "../../models/formats.ts";

/** Tokens a second of all users together. */
export interface ReferenceSpeed {
    /** Requests at once. */
    readonly users: number;
    readonly tokensPerSecond: number;
    /** Tokens already in the cache of each. Defaults to a short prompt. */
    readonly context?: number;
    /** Seconds to the first token, where it was told. */
    readonly secondsToFirstToken?: number;
}

/** What somebody published of a model on RTX PRO 6000 cards. */
export interface Reference {
    /** Id of the model's profile. */
    readonly profile: string;
    /** Format of the experts, or of all weights where there are none. */
    readonly format: NumberFormat;
    readonly cards: number;
    readonly engine: "SGLang" | "SGLang fork" | "vLLM";
    /** Release or image, with the date where that is all that is known. */
    readonly version: string;
    readonly speculation: boolean;
    /** `output`: generated tokens. `both`: prompt tokens as well. */
    readonly counted: "output" | "both";
    readonly speeds: readonly ReferenceSpeed[];
    /** What else was special. */
    readonly setup?: string;
    readonly source: string;
}
