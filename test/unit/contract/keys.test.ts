/** The names by which the agent's source reads and makes documents, against those of the contract: neither has one more. */
import { join } from "node:path";
import { expect, test } from "vitest";
import { packageRoot } from "../../../knowledge/base/package-root.ts";
import { agentContract, type JsonSchema } from "../../../knowledge/contract/json-schema.ts";
import { agentFolder, python } from "./python.ts";

type Keys = Readonly<Record<"read" | "made" | "listed", readonly string[]>>;

/** What is read of documents that are not of the contract, by module: the server's, the cluster's, the agent's own notes. */
const foreign: Readonly<Record<string, readonly string[]>> = {
    "activate.py": ["from", "older", "to"],
    "arguments.py": ["argument", "names", "options", "problems"],
    "claims.py": ["from"],
    "contract.py": [
        "additionalProperties",
        "anyOf",
        "const",
        "documents",
        "enum",
        "exclusiveMinimum",
        "expected",
        "items",
        "minItems",
        "minLength",
        "minimum",
        "oldestKept",
        "oneOf",
        "pattern",
        "properties",
        "propertyNames",
        "required",
        "type",
    ],
    "foreign.py": ["ActiveState", "MainPID"],
    "gate/checks.py": ["choices", "content", "function", "matched", "usage"],
    "gate/stream.py": ["choices", "content", "delta"],
    "hub_client.py": ["do", "folder", "workers"],
    "jobs.py": ["answer"],
    "manifest.py": ["modified"],
    "parser_harness.py": ["deprecated", "names"],
    "pod/stage.py": ["argument", "problems"],
    "pod/arrival.py": ["conditions", "deletionTimestamp", "metadata", "status", "type", "uid"],
    "pod/cluster.py": ["eventTime", "items", "lastTimestamp"],
    "pod/patience.py": ["claimName", "metadata", "persistentVolumeClaim", "spec", "volumes"],
    "pod/reasons.py": [
        "conditions",
        "containerStatuses",
        "exitCode",
        "initContainerStatuses",
        "lastState",
        "metadata",
        "phase",
        "restartCount",
        "state",
        "status",
        "terminated",
        "type",
        "uid",
        "waiting",
    ],
    "pod/verdict.py": ["metadata", "podIP", "status"],
    "pod/workload.py": [
        "annotations",
        "conditions",
        "deletionTimestamp",
        "items",
        "labels",
        "metadata",
        "observedGeneration",
        "ownerReferences",
        "replicas",
        "spec",
        "status",
        "type",
        "uid",
        "updateRevision",
    ],
    "tools.py": ["fatal", "rror"], // words of a log, looked for with `in`
};

/** Fields that nothing in the agent goes by, and why they are there. */
const notRead: Readonly<Record<string, string>> = {
    composed: "of host facts that a person wrote by hand",
};

const modules = python([join(packageRoot, "test/unit/contract/keys.py"), agentFolder]) as Record<string, Keys>;
const { documents, answers } = agentContract();
const fields = new Set([...Object.values(documents), ...Object.values(answers)].flatMap(fieldsOf));

/** The modules that use a document that is sent: a field that another document has too is looked for in the right place. */
const readers: Readonly<Record<string, RegExp>> = {
    activate: /^(contract|prepared)\.py$/,
    build: /^(build|contract|jobs|patches|receipts|sources|venvs)\.py$/,
    facts: /^contract\.py$/,
    fetch: /^(contract|fetch|hub|jobs|manifest|receipts|venvs)\.py$/,
    install: /^(contract|install|receipts)\.py$/,
    intend: /^(contract|intend|prepared|receipts)\.py$/,
    oracle: /^(contract|gate\/.*)\.py$/,
    pod: /^(contract|launcher|proved|server|gate\/.*|pod\/.*)\.py$/,
    prepare: /^(contract|prepare|prepared|receipts)\.py$/,
    remove: /^(contract|receipts|remove)\.py$/,
    service: /^(activate|arguments|contract|generation|jobs|launcher|proved|receipts|server|status|gate\/.*)\.py$/,
    stage: /^(contract|patches|pod\/stage)\.py$/,
    status: /^(contract|receipts|status)\.py$/,
};

/** Fields that are handed on unread: `activate` completes them to the document `service`; in a pod the digest is for people. */
const handedOn: Readonly<Record<string, readonly string[]>> = {
    activate: Object.keys(documents.service!.properties!),
    oracle: ["asked", "promptSet", "schema", "spread", ...fieldsOf(documents.oracle!.properties!.asked!)].concat(
        fieldsOf(documents.oracle!.properties!.spread!),
    ),
    pod: ["settingsDigest"],
    prepare: Object.keys(documents.service!.properties!).concat(
        ["gate", "model"].flatMap((name) => fieldsOf(documents.service!.properties![name]!)),
    ),
};

/** The modules that make the answer of a verb: a key that another answer has too is looked for in the right place. */
const makers: Readonly<Record<string, RegExp>> = {
    activate: /^activate\.py$/,
    board: /^(launcher|pod\/(board|run)|proved|gate\/.*)\.py$/, // a verdict with it
    build: /^build\.py$/,
    "check-arguments": /^arguments\.py$/,
    error: /^answer\.py$/,
    facts: /^(facts|gpus|toolkit)\.py$/,
    fetch: /^fetch\.py$/,
    install: /^install\.py$/,
    intend: /^intend\.py$/,
    prepare: /^prepare\.py$/,
    remove: /^remove\.py$/,
    "remove-secret": /^secret_files\.py$/,
    secret: /^secret_files\.py$/,
    status: /^(launcher|status|proved|gate\/.*|pod\/run)\.py$/, // a verdict with it, of which `back` is a pod's
};

/** Verbs that the agent alone calls: what a job answers, it leaves in a file. */
const unanswered = ["job"];

/** Documents that the agent makes itself. */
const own = ["build-receipt", "claim", "receipt", "verdict"];

/** Names of the fields of a schema and of everything in it. */
function fieldsOf(schema: JsonSchema): string[] {
    const { properties = {}, additionalProperties, items, anyOf = [], oneOf = [] } = schema;
    const inner = [...Object.values(properties), additionalProperties, items, ...anyOf, ...oneOf];
    return [...Object.keys(properties), ...inner.flatMap((one) => (one ? fieldsOf(one) : []))];
}

const used = (ways: readonly (keyof Keys)[], of = /./) =>
    new Set(
        Object.entries(modules)
            .filter(([module]) => of.test(module))
            .flatMap(([, keys]) => ways.flatMap((way) => keys[way])),
    );
const missing = (schemas: readonly JsonSchema[], known: ReadonlySet<string>) =>
    [...new Set(schemas.flatMap(fieldsOf))].filter((field) => !known.has(field) && !(field in notRead));

test("the agent reads no field that no document has", () => {
    const strange = Object.entries(modules).flatMap(([module, { read }]) =>
        read
            .filter((key) => /^[a-z][A-Za-z0-9]*$/.test(key) && !fields.has(key) && !foreign[module]?.includes(key))
            .map((key) => `${module}: ${key}`),
    );
    expect(strange).toEqual([]);
});

test.each(Object.entries(readers))("every field of the document `%s` is read where it is used", (kind, of) => {
    const known = new Set([...used(["read", "listed"], of), ...(handedOn[kind] ?? [])]);
    expect(missing([documents[kind]!], known)).toEqual([]);
});

test("every document is one that is sent, one that is kept of another, or one that the agent makes", () => {
    expect([...Object.keys(readers), ...own, "prepared"].toSorted()).toEqual(Object.keys(documents).toSorted());
});

test("every field of what the agent keeps is made by it", () => {
    const made = own.map((kind) => documents[kind]!);
    expect(missing(made, used(["read", "made", "listed"]))).toEqual([]);
});

test.each(Object.entries(makers))("every field that `%s` answers is made where it is done", (verb, of) => {
    expect(missing([answers[verb]!], used(["made", "listed"], of))).toEqual([]);
});

test("every verb that the agent knows is one that the program expects an answer of, and the other way round", () => {
    const verbs = python([
        "-c",
        "import json; from sglang_agent import cli; print(json.dumps(list(cli.VERBS)))",
    ]) as string[];
    // What a pod's board and a failure say is of no verb.
    const answered = Object.keys(answers).filter((verb) => !["board", "error"].includes(verb));
    expect(verbs.toSorted()).toEqual([...answered, ...unanswered].toSorted());
    expect(Object.keys(makers).toSorted()).toEqual(Object.keys(answers).toSorted());
});

test("what is listed here as not of the contract is still there", () => {
    const gone = Object.entries(foreign).flatMap(([module, keys]) =>
        keys.filter((key) => !modules[module]?.read.includes(key)).map((key) => `${module}: ${key}`),
    );
    expect([
        ...gone,
        ...Object.keys(notRead).filter((field) => !fields.has(field) || used(["read"]).has(field)),
    ]).toEqual([]);
});
