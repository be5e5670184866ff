/** A shell pattern as a regular expression without anchors. */
export function patternSource(pattern: string, shortest = false): string {
    let source = "";
    for (let at = 0; at < pattern.length; at++) {
        const char = pattern[at]!;
        const set = char === "[" ? /^\[(!|\^)?([^\]]+)\]/.exec(pattern.slice(at)) : null;
        if (set) {
            source += `[${set[1] ? "^" : ""}${set[2]!.replaceAll(/[\\\]^]/g, "\\$&")}]`;
            at += set[0].length - 1;
        } else if (char === "*" || char === "?") {
            source += char === "*" ? (shortest ? "[\\s\\S]*?" : "[\\s\\S]*") : "[\\s\\S]";
        } else {
            const own = char === "\\" && at + 1 < pattern.length ? pattern[++at]! : char;
            source += own.replace(/[\\^$.*+?()[\]{}|/-]/, "\\$&");
        }
    }
    return source;
}

/** Whether a text is as a shell pattern says. */
export function matches(text: string, pattern: string): boolean {
    return expression(`^${patternSource(pattern)}$`)?.test(text) ?? text === pattern;
}

/** A regular expression; nothing for what is none, such as a range that goes down. */
export function expression(source: string, flags?: string): RegExp | undefined {
    try {
        return new RegExp(source, flags);
    } catch {
        return undefined;
    }
}
