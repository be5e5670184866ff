/** Where things are in a pod. */

/** The agent's archive. */
export const agentFolder = "/opt/sglang/agent";
/** The patched copy of the image's SGLang. */
export const buildFolder = "/opt/sglang/build";
/** Desired state of the service, and what the init container is to do. */
export const settingsFolder = "/etc/sglang/settings";
/** See {@link settingsFolder}. */
export const stageFolder = "/etc/sglang/stage";
/** The API key. */
export const keyFolder = "/etc/sglang/key";
/** The hub token, in the weights' job alone. */
export const tokenFolder = "/etc/sglang/token";
/** What one pod remembers over restarts of its containers. */
export const runFolder = "/run/sglang";
/** What outlives pods: compiled kernels, and the last revision that passed its gate. A folder of the weights' volume. */
export const stateFolder = "/var/lib/sglang";
/** Name of {@link stateFolder} on the volume. */
export const stateOnVolume = ".services";

/** Port of the agent's board: readiness, verdict, what serves. */
export const boardPort = 30080;

/** Command words of the agent in a container. The image's own `python3` runs it, and its SGLang. */
export function agentCommand(...words: string[]): string[] {
    return ["python3", "-I", `${agentFolder}/agent.pyz`, "serve", ...words];
}
