/** Where things are on a host: pure functions of the inputs, so that a preview knows every path. */

/** Folder of one agent, by digest. */
export function agentFolder(root: string, digest: string): string {
    return `${root}/agent/${digest}`;
}

/** Folder of one build, by digest. */
export function buildFolder(root: string, digest: string): string {
    return `${root}/builds/${digest}`;
}

/** Just-in-time compiled kernels of one build: a kernel cache never outlives the build that made it. */
export function kernelCacheFolder(root: string, buildDigest: string): string {
    return `${root}/cache/${buildDigest}`;
}

/** Folder of one service; its generations are below. */
export function serviceFolder(root: string, service: string): string {
    return `${root}/services/${service}`;
}

/** Name of the systemd unit of a service. */
export function unitName(service: string): string {
    return `sglang-${service}.service`;
}

/** File of one secret; the fingerprint tells two values apart without telling them. */
export function secretFile(root: string, slot: string, fingerprint: string): string {
    return `${root}/secrets/${slot}-${fingerprint}`;
}
