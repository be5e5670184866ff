import { describe, expect, it } from "vitest";
import type { PlannedService } from "../../../deployment/plan.ts";
import { desiredOf, planPoolExample } from "./pool-file.ts";

/** The example's services in their pool, and the same on a host with the same facts. */
const inPool = planPoolExample();
const onHost = planPoolExample((file) => {
    const host = { address: "192.0.2.1", hostKey: "ssh-ed25519 AAAA", facts: file.pools.rtx.facts };
    file.hosts = { one: host, two: host };
    for (const build of Object.values<{ image?: string }>(file.builds)) {
        delete build.image;
    }
    for (const [name, place] of [
        ["glm5", "one"],
        ["qwen35", "two"],
    ]) {
        file.services[name!].placement = { hosts: [place] };
        file.services[name!].apiKey = { config: "apiKey" };
    }
});

/** Ranks are bound to NUMA nodes on hosts only. */
const withoutRanks = ({ "numa-node": _, ...others }: PlannedService["resolved"]["arguments"]) => others;
const nccl = ({ resolved }: PlannedService) => resolved.environment.map(({ name, value }) => `${name}=${value}`);

describe.each([0, 1])("service %i of the pool example", (index) => {
    const [pool, host] = [inPool[index]!, onHost[index]!];

    it("has the same settings digest, arguments and environment on a host and in a pool", () => {
        expect(pool.resolved.settingsDigest).toBe(host.resolved.settingsDigest);
        expect(pool.resolved.arguments).toEqual(withoutRanks(host.resolved.arguments));
        expect(nccl(pool)).toEqual(nccl(host));
        expect(nccl(pool)).toContain("NCCL_P2P_LEVEL=SYS");
    });

    it("gets the same launch command but for where things are", () => {
        const placed = ["--model-path", "--host"];
        const words = ({ placed: { argv } }: PlannedService) => {
            const ranks = argv.indexOf("--numa-node");
            const bound = ranks < 0 ? argv : [...argv.slice(0, ranks), ...argv.slice(ranks + 9)];
            return bound
                .slice(1)
                .filter((_, at, all) => !placed.includes(all[at]!) && !placed.includes(all[at - 1] ?? ""));
        };
        expect(words(pool)).toEqual(words(host));
    });

    it("is asked the same questions", () => {
        expect(desiredOf(pool).gate).toEqual(host.resolved.gate);
    });
});
