/** Where the pieces of shell text end. None of these throws; what is not closed ends with the text. */

/** The index after a quoted text that opens at `at` with `'` or `"`; `undefined` when it is not closed. */
export function quoteEnd(source: string, at: number): number | undefined {
    const quote = source[at]!;
    for (let here = at + 1; here < source.length; here++) {
        if (source[here] === quote) {
            return here + 1;
        }
        if (quote === '"') {
            here = source[here] === "\\" ? here + 1 : inner(source, here) - 1;
        }
    }
    return undefined;
}

/** The index after `$(…)`, `$((…))`, `${…}` or a text in backquotes that begins at `at`; one further where none begins. */
export function inner(source: string, at: number): number {
    if (source[at] === "`") {
        for (let here = at + 1; here < source.length; here++) {
            if (source[here] === "`") {
                return here + 1;
            }
            here += source[here] === "\\" ? 1 : 0;
        }
        return source.length;
    }
    if (source.startsWith("$(", at) || source.startsWith("${", at)) {
        return bracketEnd(source, at + 1);
    }
    return at + 1;
}

/** The index after the bracket that closes the one at `at`; quotes and what is substituted inside count as one. */
export function bracketEnd(source: string, at: number): number {
    const opens = source[at]!;
    const closes = opens === "(" ? ")" : "}";
    let depth = 0;
    for (let here = at; here < source.length; here++) {
        const char = source[here];
        if (char === "\\") {
            here++;
        } else if (char === "'" || char === '"') {
            here = (quoteEnd(source, here) ?? source.length) - 1;
        } else if (char === opens) {
            depth++;
        } else if (char === closes) {
            depth--;
            if (depth === 0) {
                return here + 1;
            }
        }
    }
    return source.length;
}

/** A backslash with the line end that it takes away, blanks between them forgiven; nothing elsewhere. */
export function continued(source: string, at: number): number {
    return source[at] === "\\" ? (/^\\[ \t]*\n/.exec(source.slice(at, at + 200))?.[0].length ?? 0) : 0;
}

/** The index after the word that begins at `at`; `unclosed` hears where a quote opens that is never closed. */
export function wordEnd(source: string, at: number, unclosed: (at: number) => void): number {
    let here = at;
    while (here < source.length) {
        const char = source[here]!;
        if (char === "\\") {
            const joined = continued(source, here);
            if (joined > 2) {
                return here;
            }
            here += joined || 2;
        } else if (char === "'" || char === '"') {
            const end = quoteEnd(source, here);
            if (end === undefined) {
                unclosed(here);
            }
            here = end ?? source.length;
        } else if (char === "$" || char === "`") {
            here = inner(source, here);
        } else if (char === "(" && /^[A-Za-z_]\w*(\[[^\]]*\])?\+?=$/.test(source.slice(at, here))) {
            here = bracketEnd(source, here);
        } else if (/[<>]/.test(char) && source[here + 1] === "(" && here === at) {
            here = bracketEnd(source, here + 1);
        } else if (/[\s;&|()<>]/.test(char)) {
            return here;
        } else {
            here++;
        }
    }
    return Math.min(here, source.length);
}
