import type { Settings } from "../base/settings.ts";
import type { ServiceFields } from "../fields/service.ts";

/** What every server's process has in common, wherever it runs. */

/** Where a server listens: what the settings say, or SGLang's own defaults. */
export function endpointOf(settings: Settings): { readonly host: string; readonly port: number } {
    return { host: String(settings.host?.value ?? "127.0.0.1"), port: Number(settings.port?.value ?? 30000) };
}

/** Seconds for requests in flight after a stop; SGLang itself drains without a limit (`tokenizer_manager.py`). */
export const stopGraceSeconds = 60;

/** Port on which the ranks of one service meet in a pool; on hosts, which several services may share, the last four digits are those of its API port. */
export const rendezvousPort = 20000;

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

/**
 * Minutes from start to ready when nothing is said. Loading, kernel compilation and graph capture of a 400 GB model from
 * a warm disk take 7 to 8 (local-inference-lab/rtx6kpro, GLM-5).
 */
const defaultMinutes = 30;

/** Seconds from start to ready that a service is given. */
export function startupBudgetSeconds({ startupBudgetMinutes = defaultMinutes }: ServiceFields): number {
    return 60 * startupBudgetMinutes;
}
