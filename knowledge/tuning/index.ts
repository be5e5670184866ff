/** What makes a service fast: rows of settings with what was measured, taken after the rules and never against them. */
export { type Objective, objectives } from "../fields/service/objective.ts";
export { type NearReference, nearReferences } from "./reference/match.ts";
export { changesOfRow, describeEffect } from "./render.ts";
export type { Effect, TuningArea, TuningRow } from "./row.ts";
export { tuningAreas, tuningRows } from "./table/index.ts";
export { type Outcome, type Tuned, type TuningNote, tune } from "./tune.ts";
