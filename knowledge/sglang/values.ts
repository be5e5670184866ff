/** What a value must be for an option to take it, as the release's own parser would say. */

import { nearest } from "../base/nearest.ts";
import type { SettingValue } from "../base/settings.ts";
import type { Option } from "./releases.ts";

type Scalar = string | number;

const integer = { expected: "a whole number", test: (text: string) => /^[-+]?\d+$/.test(text) };
const json = (expected: string, fits: (value: unknown) => boolean) => ({
    expected,
    test: (text: string) => {
        try {
            return fits(JSON.parse(text));
        } catch {
            return false;
        }
    },
});

/** Checks by the name of the parser's own type; a type that is not here takes any text. */
const types: Readonly<Record<string, { expected: string; test: (text: string) => boolean }>> = {
    int: integer,
    float: { expected: "a number", test: (text) => /^[-+]?(\d+\.?\d*|\.\d+)(e[-+]?\d+)?$/i.test(text) },
    human_readable_int: {
        expected: "a whole number, or one with k, M, G, T, Ki, Mi, Gi or Ti",
        test: (text) => integer.test(text) || /^(\d+(\.\d+)?[kMGT]|\d+[KMGT]i)$/.test(text),
    },
    loads: json("JSON", () => true),
    json_list_type: json("a JSON list", Array.isArray),
    parse_cuda_graph_config_arg: json("a JSON object", (value) => value !== null && typeof value === "object"),
};

/** What is wrong with a value for an option of a release; nothing when the parser takes it. Names no option, so that a sentence can begin with one. */
export function valueProblem(option: Option, value: SettingValue): string | undefined {
    if (option.takes === "nothing") {
        return typeof value === "boolean" ? undefined : `takes no value: give true, not ${show(value)}`;
    }
    if (typeof value === "boolean") {
        return `needs ${option.takes === "one" ? "a value" : "values"}, not ${value}`;
    }
    const items: readonly Scalar[] = Array.isArray(value) ? value : [value as Scalar];
    if (option.takes === "one" && Array.isArray(value)) {
        return `takes one value, not a list: ${show(value)}`;
    }
    if (option.takes === "some" && items.length === 0) {
        return "needs at least one value";
    }
    return items.map((item) => itemProblem(option, item)).find((problem) => problem !== undefined);
}

function itemProblem(option: Option, item: Scalar): string | undefined {
    if (option.choices) {
        return option.choices.some((choice) => String(choice) === String(item))
            ? undefined
            : `does not take ${show(item)}${meant(String(item), option.choices.map(String))}; it takes ${option.choices.join(", ")}`;
    }
    const type = types[option.type ?? "str"];
    if (type && !type.test(String(item))) {
        return `needs ${type.expected}, not ${show(item)}`;
    }
    // argparse reads a word that begins with a dash as an option, unless it is a number or holds a space
    if (option.takes !== "one" && /^-(?!\d*\.?\d+$)/.test(String(item))) {
        return `cannot take ${show(item)} in a list: it begins with a dash`;
    }
    return undefined;
}

function meant(text: string, choices: readonly string[]): string {
    const choice = nearest(text, choices);
    return choice === undefined ? "" : ` (did you mean ${show(choice)}?)`;
}

function show(value: SettingValue): string {
    return JSON.stringify(value);
}
