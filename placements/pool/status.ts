import { spawnSync } from "node:child_process";
import { ProblemsError } from "../../knowledge/base/problems.ts";
import type { Answer } from "../../knowledge/contract/answers.ts";
import type { StackParts } from "../stack-part.ts";
import type { PlacementStatus } from "../status.ts";
import { selector } from "./manifest.ts";
import { boardPort } from "./paths.ts";
import type { PoolTarget } from "./placement.ts";

/** A pod, as far as it is looked at. */
interface Pod {
    readonly metadata: { readonly name: string; readonly annotations?: Readonly<Record<string, string>> };
    readonly status?: { readonly conditions?: readonly { readonly type: string; readonly status: string }[] };
}

/** Asks the cluster for a service's pods, and each pod's board, over the operator's own `kubectl`. */
export const poolStatus: PlacementStatus<PoolTarget> = {
    status(service, target, parts) {
        const pods = podsOf(service, target, parts);
        const absent = {
            service,
            machine: `pool ${target.name}`,
            up: false,
            generation: null,
            gate: null,
            verdict: null,
            changed: [],
            answer: null,
        };
        return pods.length === 0 ? [absent] : pods.map((pod) => podStatus(service, pod, target, parts));
    },

    logs: (service, target, parts, lines) =>
        podsOf(service, target, parts).map(({ metadata: { name } }) => ({
            machine: name,
            text: kubectl(target, parts, ["logs", name, "--container", "server", `--tail=${lines}`]),
        })),
};

function podsOf(service: string, target: PoolTarget, parts: StackParts): Pod[] {
    const labels = Object.entries(selector(service, "server")).map(([key, value]) => `${key}=${value}`);
    const found = kubectl(target, parts, ["get", "pods", "--selector", labels.join(","), "--output", "json"]);
    return (JSON.parse(found) as { items: Pod[] }).items;
}

function podStatus(service: string, pod: Pod, target: PoolTarget, parts: StackParts) {
    const { name } = pod.metadata;
    const ready = pod.status?.conditions?.some(({ type, status }) => type === "Ready" && status === "True") ?? false;
    const state = board(name, target, parts);
    return {
        service,
        machine: name,
        up: ready,
        generation: state?.serving ?? null,
        gate: state?.verdict?.verdict ?? null,
        verdict: state?.verdict ?? null,
        changed: [], // a driver or kernel cannot change under a pod that uses it
        answer: { ready, desired: pod.metadata.annotations?.["pulumi-sglang/generation"] ?? null, state },
    };
}

/** What a pod's board says; null while it says nothing. */
function board(pod: string, target: PoolTarget, parts: StackParts): Answer<"board"> | null {
    const path = `/api/v1/namespaces/${target.namespace}/pods/${pod}:${boardPort}/proxy/state`;
    const { status, stdout } = spawnSync("kubectl", [...context(target, parts), "get", "--raw", path], {
        encoding: "utf8",
    });
    return status === 0 ? JSON.parse(stdout) : null;
}

function kubectl(target: PoolTarget, parts: StackParts, words: readonly string[]): string {
    const given = [...context(target, parts), "--namespace", target.namespace ?? "default", ...words];
    const done = spawnSync("kubectl", given, { encoding: "utf8", maxBuffer: 64 * 2 ** 20 });
    if (done.error || done.status !== 0) {
        const message = done.stderr?.trim() || done.error?.message || `exit status ${done.status}`;
        throw new ProblemsError("The cluster cannot be asked:", [{ path: `pools.${target.name}`, message }]);
    }
    return done.stdout;
}

function context({ name }: PoolTarget, { pools }: StackParts): string[] {
    const named = pools[name]?.context;
    return named === undefined ? [] : ["--context", named];
}
