import type { AgentContract, JsonSchema } from "../knowledge/contract/json-schema.ts";

/** The Python module of typed dictionaries for every document and answer; one of the same title is made once. */
export function pythonTypes(contract: AgentContract): string {
    const classes = new Map<string, string>();
    for (const [kind, schema] of Object.entries(contract.documents)) {
        typeOf(schema, className(kind), classes);
    }
    for (const [verb, schema] of Object.entries(contract.answers)) {
        typeOf(schema, `${className(verb)}Answer`, classes);
    }
    return [head, ...classes.values()].join("\n\n");
}

const head = `"""The documents of the contract as types. Made by \`npm run generate\`; change knowledge/contract instead."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Literal, TypedDict

if TYPE_CHECKING:
    from typing_extensions import NotRequired
`;

/** \`build-receipt\` as \`BuildReceipt\`. */
function className(words: string): string {
    return words.replace(/(^|-)(\w)/g, (_, _dash, letter: string) => letter.toUpperCase());
}

/** A type expression; a map with fields becomes a class, which is written down first. */
function typeOf(schema: JsonSchema, name: string, classes: Map<string, string>): string {
    const { type, properties, additionalProperties, items } = schema;
    const choices = schema.oneOf ?? schema.anyOf;
    if (choices) {
        return union(choices.map((choice) => typeOf(choice, name, classes)));
    }
    if (schema.enum) {
        return `Literal[${schema.enum.map((one) => JSON.stringify(one)).join(", ")}]`;
    }
    if (typeof schema.const === "string") {
        return `Literal[${JSON.stringify(schema.const)}]`;
    }
    if (Array.isArray(type)) {
        return union(type.map((one) => typeOf({ ...schema, type: one }, name, classes)));
    }
    switch (type) {
        case "object":
            return properties
                ? typedDict(schema, schema.title ?? name, classes)
                : `dict[str, ${typeOf(additionalProperties || {}, name, classes)}]`;
        case "array":
            return `list[${typeOf(items ?? {}, name, classes)}]`;
        case "string":
            return "str";
        case "integer":
            return "int";
        case "number":
            return schema.const === undefined ? "float" : "int";
        case "boolean":
            return "bool";
        case "null":
            return "None";
        default:
            return "Any";
    }
}

function union(types: readonly string[]): string {
    return [...new Set(types)].join(" | ");
}

function typedDict({ properties, required }: JsonSchema, name: string, classes: Map<string, string>): string {
    const fields = Object.entries(properties!).map(([field, schema]) => {
        const type = typeOf(schema, name + className(field), classes);
        return `    ${field}: ${required?.includes(field) ? type : `NotRequired[${type}]`}\n`;
    });
    const text = `class ${name}(TypedDict):\n${fields.join("")}`;
    const before = classes.get(name);
    if (before !== undefined && before !== text) {
        throw new Error(`two maps of the contract have the title ${name} and not the same fields`);
    }
    classes.set(name, text);
    return name;
}
