import type { Plan, PlannedService } from "../../deployment/plan.ts";
import type { Finding, Problem, SettingValue } from "../../knowledge/base/settings.ts";

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
    readonly digests: { readonly build: string; readonly service: string; readonly restart?: string };
}

/** Turns a plan into its document. */
export function planDocument({ refused, problems, notReady, services }: Plan): PlanDocument {
    return { refused, problems, notReady, services: services.map(serviceDocument) };
}

function serviceDocument({ resolved, build, onHost, inPool }: PlannedService): PlanDocumentService {
    const { name, release, placement, settings, findings, memory, settingsDigest } = resolved;
    const placed = onHost ?? inPool;
    return {
        name,
        release,
        placement,
        argv: placed?.argv ?? [],
        env: placed?.environment ?? Object.fromEntries(resolved.environment.map(({ name, value }) => [name, value])),
        settings,
        findings,
        memory,
        digests: {
            build: inPool?.place.build.digest ?? build.digest,
            service: settingsDigest,
            restart: placed?.restartDigest,
        },
    };
}
