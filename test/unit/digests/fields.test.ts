/** What each field of the stack file builds, fetches and restarts: nobody reads that from a preview, so it stands here. */
import { expect, test } from "vitest";
import { stackFields, valueFields, written } from "../fields/stack-fields.ts";
import { changedBy } from "./fields.ts";

/** By path; a path stands for all below it that has no longer one of its own, fields of the future included. */
const table: Readonly<Record<string, string>> = {
    "hosts.*": "none",
    "hosts.*.root": "restart",
    "pools.*": "none",
    "pools.*.multiNode": "restart",
    "builds.*": "build restart",
    "builds.*.release": "build settings restart",
    "builds.*.patches": "build settings restart",
    "builds.*.stock": "none",
    "builds.*.indexUrl": "none",
    "models.*": "none",
    "models.*.repository": "model settings restart",
    "models.*.revision": "model settings restart",
    "models.*.profile": "settings restart",
    "models.*.config": "settings restart",
    "models.*.directory": "model restart",
    "services.*": "settings restart",
    "services.*.api.listen": "restart",
    "services.*.api.port": "restart",
    "services.*.adopt": "none",
    "services.*.accept": "none", // by itself: what is accepted then takes effect by its own field
    "services.*.startupBudgetMinutes": "restart",
    "services.*.build": "build settings restart",
    "services.*.model": "model settings restart",
    "services.*.placement.hosts": "none",
    "services.*.placement.pool": "none",
    "services.*.apiKey": "none", // where it is; a value's fingerprint restarts, which only the engine knows
    "services.*.apiKey.kubernetesSecret": "restart",
    "services.*.apiKey.key": "restart",
};

function rowOf(path: readonly string[]): string {
    const prefixes = path.map((_, index) => path.slice(0, path.length - index).join("."));
    return prefixes.find((prefix) => prefix in table) ?? "no row";
}

test.each(valueFields.map((one) => [written(one), rowOf(one.path), one] as const))("%s: %s", (_, row, one) => {
    expect(changedBy(one)).toBe(table[row]);
});

test("no row is of a field that is gone", () => {
    const rows = new Set(stackFields.flatMap(({ path }) => path.map((_, index) => path.slice(0, index + 1).join("."))));
    expect(Object.keys(table).filter((row) => !rows.has(row))).toEqual([]);
});
