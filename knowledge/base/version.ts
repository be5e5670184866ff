import { compare, explain } from "@renovatebot/pep440";

/**
 * Orders SGLang, FlashInfer, NCCL, CUDA and driver versions as PEP 440 does, and tells whether one lies in a window.
 *
 * A local version such as `2.6.0+cu124` counts as its public version `2.6.0`: the same code, built for something.
 */

/** Answers already given: a plan asks about the same few versions thousands of times. */
const known = new Map<string, string | undefined>();
const orders = new Map<string, number>();

/** The version without its local part; `undefined` when the text is no version. */
function publicVersion(text: string): string | undefined {
    if (!known.has(text)) {
        known.set(text, explain(text.trim())?.public);
    }
    return known.get(text);
}

/** Whether the text is a version that {@link compareVersions} can order. */
export function isVersion(text: string): boolean {
    return publicVersion(text) !== undefined;
}

/** Negative when `a` is older than `b`, zero when equal (`0.5` equals `0.5.0`), positive when newer. Throws a RangeError on a text that is no version. */
export function compareVersions(a: string, b: string): number {
    const pair = `${a} ${b}`;
    const order = orders.get(pair) ?? orderOf(a, b);
    orders.set(pair, order);
    return order;
}

function orderOf(a: string, b: string): number {
    const left = publicVersion(a);
    const right = publicVersion(b);
    if (left === undefined || right === undefined) {
        throw new RangeError(`not a version: ${JSON.stringify(left === undefined ? a : b)}`);
    }
    return compare(left, right);
}

/** The version that a Git tag such as `v0.5.23` names; any other text as it is. */
export function withoutTagPrefix(text: string): string {
    return text.replace(/^v(?=\d)/i, "");
}

/** Half-open window of versions: `since` is the first inside, `before` the first outside again. Both absent: always. */
export interface VersionWindow {
    /** First version inside. Defaults to the oldest. */
    readonly since?: string;
    /** First version that is outside again. Defaults to none: the window is still open. */
    readonly before?: string;
}

/** Whether the version lies in the window. */
export function inWindow(version: string, window: VersionWindow): boolean {
    return (
        (window.since === undefined || compareVersions(version, window.since) >= 0) &&
        (window.before === undefined || compareVersions(version, window.before) < 0)
    );
}
