import { quote } from "shell-quote";

/** Words that every shell takes as they stand; `quote` would put backslashes before `:`, `=`, `,` and `@`. */
const harmless = /^[\w./:=,@%+-]+$/;

/** Words as one text that a POSIX shell splits into the same words again. */
export function shellQuoted(words: readonly string[]): string {
    return words.map((word) => (harmless.test(word) ? word : quote([word]))).join(" ");
}
