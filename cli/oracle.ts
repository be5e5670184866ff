import type { Command } from "commander";
import { declareCompare } from "./oracle/compare.ts";
import { declareRecord } from "./oracle/record.ts";

/** Declares `oracle compare` and `oracle record`. */
export function declare(verb: Command): void {
    declareCompare(verb);
    declareRecord(verb);
}
