/**
 * The one contract between this program and its agent: a schema for every document that is sent, mounted or kept.
 *
 * `npm run generate` writes the agent's side of it: `agent/sglang_agent/contract.json`, against which the agent
 * checks what it reads, and `agent/sglang_agent/documents.py`, its types.
 */
import { z } from "zod";
import { ProblemsError, zodProblems } from "../base/problems.ts";
import { oracleSchema } from "../records/oracle.ts";
import { build, buildReceipt, stage } from "./build.ts";
import { fetch } from "./fetch.ts";
import { facts, install, remove, status } from "./host.ts";
import { pod } from "./pod.ts";
import { claim, receipt, verdict } from "./records.ts";
import { activate, intend, prepare, prepared, service } from "./service.ts";
import { contractVersion } from "./version.ts";

/** Every document by its kind. */
export const documents = {
    activate,
    build,
    "build-receipt": buildReceipt,
    claim,
    facts,
    fetch,
    install,
    intend,
    oracle: oracleSchema,
    pod,
    prepare,
    prepared,
    receipt,
    remove,
    service,
    stage,
    status,
    verdict,
} as const;

/** Kind of a document. */
export type Kind = keyof typeof documents;

type Frozen<T> = T extends object ? { readonly [K in keyof T]: Frozen<T[K]> } : T;

/** A document as its schema has it; a field that may be left out may be `undefined` too. */
export type Document<K extends Kind> = Frozen<z.output<(typeof documents)[K]>>;

type Without<T, K extends PropertyKey> = T extends unknown ? Omit<T, K> : never;

/** A document but for the version, which {@link document} adds. */
export type Unversioned<K extends Kind> = Without<Document<K>, "contract">;

/** A document before it is known which version, stack and host it is for: what a plan has of it. */
export type Planned<K extends Kind> = Without<Document<K>, "contract" | "owner" | "place" | "root">;

/** What a preview shows for what `pulumi-sglang pin` has still to find; an update refuses it before anything is sent. */
const notPinned = "not-pinned";

/** The document with its version, if it is of the contract. Throws a {@link ProblemsError} with every mistake in it. */
export function document<K extends Kind>(kind: K, value: Unversioned<K>): Document<K> {
    const whole = { contract: contractVersion, ...value };
    const found = documents[kind].safeParse(whole);
    const issues = found.error?.issues.filter(({ path }) => valueAt(whole, path) !== notPinned) ?? [];
    if (issues.length > 0) {
        const subject = `The document \`${kind}\` is not one that the agent takes:`;
        throw new ProblemsError(subject, zodProblems(new z.ZodError(issues), documents[kind]));
    }
    return whole as unknown as Document<K>;
}

/** A planned document for one host, checked as {@link document} does. */
export function addressed<K extends Kind>(
    kind: K,
    host: { readonly root: string; readonly owner: string; readonly place: string },
    planned: Planned<K>,
): Document<K> {
    return document(kind, { ...host, ...planned } as unknown as Unversioned<K>);
}

function valueAt(value: unknown, path: readonly PropertyKey[]): unknown {
    return path.reduce((inner, key) => (inner as Record<PropertyKey, unknown> | undefined)?.[key], value);
}
