import { shortDigestOf } from "../../knowledge/base/digest.ts";
import type { SettingValue } from "../../knowledge/base/settings.ts";
import type { Planned } from "../../knowledge/contract/index.ts";
import type { HostFacts } from "../../knowledge/records/facts.ts";
import { offlineEnvironment, rendezvousPort, stopGraceSeconds } from "../../knowledge/service/process.ts";
import type { ResolvedService } from "../../knowledge/service/spec.ts";
import { argvOf } from "../../knowledge/sglang/index.ts";
import { buildFolder, kernelCacheFolder, serviceFolder, unitName } from "./paths.ts";
import { socketAddress } from "./socket-address.ts";
import { systemdUnit } from "./systemd-unit.ts";

/** Where a service runs: what a host adds to the settings. */
export interface ServicePlace {
    /** `<root>` of the host. */
    readonly root: string;
    /** `<project>/<stack>`. */
    readonly owner: string;
    readonly facts: HostFacts;
    /** Indices of the GPUs. */
    readonly gpus: readonly number[];
    readonly build: { readonly digest: string };
    readonly model: { readonly path: string; readonly manifestDigest: string };
    /** Fingerprint and file of the API key, when there is one. */
    readonly apiKey?: { readonly fingerprint: string; readonly path: string };
    /** Set when the service spans several hosts. */
    readonly cluster?: { readonly nodes: number; readonly rank: number; readonly leaderAddress: string };
    /** Seconds from start to ready. */
    readonly startupBudgetSeconds: number;
    /** Take over a unit of the service's name that somebody else made. */
    readonly adopt?: true;
}

/** A service as it will be on one host. */
export interface ServicePlan {
    /** Changes exactly when the server must restart. */
    readonly restartDigest: string;
    /** Everything that the server gets, in the release's spelling. */
    readonly arguments: Readonly<Record<string, SettingValue>>;
    readonly environment: Readonly<Record<string, string>>;
    /** The launch command, one argument an element, without the key. */
    readonly argv: readonly string[];
    readonly unitName: string;
    /** Text of the systemd unit. */
    readonly unit: string;
    /** Desired state for the agent's `prepare`: what the host must have, and the parts of the service that no review needs. */
    readonly prepare: Planned<"prepare">;
    /** Desired state for the agent's `intend`: what is to serve, before anything is done for it. */
    readonly intend: Planned<"intend">;
    /** Desired state for the agent's `activate`: what a diff shows. */
    readonly activate: Planned<"activate">;
}

/** User that the server runs as. */
const serviceUser = "sglang";

/** Places a resolved service on a host; pure. */
export function servicePlan(service: ResolvedService, place: ServicePlace): ServicePlan {
    const { root, facts, gpus, build, model, apiKey, cluster, startupBudgetSeconds } = place;
    const host = String(service.settings.host?.value ?? "127.0.0.1");
    const port = Number(service.settings.port?.value ?? 30000);
    const placed: Record<string, SettingValue> = { ...service.arguments, "model-path": model.path, host, port };
    if (cluster) {
        placed.nnodes = cluster.nodes;
        placed["node-rank"] = cluster.rank;
        placed["dist-init-addr"] = socketAddress(cluster.leaderAddress, rendezvousPort + (port % 10000));
    }
    const environment = hostEnvironment(service, place);
    const restartDigest = shortDigestOf({
        settings: service.settingsDigest,
        arguments: placed,
        environment,
        build: build.digest,
        model: model.manifestDigest,
        apiKey: apiKey?.fingerprint,
        startupBudgetSeconds,
    });
    const { name, release, gate, settingsDigest } = service;
    const unit = systemdUnit({
        service: name,
        release,
        owner: place.owner,
        user: serviceUser,
        generationFolder: `${serviceFolder(root, name)}/current`,
        cacheFolder: kernelCacheFolder(root, build.digest),
        apiKeyFile: apiKey?.path,
        startupBudgetSeconds,
        gateSeconds: gate.timeoutSeconds,
        stopGraceSeconds,
    });
    const preparation = {
        name,
        build: { digest: build.digest, cuda: facts.toolkit?.version },
        needs: {
            gpus,
            host,
            port,
            tools: ["nvcc", "ninja", "cc"],
            driverAtLeast: driverFloor(facts),
            memoryBytes: pinnedBytes(service),
        },
        user: serviceUser,
        service: {
            ...(place.adopt ? { adopt: place.adopt } : {}),
            environment,
            apiKeyFile: apiKey?.path,
            model,
            release,
            user: serviceUser,
            startupBudgetSeconds,
            stopGraceSeconds,
            endpoint: { host, port },
            gate,
            unit,
        },
    };
    const prepared = shortDigestOf(preparation);
    return {
        restartDigest,
        arguments: placed,
        environment,
        argv: [`${buildFolder(root, build.digest)}/venv/bin/python`, "-m", "sglang.launch_server", ...argvOf(placed)],
        unitName: unitName(name),
        unit,
        prepare: { ...preparation, generation: prepared },
        intend: { name, generation: restartDigest, prepared },
        activate: {
            name,
            generation: restartDigest,
            prepared,
            settingsDigest,
            arguments: placed,
            build: build.digest,
        },
    };
}

/** Folders of programs on any host; systemd itself gives a service these. */
const systemPath = "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin";

/**
 * NCCL and other settings, and what only the host knows: toolkit, GPU choice, kernel caches, offline hub.
 *
 * PATH begins with the build's programs and the toolkit's: FlashInfer (0.6.14 to 0.7.2, `jit/cpp_ext.py`) and tvm-ffi run plain `ninja`,
 * which the build's environment has and many hosts have not (flashinfer-ai/flashinfer#3386).
 */
function hostEnvironment(service: ResolvedService, { root, facts, gpus, build }: ServicePlace): Record<string, string> {
    const environment: Record<string, string> = {
        CUDA_DEVICE_ORDER: "PCI_BUS_ID",
        ...offlineEnvironment(kernelCacheFolder(root, build.digest)),
    };
    if (facts.toolkit) {
        environment.CUDA_HOME = facts.toolkit.path;
    }
    if (gpus.length < facts.gpus.length) {
        environment.CUDA_VISIBLE_DEVICES = gpus.join(",");
    }
    for (const { name, value } of service.environment) {
        environment[name] = value;
    }
    const own = [
        `${buildFolder(root, build.digest)}/venv/bin`,
        ...(facts.toolkit ? [`${facts.toolkit.path}/bin`] : []),
    ];
    environment.PATH = [...own, environment.PATH ?? systemPath].join(":");
    return environment;
}

/** Host memory that a hierarchical cache pins, bytes. */
function pinnedBytes({ memory }: ResolvedService): number | undefined {
    const pinned = memory?.hostPinnedGiB;
    return pinned === undefined ? undefined : Math.ceil(pinned * 2 ** 30);
}

/** CUDA 13 needs a driver of branch 580 or later (NVIDIA's CUDA 13.0 release notes). */
function driverFloor(facts: HostFacts): string | undefined {
    return facts.toolkit && Number.parseInt(facts.toolkit.version, 10) >= 13 ? "580" : undefined;
}
