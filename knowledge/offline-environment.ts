/** Environment of any server: everything that is compiled or cached goes into one folder, and the hub is never asked. */
export function offlineEnvironment(cache: string): Record<string, string> {
    return {
        DG_JIT_CACHE_DIR: `${cache}/deep_gemm`,
        FLASHINFER_WORKSPACE_BASE: `${cache}/flashinfer`,
        HF_HUB_OFFLINE: "1",
        HOME: `${cache}/home`,
        SGLANG_CACHE_DIR: `${cache}/sglang`,
        TORCHINDUCTOR_CACHE_DIR: `${cache}/inductor`,
        TRITON_CACHE_DIR: `${cache}/triton`,
        XDG_CACHE_HOME: `${cache}/xdg`,
    };
}
