import { didYouMean } from "../base/nearest.ts";
import type { Finding, Problem, SettingValue, Verdict } from "../base/settings.ts";
import type { ServiceFields } from "../fields/service.ts";
import type { RuleContext } from "./context.ts";
import { applies } from "./match.ts";
import type { Rule } from "./rule.ts";

/** Rules that the user overrides, with the reason. */
export type Accepted = NonNullable<ServiceFields["accept"]>;

/** What the rules made of a service. */
export interface Evaluation {
    /** The context with the corrected settings and environment. */
    readonly context: RuleContext;
    /** In the order of the table: fixes first, then what stands against the result. */
    readonly findings: readonly Finding[];
}

/** Id of the refusal that says that two rules want different things of one setting. */
export const conflictId = "rules-disagree";

/**
 * Applies the rules: first the fixes, in table order and again until nothing changes, then refusals and warnings on the result.
 *
 * An accepted rule changes and refuses nothing; it shows as a warning with the user's reason. Every fix runs once; one that is undone
 * by another refuses, instead of going round in circles.
 */
export function evaluate(rules: readonly Rule[], start: RuleContext, accept: Accepted = []): Evaluation {
    const reasons = new Map(accept.map(({ rule, reason }) => [rule, reason]));
    const fixes = rules.filter((rule) => rule.verdict === "fix" && !reasons.has(rule.id));
    const findings: Finding[] = [];
    const done = new Set<Rule>();
    let context = start;
    for (let next = pending(fixes, context, done); next; next = pending(fixes, context, done)) {
        done.add(next);
        findings.push(...changesOf(next, context));
        context = fixed(next, context);
    }
    for (const rule of rules) {
        const reason = reasons.get(rule.id);
        if (!applies(rule, context)) {
            continue;
        }
        if (reason !== undefined) {
            findings.push(finding(rule, "warn", `${sentence(rule)} Accepted: ${reason}`));
        } else if (rule.verdict !== "fix") {
            findings.push(finding(rule, rule.verdict, sentence(rule)));
        } else if (rule.placed !== undefined) {
            findings.push({ ...finding(rule, "fix", sentence(rule)), setting: rule.placed.name, to: rule.placed.to });
        } else if (changesOf(rule, context).length > 0) {
            findings.push({
                ...finding(rule, "refuse", `${sentence(rule)} Another rule undoes this.`),
                rule: conflictId,
            });
        }
    }
    return { context, findings };
}

/** A problem for every accepted rule that does not exist. `path` is that of the service. */
export function unknownAccepted(ids: readonly string[], accept: Accepted): Problem[] {
    return accept.flatMap(({ rule }, index) =>
        ids.includes(rule)
            ? []
            : [
                  {
                      path: `accept.${index}.rule`,
                      message: `there is no rule ${JSON.stringify(rule)}${didYouMean(rule, ids)} (\`pulumi-sglang rules\` lists them)`,
                  },
              ],
    );
}

/** The reason of a rule and what can be done, as one text. */
export function sentence({ reason, remedy }: Rule): string {
    return remedy === undefined ? reason : `${reason} ${remedy}`;
}

/** The first fix that has not run, applies, and would change something. */
function pending(fixes: readonly Rule[], context: RuleContext, done: ReadonlySet<Rule>): Rule | undefined {
    return fixes.find((rule) => !done.has(rule) && applies(rule, context) && changesOf(rule, context).length > 0);
}

/** One finding for each setting and variable that the fix would change. */
function changesOf(rule: Rule, context: RuleContext): Finding[] {
    const changes: Finding[] = [];
    const note = (name: string, from: SettingValue | undefined, to: SettingValue | null) => {
        if (from !== (to ?? undefined)) {
            changes.push({
                ...finding(rule, "fix", sentence(rule)),
                setting: name,
                ...(from === undefined ? {} : { from }),
                ...(to === null ? {} : { to }),
            });
        }
    };
    for (const [name, value] of Object.entries(rule.set ?? {})) {
        note(name, context.settings[name]?.value, value);
    }
    for (const [name, value] of Object.entries(rule.environment ?? {})) {
        note(name, context.environment[name]?.value, value);
    }
    return changes;
}

/** The context after the fix. */
function fixed(rule: Rule, context: RuleContext): RuleContext {
    const settings = { ...context.settings };
    for (const [name, value] of Object.entries(rule.set ?? {})) {
        if (value === null) {
            delete settings[name];
        } else if (settings[name]?.value !== value) {
            settings[name] = { value, origin: "rule", rule: rule.id };
        }
    }
    const environment = { ...context.environment };
    for (const [name, value] of Object.entries(rule.environment ?? {})) {
        if (value === null) {
            delete environment[name];
        } else if (environment[name]?.value !== value) {
            environment[name] = { name, value, origin: "rule", reason: rule.reason };
        }
    }
    return { ...context, settings, environment };
}

function finding(rule: Rule, verdict: Verdict, message: string): Finding {
    return { rule: rule.id, verdict, message, sources: rule.sources };
}
