import type { EnvironmentVariable, Settings } from "../base/settings.ts";
import { compareVersions, isVersion } from "../base/version.ts";
import type { Fabric, RuleContext } from "../rules/context.ts";
import type { ServedModel } from "../rules/model-traits.ts";
import type { Release } from "../sglang/index.ts";
import type { ServiceSpec } from "./spec.ts";

/** Packages under their normalized names: the release's pins, with what the build changes. */
export interface Packages {
    readonly versions: Readonly<Record<string, string>>;
    /** Those that the build changes. */
    readonly pinned: ReadonlySet<string>;
}

/** Short names that people write. */
const aliases: Readonly<Record<string, string>> = { flashinfer: "flashinfer-python", pytorch: "torch" };

/** The packages of a build. */
export function packagesOf(release: Release | undefined, changed: Readonly<Record<string, string>> = {}): Packages {
    const exact = Object.entries(release?.pins.requirements ?? {}).flatMap(([name, requirement]) => {
        const version = /^==([^,;\s]+)$/.exec(requirement)?.[1];
        return version === undefined ? [] : [[name, version] as const];
    });
    const own = Object.entries(changed).map(([name, version]) => [normalized(name), version] as const);
    return { versions: Object.fromEntries([...exact, ...own]), pinned: new Set(own.map(([name]) => name)) };
}

function normalized(name: string): string {
    const own = name.toLowerCase().replaceAll(/[-_.]+/g, "-");
    return aliases[own] ?? own;
}

/** Everything that the rules may look at. */
export function ruleContext(
    spec: ServiceSpec,
    packages: Packages,
    model: ServedModel | undefined,
    fabric: Fabric,
    settings: Settings,
    environment: Readonly<Record<string, EnvironmentVariable>>,
): RuleContext {
    const { nodes } = spec;
    const flashinfer = packages.versions["flashinfer-python"];
    const nccl = packages.versions["nvidia-nccl-cu13"] ?? packages.versions["nvidia-nccl-cu12"];
    const driver = oldest(nodes.map(({ facts }) => facts.driver));
    const cuda = oldest(nodes.flatMap(({ facts }) => facts.toolkit?.version ?? []));
    return {
        versions: {
            sglang: spec.build.release,
            ...(flashinfer && { flashinfer }),
            ...(nccl && { nccl }),
            ...(driver && { driver }),
            ...(cuda && { cuda }),
        },
        packages: packages.versions,
        pinned: packages.pinned,
        stock: spec.build.stock ?? true,
        patches: spec.build.patches,
        hasApiKey: spec.hasApiKey,
        ...(model && { model }),
        placement: spec.placement,
        nodes: nodes.map(({ name, facts }) => ({ name, facts })),
        gpus: nodes.flatMap(({ name, facts, gpus }) =>
            facts.gpus.filter(({ index }) => gpus.includes(index)).map((gpu) => ({ node: name, gpu })),
        ),
        fabric,
        settings,
        environment,
    };
}

function oldest(versions: readonly string[]): string | undefined {
    return versions.filter(isVersion).toSorted(compareVersions)[0];
}
