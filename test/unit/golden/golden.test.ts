/** Everything that is put on a host and into a pool, as whole texts. What a user would notice of it has tests of its own. */
import { expect, test, vi } from "vitest";
import { resolve } from "../../../knowledge/service/resolve.ts";
import type { HostsTarget } from "../../../placements/hosts/placement.ts";
import { placeOnHost } from "../../../placements/hosts/placement.ts";
import { servicePlan } from "../../../placements/hosts/service-plan.ts";
import type { ServiceRequest } from "../../../placements/placement.ts";
import { expectGolden, goldenFiles } from "./golden.ts";
import { inPool, onHosts } from "./stacks.ts";

// its digest is in names; with the real one every change of the agent would change every text here
vi.mock("../../../knowledge/artifacts/agent-archive.ts", () => ({
    agentArchive: () => ({ digest: "00000000agent000", base64: "UEsFBg==" }),
}));

const rack1 = { rack1: "192.0.2.11" };
const nodes = { ...rack1, rack2: "192.0.2.12" };
const full = {
    apiKey: { hostFile: "/etc/sglang/key" },
    placement: { hosts: ["rack1"], gpus: [4, 5, 6, 7] },
    api: { port: 8000, servedModelName: "chat", listen: "0.0.0.0" },
    kvCache: { hierarchical: { ratio: 2 } },
};
const wide = { storage: { accessMode: "ReadWriteMany" } };

const lines = (words: readonly string[]) => words.map((word) => `${word}\n`).join("");

const texts: Readonly<Record<string, () => string>> = {
    "host-sglang-chat.service": () => onHosts(rack1, full).placed.files()["sglang-chat.service"]!,
    "host-environment": () => onHosts(rack1, full).placed.files().environment!,
    "host-arguments": () => lines(onHosts(rack1, full).placed.argv),
    "host-plain-sglang-chat.service": () => onHosts(rack1).placed.files()["sglang-chat.service"]!,
    "host-plain-environment": () => onHosts(rack1).placed.files().environment!,
    "host-plain-arguments": () => lines(onHosts(rack1).placed.argv),
    "host-first-of-two-arguments": () => lines(onHosts(nodes).placed.argv),
    "host-second-of-two-arguments": () => lines(secondOfTwo().argv),
    "host-second-of-two-environment": () =>
        lines(Object.entries(secondOfTwo().environment).map((pair) => pair.join("="))),
    "pool-deployment.yaml": () =>
        manifests({
            model: { token: { kubernetesSecret: "hub", key: "token" }, storageGiB: 500 },
            service: { apiKey: { kubernetesSecret: "chat-key", key: "key" } },
            placement: { gpus: [0, 1, 2, 3] },
        }),
    "pool-deployment-plain.yaml": () => manifests({ pool: { spareGpus: true, runtimeClass: "nvidia" } }),
    "pool-stateful-set.yaml": () =>
        manifests({ pool: wide, placement: { nodes: 2 }, service: { apiKey: { config: "apiKey" } } }),
    "pool-leader-worker-set.yaml": () =>
        manifests({ pool: { ...wide, multiNode: "leaderWorkerSet" }, placement: { nodes: 2 } }),
};

function secondOfTwo() {
    const { request, spec } = onHosts(nodes);
    const binding = { leaderAddress: nodes.rack1 };
    return servicePlan(resolve(spec), placeOnHost(request as ServiceRequest<HostsTarget>, spec.nodes, 1, binding));
}

function manifests(parts: Parameters<typeof inPool>[0]): string {
    return Object.entries(inPool(parts).placed.files())
        .map(([file, text]) => `# ${file}\n---\n${text}`)
        .join("");
}

test.each(Object.entries(texts))("%s is as it was recorded", (name, text) => {
    expectGolden(name, text());
});

test("no recorded text is left over", () => {
    expect(goldenFiles()).toEqual(Object.keys(texts).sort());
});
