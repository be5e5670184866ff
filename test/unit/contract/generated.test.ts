/** The agent's side of the contract, as it is generated. */
import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { agentContract, type JsonSchema } from "../../../knowledge/contract/json-schema.ts";
import { contractFiles } from "../../../scripts/contract-files.ts";

test("the agent's files are those of the schemas; `npm run generate` writes them", () => {
    for (const { path, text } of contractFiles()) {
        expect(readFileSync(path, "utf8"), path).toBe(text);
    }
});

/** Keywords that agent/sglang_agent/contract.py goes by, and two that say something to people. */
const known = new Set([
    "additionalProperties",
    "anyOf",
    "const",
    "enum",
    "exclusiveMinimum",
    "expected",
    "items",
    "minItems",
    "minLength",
    "minimum",
    "oneOf",
    "pattern",
    "properties",
    "propertyNames",
    "required",
    "title",
    "type",
]);

const schemas = [...Object.values(agentContract().documents), ...Object.values(agentContract().answers)].flatMap(parts);

/** A schema and every schema in it. */
function parts(schema: JsonSchema): JsonSchema[] {
    const { properties = {}, additionalProperties, propertyNames, items, anyOf = [], oneOf = [] } = schema;
    const inner = [...Object.values(properties), additionalProperties, propertyNames, items, ...anyOf, ...oneOf];
    return [schema, ...inner.flatMap((one) => (one ? parts(one) : []))];
}

test("the schemas use no keyword that the agent's validator does not know", () => {
    expect([...new Set(schemas.flatMap(Object.keys))].filter((keyword) => !known.has(keyword))).toEqual([]);
});

test("every pattern is one that both sides match from the first to the last character", () => {
    for (const { pattern } of schemas) {
        expect(pattern ?? "^$").toMatch(/^\^[\s\S]*\$$/);
        expect(pattern ?? "").not.toMatch(/^\^[^(]*\|/);
    }
});

test("every text with a pattern says in plain words what is expected", () => {
    const names = new Set(schemas.flatMap(({ propertyNames }) => propertyNames ?? []));
    expect(schemas.filter((one) => one.pattern && !one.expected && !names.has(one))).toEqual(
        // a field of facts, which the agent makes itself
        [expect.objectContaining({ pattern: "^\\d+\\.\\d+$" })],
    );
});

test("a choice between maps has a field that says which it is", () => {
    for (const { oneOf } of schemas) {
        expect((oneOf ?? []).filter(({ properties }) => properties?.kind?.const === undefined)).toEqual([]);
    }
});
