import { z } from "zod";
import { answers } from "./answers.ts";
import { documents } from "./index.ts";
import { contractVersion, oldestKept } from "./version.ts";

/** One schema, as far as the agent's own validator knows JSON Schema: `keywords` has every keyword of it. */
export interface JsonSchema {
    readonly type?: string | readonly string[];
    readonly properties?: Readonly<Record<string, JsonSchema>>;
    readonly required?: readonly string[];
    readonly additionalProperties?: false | JsonSchema;
    readonly propertyNames?: JsonSchema;
    readonly items?: JsonSchema;
    readonly minItems?: number;
    readonly minimum?: number;
    readonly exclusiveMinimum?: number;
    readonly minLength?: number;
    readonly pattern?: string;
    readonly enum?: readonly string[];
    readonly const?: string | number;
    readonly anyOf?: readonly JsonSchema[];
    readonly oneOf?: readonly JsonSchema[];
    /** What a message says after "expected"; a keyword of our own. */
    readonly expected?: string;
    /** Name of its Python type. */
    readonly title?: string;
}

/** Everything that the agent knows of the contract. */
export interface AgentContract {
    readonly version: number;
    readonly oldestKept: number;
    readonly documents: Readonly<Record<string, JsonSchema>>;
    readonly answers: Readonly<Record<string, JsonSchema>>;
}

/** The agent's side of the contract, made from the schemas. */
export function agentContract(): AgentContract {
    return {
        version: contractVersion,
        oldestKept,
        documents: mapValues(documents, jsonSchema),
        answers: mapValues(answers, jsonSchema),
    };
}

/** JSON Schema of a schema, without what says nothing to the agent. */
function jsonSchema(schema: z.ZodType): JsonSchema {
    const { $schema: _, ...made } = z.toJSONSchema(schema, {
        override: ({ jsonSchema }) => {
            // zod bounds whole numbers by what a double holds exactly.
            if (Math.abs(jsonSchema.maximum ?? 0) === Number.MAX_SAFE_INTEGER) {
                delete jsonSchema.maximum;
            }
            if (jsonSchema.minimum === Number.MIN_SAFE_INTEGER) {
                delete jsonSchema.minimum;
            }
        },
    });
    return made as JsonSchema;
}

function mapValues<T, U>(record: Readonly<Record<string, T>>, map: (value: T) => U): Record<string, U> {
    return Object.fromEntries(Object.entries(record).map(([key, value]) => [key, map(value)]));
}
