import { digestOf } from "../base/digest.ts";
import type { EnvironmentVariable, Finding, Problem, Setting, Settings, SettingValue } from "../base/settings.ts";
import type { ServiceFields } from "../fields/service.ts";
import { acceptFindings } from "../rules/accept.ts";
import { evaluate, unknownAccepted } from "../rules/evaluate.ts";
import { ruleIds, rules } from "../rules/index.ts";
import { type Release, release as releaseOf } from "../sglang/index.ts";
import { type Objective, tune, tuningRows } from "../tuning/index.ts";
import { serviceArguments } from "./arguments.ts";
import { type Packages, packagesOf, ruleContext } from "./context.ts";
import { type FabricPlan, fabricPlan } from "./fabric.ts";
import { decisive, gatePlan, oracleProblems } from "./gate.ts";
import { type ExpandedLaunch, expandLaunch } from "./launch.ts";
import { serviceMemory } from "./memory.ts";
import { loadedModel, servedModel } from "./model.ts";
import { filledSettings, type UserSettings, userSettings } from "./settings.ts";
import type { ResolvedService, ServiceSpec } from "./spec.ts";

export { type ExpandedLaunch, expandLaunch } from "./launch.ts";

/**
 * Decides every setting of a service: what the user asked for, filled from the profile, corrected by the rules, with the NCCL
 * environment of the topology and the fraction of the memory plan. Pure, and the same for hosts and pools.
 *
 * Never throws for a mistake of the user's: each is one of `problems`, at its path below the service.
 */
export function resolve(spec: ServiceSpec): ResolvedService {
    const { name, fields } = spec;
    const problems: Problem[] = [];
    const accept = fields.accept ?? [];
    problems.push(...unknownAccepted([...ruleIds, ...tuningRows.map(({ id }) => id)], accept));
    const release = knownRelease(spec.build.release, problems);
    const stored = servedModel(spec, release, problems);
    const packages = packagesOf(release, spec.build.versions);
    const launch =
        release && fields.launch !== undefined
            ? expandLaunch(fields.launch, release.version, spec.build.stock ?? true)
            : undefined;
    const user = userSettings(spec, release !== undefined, launch, problems);
    const model = stored && loadedModel(stored, user.settings);
    const fabric = fabricPlan(spec, user.environment, ncclVersion(packages), problems);
    const filled = filledSettings(spec, user.settings, model);
    const found = acceptFindings(fabric.findings, accept);
    const variables = environmentOf(user.environment, fabric, found.kept);
    const start = ruleContext(spec, packages, model, fabric.fabric, filled, variables);
    const judged = release ? evaluate(rules, start, accept) : { context: start, findings: [] };
    const memoryOf = (settings: Settings) => (release && model ? serviceMemory(spec, model, settings) : undefined);
    const tuned = tune(tuningRows, judged, {
        objective: release ? objectiveOf(fields) : "none",
        rules,
        accept,
        memory: (context) => memoryOf(context.settings)?.plan.findings ?? [],
    });
    const memory = memoryOf(tuned.context.settings);
    const settings = sortedByName({
        ...tuned.context.settings,
        ...(memory?.fraction && { "mem-fraction-static": memory.fraction }),
    });
    const launched = release ? serviceArguments(spec, settings, user, problems) : { arguments: {}, findings: [] };
    const environment = Object.values(sortedByName(tuned.context.environment));
    const findings = worstFirst([
        ...(launch ? [...launch.findings, ...otherModel(launch, spec), ...unsaidSize(user.settings, settings)] : []),
        ...withoutTyped(tuned.findings, user, problems),
        ...found.findings,
        ...acceptFindings(memory?.plan.findings ?? [], accept).findings,
        ...launched.findings,
    ]);
    const servedModelName = String(settings["served-model-name"]?.value ?? spec.model.repository);
    const context = Number(settings["context-length"]?.value ?? model?.profile.structure.context) || undefined;
    const precision = {
        quantization: String(settings.quantization?.value ?? model?.checkpoint.method ?? "bf16"),
        kvCache: String(settings["kv-cache-dtype"]?.value ?? "auto"),
    };
    const { oracle } = spec;
    problems.push(...(oracle ? oracleProblems(oracle, context) : []));
    const gate = gatePlan(fields, settings, { servedModelName, oracle, precision, context });
    return {
        name,
        release: spec.build.release,
        placement: spec.placement,
        refused: problems.length > 0 || findings.some(({ verdict }) => verdict === "refuse"),
        problems,
        findings,
        settings,
        environment,
        arguments: launched.arguments,
        memory: memory?.plan,
        tuning: tuned.notes,
        gate,
        settingsDigest: digestOf({
            release: spec.build.release,
            patches: spec.build.patches,
            revision: spec.model.revision,
            arguments: computing(launched.arguments),
            environment: Object.fromEntries(environment.map((variable) => [variable.name, variable.value])),
            gate: decisive(gate),
        }),
    };
}

/** Arguments that decide what the server computes: not where its ranks run, which a pod leaves to its node. */
function computing({ "numa-node": _, ...decisive }: Readonly<Record<string, SettingValue>>): typeof decisive {
    return decisive;
}

/** A launch that is taken over stays as it was launched, unless its objective says otherwise. */
function objectiveOf({ objective, launch }: ServiceFields): Objective {
    return objective ?? (launch === undefined ? "balanced" : "none");
}

function knownRelease(version: string, problems: Problem[]): Release | undefined {
    try {
        return releaseOf(version);
    } catch (error) {
        if (!(error instanceof RangeError)) {
            throw error;
        }
        problems.push({ path: "build", message: error.message });
        return undefined;
    }
}

/** A fix that is a refusal to whoever typed the setting becomes a problem at their field; from a pasted launch it is corrected. */
function withoutTyped(findings: readonly Finding[], { paths }: UserSettings, problems: Problem[]): Finding[] {
    const refusing = new Set(rules.filter(({ refusesTyped }) => refusesTyped).map(({ id }) => id));
    return findings.filter(({ rule, verdict, setting, from, message }) => {
        const path = setting === undefined ? undefined : paths[setting];
        if (verdict !== "fix" || !refusing.has(rule) || path === undefined || path === "launch") {
            return true;
        }
        problems.push({ path, message: `${from}: ${message}` });
        return false;
    });
}

/** A launch that names another model by its repository. */
function otherModel({ model }: ExpandedLaunch, spec: ServiceSpec): Finding[] {
    const { repository } = spec.model;
    if (model === undefined || !/^[\w.-]+\/[\w.-]+$/.test(model) || model.toLowerCase() === repository.toLowerCase()) {
        return [];
    }
    const message = `The launch names the model ${model}; the service serves ${repository}.`;
    return [{ rule: "launch-model", verdict: "warn", message, sources: ["the stack file"] }];
}

/** A launch without a tensor parallel size, which SGLang takes as 1 and the placement as all of its cards. */
function unsaidSize(user: Settings, settings: Settings): Finding[] {
    const size = settings["tp-size"];
    if (user["tp-size"] !== undefined || size?.origin !== "placement" || size.value === 1) {
        return [];
    }
    const message = `The launch names no tensor parallel size, which is 1 to SGLang; it is ${size.value} here, over all cards of the placement. \`parallelism.tensor\` or the placement's \`gpus\` say otherwise.`;
    return [{ rule: "launch-parallel", verdict: "warn", setting: "tp-size", message, sources: ["the launch"] }];
}

function ncclVersion({ versions }: Packages): string | undefined {
    return versions["nvidia-nccl-cu13"] ?? versions["nvidia-nccl-cu12"];
}

/** The user's variables and the topology's, by name; the user's `kept` ones stay as they are. */
function environmentOf(
    user: Readonly<Record<string, string>>,
    fabric: FabricPlan,
    kept: readonly string[],
): Record<string, EnvironmentVariable> {
    const environment: Record<string, EnvironmentVariable> = {};
    for (const [name, value] of Object.entries(user)) {
        if (!fabric.removed.includes(name) || kept.includes(name)) {
            environment[name] = { name, value, origin: "user", reason: "Set in the stack." };
        }
    }
    for (const variable of fabric.variables.filter(({ name }) => !kept.includes(name))) {
        environment[variable.name] = variable;
    }
    return environment;
}

function sortedByName<T extends Setting | EnvironmentVariable>(record: Readonly<Record<string, T>>): Record<string, T> {
    return Object.fromEntries(Object.entries(record).toSorted(([a], [b]) => (a < b ? -1 : 1)));
}

const order = ["refuse", "fix", "warn"];

function worstFirst(findings: readonly Finding[]): Finding[] {
    return findings.toSorted((a, b) => order.indexOf(a.verdict) - order.indexOf(b.verdict));
}
