import type { TuningArea, TuningRow } from "../row.ts";
import { cache } from "./cache.ts";
import { communication } from "./communication.ts";
import { kernels } from "./kernels.ts";
import { scheduling } from "./scheduling.ts";
import { speculation } from "./speculation.ts";
import { start } from "./start.ts";

/** What makes a service faster, in the order in which it is tried: each row sees what those before it have set. */
export const tuningAreas: readonly TuningArea[] = [communication, kernels, cache, speculation, scheduling, start];

/** All rows, in that order. */
export const tuningRows: readonly TuningRow[] = tuningAreas.flatMap(({ rows }) => rows);
