/** What is known to be wrong on SM120: the rule table, its evaluator, and its printed forms. */
import { derivedRules } from "./derived.ts";
import { rules } from "./table/index.ts";

export type { RuleContext } from "./context.ts";
export { derivedRules } from "./derived.ts";
export { evaluate } from "./evaluate.ts";
export type { Confidence, Rule, RuleArea, RuleWindow } from "./rule.ts";
export { areas, rules } from "./table/index.ts";

/** Every id that `accept` can name. */
export const ruleIds: readonly string[] = [...rules.map(({ id }) => id), ...Object.keys(derivedRules)].sort();
