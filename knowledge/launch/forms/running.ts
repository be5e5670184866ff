import { gpusOf } from "../container.ts";
import type { Companion, Found, Started } from "../found.ts";
import { imageServer } from "../program.ts";
import { foundIn, together } from "./argv.ts";
import { at, isTree, list } from "./compose.ts";

/** A server that runs: `docker inspect`, or a process as `/proc` shows it. */

/** What of a running process's environment was set for the server; the rest is of the machine, the shell or the image. */
const ofServer =
    /^(NCCL|SGLANG|SGL|CUDA_(VISIBLE_DEVICES|DEVICE|MODULE|LAUNCH)|FLASHINFER|PYTORCH|TORCH|TORCHINDUCTOR|TRITON|OMP|GLOO|UCX|NVSHMEM|SAFETENSORS|HF|HUGGING|DG|MC|MOONCAKE|TOKENIZERS|VLLM|CUBLAS|CUDNN|OPENAI|DEEP_?GEMM)(_|$)/;

/** Whether a document is what `docker inspect` or `podman inspect` prints. */
export function isInspected(document: unknown): boolean {
    return list(document).some(
        (one) =>
            isTree(at(one, "Config")) &&
            (at(one, "Path") !== undefined || at(one, "Args") !== undefined || at(one, "HostConfig") !== undefined),
    );
}

/** The servers of inspected containers. */
export function readInspected(document: unknown, read: Companion): Found {
    return together(
        list(document).map((container) => {
            const path = at(container, "Path");
            const words =
                typeof path === "string"
                    ? [path, ...list(at(container, "Args"))]
                    : [...list(at(container, "Config", "Entrypoint")), ...list(at(container, "Config", "Cmd"))];
            const request = list(at(container, "HostConfig", "DeviceRequests")).find(isTree);
            const ids = list(request?.DeviceIDs).map(String);
            const count = Number(request?.Count);
            const image = at(container, "Config", "Image");
            const start: Started = {
                words: withoutWrapper(words.map(String)),
                ...environmentIn(list(at(container, "Config", "Env")).map(String)),
                image: typeof image === "string" ? image : undefined,
                gpus: ids.length > 0 ? gpusOf(`device=${ids.join(",")}`) : count > 0 ? { count } : undefined,
            };
            const place = `container ${String(at(container, "Name") ?? "").replace(/^\//, "")}`.trim();
            const server = imageServer(start)?.launch;
            return server
                ? { launches: [{ ...server, place, when: [] }], problems: [], assumed: [], hints: [] }
                : foundIn(start, place, "this container", read);
        }),
    );
}

/** The entry script of an image that only runs what it is given. */
function withoutWrapper(words: readonly string[]): string[] {
    return /(^|\/)(nvidia_entrypoint|docker-entrypoint|entrypoint)\.sh$|(^|\/)(tini|dumb-init)$/.test(words[0] ?? "")
        ? words.slice(words[1] === "--" ? 2 : 1)
        : [...words];
}

/** Whether a text is a process's command line, its words apart by NUL. */
export function isProcess(text: string): boolean {
    return text.includes("\0");
}

/** What stands between the command line and the environment of a process, where both are given as one text. */
export const environmentMark = "\0\n\n";

/** The server of a process: its command line, then {@link environmentMark} and its environment, both as in `/proc/PID`. */
export function readProcess(text: string, read: Companion): Found {
    const [line = "", environment = ""] = text.split(environmentMark);
    const words = line.replace(/\0$/, "").split("\0");
    if (/^sglang::/.test(words[0] ?? "")) {
        const hint = `${words[0]} is a worker of a server: give its parent, the process of sglang.launch_server`;
        return { launches: [], problems: [], assumed: [], hints: [hint] };
    }
    return foundIn({ words, ...environmentIn(environment.split("\0")) }, "process", "this process", read);
}

function environmentIn(entries: readonly string[]): Pick<Started, "environment" | "notes"> {
    const pairs = entries.flatMap((entry) => {
        const at = entry.indexOf("=");
        return at > 0 ? [[entry.slice(0, at), entry.slice(at + 1)] as const] : [];
    });
    const kept = pairs.filter(([name]) => ofServer.test(name));
    const left = pairs.length - kept.length;
    return {
        environment: Object.fromEntries(kept),
        notes: left === 0 ? [] : [`${left} variables of the machine, the shell or the image are left out`],
    };
}
