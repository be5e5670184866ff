/** Names of modules, and the patterns with which quantization configurations point at them. */

/** Prefixes under which the text model's layers stand in checkpoints and in SGLang. */
const prefixes = ["model.", "model.language_model.", "language_model.model.", "language_model.", ""] as const;

/** How a pattern without wildcard is read: `path` on whole parts of the name, `text` anywhere in it (AWQ). */
export type PlainPatterns = "path" | "text";

/** Tells whether a module, given by its names without prefix (`layers.3.mlp.gate_proj`), is meant by one of the patterns. */
export type ModuleTest = (names: readonly string[]) => boolean;

/**
 * Reads a list of patterns: `re:` is a regular expression from the start of the name, `*` stands for anything, other texts as `plain` says.
 * sglang 0.5.23 srt/layers/quantization/utils.py `is_layer_skipped`, modelopt_quant.py `is_layer_excluded`,
 * compressed_tensors/utils.py `find_matched_target`, awq/awq.py `is_layer_skipped_awq`.
 */
export function moduleTest(patterns: readonly string[], plain: PlainPatterns = "path"): ModuleTest {
    const expressions: RegExp[] = [];
    const paths = new Set<string>();
    const texts: string[] = [];
    for (const pattern of patterns) {
        if (pattern.startsWith("re:")) {
            expressions.push(expression(pattern.slice(3), false));
        } else if (pattern.includes("*")) {
            expressions.push(expression(escaped(pattern).replaceAll("\\*", ".*"), true));
        } else if (plain === "text") {
            texts.push(pattern);
        } else {
            paths.add(withoutPrefix(pattern.replace(/\.$/, "")));
        }
    }
    return (names) =>
        names.some(
            (name) =>
                (paths.size > 0 && runs(name).some((run) => paths.has(run))) ||
                prefixes.some(
                    (prefix) =>
                        expressions.some((pattern) => pattern.test(prefix + name)) ||
                        texts.some((text) => (prefix + name).includes(text)),
                ),
        );
}

/** A module's name without what stands before `layers`, `lm_head` or `mtp`. */
export function withoutPrefix(name: string): string {
    return name.replace(/^(?:(?:model|language_model|text_model|transformer)\.)+(?=.)/, "");
}

/** Every run of whole parts: `a.b` has `a`, `a.b` and `b`. */
function runs(name: string): string[] {
    const parts = name.split(".");
    return parts.flatMap((_, start) =>
        parts.slice(start).map((__, end) => parts.slice(start, start + end + 1).join(".")),
    );
}

function expression(source: string, whole: boolean): RegExp {
    try {
        return new RegExp(whole ? `^(?:${source})$` : `^(?:${source})`);
    } catch {
        return new RegExp(`^${escaped(source)}`);
    }
}

function escaped(text: string): string {
    return text.replaceAll(/[.*+?^${}()|[\]\\]/g, "\\$&");
}
