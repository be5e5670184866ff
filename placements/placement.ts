import type { BuildSpec } from "../knowledge/artifacts/build-plan.ts";
import type { ModelSpec } from "../knowledge/artifacts/model-plan.ts";
import type { Problem, SettingValue } from "../knowledge/base/settings.ts";
import type { ServiceFields } from "../knowledge/fields/service.ts";
import type { PackedOracle } from "../knowledge/oracle/packed.ts";
import type { ResolvedService, ServiceNode } from "../knowledge/service/spec.ts";

/** How a secret is given: its value, a file that is on the host, or a Secret of a cluster. */
export type SecretKind = "value" | "hostFile" | "kubernetesSecret";

/** A service as it is asked for: its references followed, nothing decided yet. */
export interface ServiceRequest<Target> {
    readonly name: string;
    readonly build: BuildSpec;
    readonly model: ModelSpec;
    /** Where it is to run. */
    readonly target: Target;
    /** How the API key is given, when there is one. */
    readonly apiKey?: SecretKind | undefined;
    /** What `gate.oracle` names. */
    readonly oracle?: PackedOracle | undefined;
    readonly fields: ServiceFields;
}

/** A name and a text. */
export type Row = readonly [string, string];

/** A service as it will be where it runs: what a plan shows, and the files that `plan --write` puts down. */
export interface PlannedPlacement {
    /** Everything that the server gets, in the release's spelling. */
    readonly arguments: Readonly<Record<string, SettingValue>>;
    readonly environment: Readonly<Record<string, string>>;
    /** The launch command, one argument an element, without the key. */
    readonly argv: readonly string[];
    /** Changes exactly when the server must restart. */
    readonly restartDigest: string;
    /** Names the build where it runs. */
    readonly buildDigest: string;
    /** What a plan shows of the build before its patches and after them: rows of a name and a text. */
    readonly buildRows: { readonly before: readonly Row[]; readonly after: readonly Row[] };
    /** What is put there, as a heading and a text. */
    readonly listing: { readonly title: string; readonly text: string };
    /** What is put there, by file name. */
    files(): Readonly<Record<string, string>>;
}

/**
 * A kind of place where services run, as far as it can be said without an engine. Each is a folder beside this file, listed in
 * `index.ts`; what makes its resources is in `resources.ts`.
 */
export interface Placement<Target> {
    /** What the rules call it. */
    readonly kind: "hosts" | "pool";
    /** The machines, rank by rank; `undefined` while the facts of one are not known. */
    nodes(target: Target): readonly ServiceNode[] | undefined;
    /** What it cannot do for a service, paths below the service. */
    problems(request: ServiceRequest<Target>): Problem[];
    /** Why a secret cannot be given so; `undefined` when it can. */
    secretProblem(kind: SecretKind): string | undefined;
    /** The service as it will be there; of several machines the first. */
    plan(service: ResolvedService, nodes: readonly ServiceNode[], request: ServiceRequest<Target>): PlannedPlacement;
}
