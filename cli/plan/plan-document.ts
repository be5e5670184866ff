import type { Plan, PlannedService } from "../../deployment/plan.ts";
import type { Finding, Problem, SettingValue } from "../../knowledge/base/settings.ts";
import type { PackedOracle } from "../../knowledge/oracle/packed.ts";
import type { Oracle } from "../../knowledge/records/oracle.ts";
import { type Expectation, expectation } from "../../knowledge/service/expect.ts";
import type { TuningNote } from "../../knowledge/tuning/index.ts";

/** The document of `plan --json`: stable, for programs. */
export interface PlanDocument {
    readonly refused: boolean;
    readonly problems: readonly Problem[];
    readonly notReady: readonly Problem[];
    readonly services: readonly PlanDocumentService[];
}

/** One service of a {@link PlanDocument}. */
export interface PlanDocumentService {
    readonly name: string;
    readonly release: string;
    readonly placement: string;
    readonly argv: readonly string[];
    readonly env: Readonly<Record<string, string>>;
    readonly settings: Readonly<Record<string, { value: SettingValue; origin: string; rule?: string }>>;
    readonly findings: readonly Finding[];
    readonly memory: unknown;
    /** What `gate.oracle` names. */
    readonly oracle?: Oracle["asked"] & {
        readonly sha256: string;
        readonly promptSet: string;
        readonly prompts: number;
    };
    readonly digests: { readonly build: string; readonly service: string; readonly restart?: string };
    /** What was considered to make it faster, and what became of it. */
    readonly tuning: readonly TuningNote[];
    /** The hardware's bound, public figures, and what other choices would hold; absent where the model is not known. */
    readonly expected?: Expectation;
}

/** Turns a plan into its document. */
export function planDocument({ refused, problems, notReady, services }: Plan): PlanDocument {
    return { refused, problems, notReady, services: services.map(serviceDocument) };
}

function serviceDocument({ request, resolved, spec, placed }: PlannedService): PlanDocumentService {
    const { name, release, placement, settings, findings, memory, tuning, settingsDigest } = resolved;
    const expected = expectation(spec, resolved);
    return {
        name,
        release,
        placement,
        argv: placed.argv,
        env: placed.environment,
        settings,
        findings,
        memory,
        ...(request.oracle ? { oracle: oracleDocument(request.oracle) } : {}),
        digests: {
            build: placed.buildDigest,
            service: settingsDigest,
            restart: placed.restartDigest,
        },
        tuning,
        ...(expected && { expected }),
    };
}

function oracleDocument({
    sha256,
    oracle: { asked, promptSet, entries },
}: PackedOracle): PlanDocumentService["oracle"] {
    return { ...asked, sha256, promptSet, prompts: entries.length };
}
