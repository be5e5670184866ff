/**
 * Orders SGLang, FlashInfer, NCCL and driver versions, and tells whether one lies in a window.
 *
 * Understood are dotted numbers of any length with an optional post-release (`0.5.8.post1`, `0.6.7.post3`, `595.58.03`).
 */

/** Numbers of a version, the post-release last under its own rank. */
interface Parts {
    readonly release: readonly number[];
    readonly post: number;
}

const known = new Map<string, Parts | undefined>();

/** `undefined` when the text is no version. */
function parts(version: string): Parts | undefined {
    if (!known.has(version)) {
        known.set(version, parse(version));
    }
    return known.get(version);
}

function parse(version: string): Parts | undefined {
    const match = /^v?(\d+(?:\.\d+)*)(?:\.post(\d+))?$/.exec(version.trim());
    if (!match) {
        return undefined;
    }
    return { release: match[1]!.split(".").map(Number), post: match[2] === undefined ? -1 : Number(match[2]) };
}

/** Whether the text is a version that {@link compareVersions} can order. */
export function isVersion(text: string): boolean {
    return parts(text) !== undefined;
}

/** Negative when `a` is older than `b`, zero when equal (`0.5` equals `0.5.0`), positive when newer. Throws a RangeError on a text that is no version. */
export function compareVersions(a: string, b: string): number {
    const left = parts(a);
    const right = parts(b);
    if (!left || !right) {
        throw new RangeError(`not a version: ${JSON.stringify(left ? b : a)}`);
    }
    const length = Math.max(left.release.length, right.release.length);
    for (let i = 0; i < length; i++) {
        const difference = (left.release[i] ?? 0) - (right.release[i] ?? 0);
        if (difference !== 0) {
            return difference;
        }
    }
    return left.post - right.post;
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
