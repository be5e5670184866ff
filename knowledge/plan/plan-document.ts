import type { Finding, Problem, SettingValue } from "../settings.ts";
import type { Plan, PlannedService } from "./plan.ts";

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

function serviceDocument({ resolved, build, onHost }: PlannedService): PlanDocumentService {
    const { name, release, placement, settings, findings, memory, settingsDigest } = resolved;
    return {
        name,
        release,
        placement,
        argv: onHost?.argv ?? [],
        env: onHost?.environment ?? Object.fromEntries(resolved.environment.map(({ name, value }) => [name, value])),
        settings,
        findings,
        memory,
        digests: { build: build.digest, service: settingsDigest, restart: onHost?.restartDigest },
    };
}
