/** Pulumi components that put SGLang on NVIDIA RTX PRO 6000 Blackwell (SM120) machines, with settings that are known to be safe there. */

export * from "./components/backends.ts";
export { InferenceService, type InferenceServiceArgs, type ServiceMemory } from "./components/inference-service.ts";
export { CacheRetention, ModelCache, type ModelCacheArgs } from "./components/model-cache.ts";
export { BuildDependencies, type GitSource, PatchedBuild, type PatchedBuildArgs } from "./components/patched-build.ts";
export type * from "./components/service-settings.ts";
export type { PatchFile } from "./knowledge/artifacts/build-plan.ts";
export type {
    DiskFacts,
    GpuFacts,
    HostFacts,
    NicFacts,
    OsFacts,
    P2pFacts,
    ToolkitFacts,
} from "./knowledge/records/facts.ts";
export type { LockedBuild, LockedFile, LockedModel, LockedPackage } from "./knowledge/records/lock.ts";
export { Host, type HostArgs, type JumpHostArgs } from "./placements/hosts/host.ts";
export { Sudo } from "./placements/hosts/host-access.ts";
export type { HostsPlacement, OnHosts } from "./placements/hosts/resources.ts";
export {
    type BuildInPool,
    type GpuPool,
    type ModelInPool,
    MultiNode,
    type PoolPlacement,
    type PoolRequests,
    type PoolStorage,
    type PoolToleration,
} from "./placements/pool/gpu-pool.ts";
export type { BuildPlacement, ModelPlacement, ServicePlacement } from "./placements/registry.ts";
export type { SecretInCluster, SecretOnHost, SecretSource, SecretValue } from "./placements/secret-source.ts";
