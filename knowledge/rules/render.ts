import { derivedRules } from "./derived.ts";
import { describeCondition, describeWindow } from "./describe.ts";
import { predicates } from "./predicates.ts";
import type { Rule, RuleArea } from "./rule.ts";
import { areas } from "./table/index.ts";

/** What `pulumi-sglang rules --json` prints. */
export interface RulesDocument {
    readonly rules: readonly (Rule & { readonly area: string })[];
    /** What the named predicates of the conditions mean. */
    readonly predicates: Readonly<Record<string, string>>;
    /** Ids that are computed from topology, sizes and options, and what they say. */
    readonly derived: Readonly<Record<string, string>>;
}

/** The whole table as data. */
export function rulesJson(): RulesDocument {
    return {
        rules: areas.flatMap(({ title, rules }) => rules.map((rule) => ({ area: title, ...rule }))),
        predicates: Object.fromEntries(
            Object.entries(predicates).map(([name, { description }]) => [name, description] as const),
        ),
        derived: derivedRules,
    };
}

/** The table as one line per rule, for a terminal. Ends with a newline. */
export function rulesText(): string {
    const lines = areas.flatMap(({ title, rules }) => [
        title,
        ...rules.map(({ id, verdict, reason }) => `  ${verdict.padEnd(7)}${id}: ${reason}`),
        "",
    ]);
    return `${lines.join("\n").trimEnd()}\n`;
}

/** The table as Markdown, `docs/rules.md`. Ends with a newline. */
export function rulesMarkdown(): string {
    const count = areas.reduce((sum, { rules }) => sum + rules.length, 0);
    const parts = [
        "# Rules",
        "Generated from `knowledge/rules/table` by `npm run generate`; do not edit.",
        `${count} rules. \`refuse\`: nothing is deployed. \`fix\`: the setting is changed and the plan says by which rule. \`warn\`: deployed and said. ` +
            "A rule holds inside its window only; without one it holds for every supported version. It is about GPUs of compute capability 12.x " +
            "unless it says otherwise. `accept: [{ rule, reason }]` in a service overrides a rule, visibly. " +
            "Nothing here was run on the hardware by this project: the sources are public reports and the published packages.",
        ...areas.map(areaMarkdown),
        "## Computed from topology, sizes and options",
        "These are not rows of the table; `accept` can name them too.",
        Object.entries(derivedRules)
            .map(([id, text]) => `- \`${id}\`: ${text}`)
            .join("\n"),
    ];
    return `${parts.join("\n\n")}\n`;
}

function areaMarkdown({ title, introduction, rules }: RuleArea): string {
    return [`## ${title}`, introduction, ...rules.map(ruleMarkdown)].join("\n\n");
}

function ruleMarkdown(rule: Rule): string {
    const { id, verdict, reason, remedy, window, confidence, contradicted, sources, detectedBy, placed, gpu } = rule;
    const lines = [
        `- When: ${describeCondition(rule.when)}${gpu === "any" ? " (any GPU)" : ""}`,
        ...(window === undefined ? [] : [`- Window: ${describeWindow(window)}`]),
        ...changes(rule),
        ...(placed === undefined ? [] : [`- Placement: ${placed.name} becomes ${placed.to}`]),
        `- Confidence: ${confidence}. Sources: ${sources.join(", ")}`,
        ...(contradicted === undefined
            ? []
            : [`- Against it: ${contradicted.statement} (${contradicted.sources.join(", ")})`]),
        ...(detectedBy === undefined ? [] : [`- Seen after the start by: ${detectedBy}`]),
    ];
    return `### \`${id}\` (${verdict})\n\n${remedy === undefined ? reason : `${reason} ${remedy}`}\n\n${lines.join("\n")}`;
}

function changes({ set = {}, environment = {} }: Rule): string[] {
    const all = Object.entries({ ...set, ...environment });
    const parts = all.map(([name, value]) => (value === null ? `no \`${name}\`` : `\`${name}\` = \`${value}\``));
    return parts.length === 0 ? [] : [`- Sets: ${parts.join(", ")}`];
}
