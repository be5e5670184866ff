/** Variables of the user's that the topology would change or take away: what becomes of them, and what an accepted finding keeps. */
import { expect, test } from "vitest";
import { resolve } from "../../../knowledge/service/resolve.ts";
import { hostFacts, serviceSpec } from "./service-spec.ts";

const reason = "measured here, and it is faster so";

/** Value and origin of variables where peer access cannot work. */
function variables(environment: Record<string, string>, accepted: readonly string[] = [], launch?: string) {
    const service = resolve(
        serviceSpec({
            nodes: [{ name: "rack1", facts: hostFacts({ acs: "on" }), gpus: [0, 1, 2, 3] }],
            fields: { environment, accept: accepted.map((rule) => ({ rule, reason })), ...(launch ? { launch } : {}) },
        }),
    );
    return Object.fromEntries(service.environment.map(({ name, value, origin }) => [name, [value, origin]]));
}

test("one that has no meaning there is taken away", () => {
    const { NCCL_P2P_LEVEL, NCCL_P2P_DISABLE } = variables({ NCCL_P2P_LEVEL: "LOC" });
    expect([NCCL_P2P_LEVEL, NCCL_P2P_DISABLE]).toEqual([undefined, ["1", "topology"]]);
});

test("one that is accepted stays as it was set", () => {
    expect(variables({ NCCL_P2P_LEVEL: "LOC" }, ["nccl-acs-on"]).NCCL_P2P_LEVEL).toEqual(["LOC", "user"]);
});

test("another finding that is accepted keeps nothing", () => {
    expect(variables({ NCCL_P2P_LEVEL: "LOC" }, ["nccl-p2p-level-number"]).NCCL_P2P_LEVEL).toBeUndefined();
});

test("one that the topology has nothing to say of stays as it was set", () => {
    expect(variables({ NCCL_DEBUG: "INFO" }).NCCL_DEBUG).toEqual(["INFO", "user"]);
});

test("a field's wins over that of a pasted launch", () => {
    const launch = "NCCL_DEBUG=WARN MY_OWN=1 python3 -m sglang.launch_server --model-path m";
    const found = variables({ NCCL_DEBUG: "INFO" }, [], launch);
    expect([found.NCCL_DEBUG, found.MY_OWN]).toEqual([
        ["INFO", "user"],
        ["1", "user"],
    ]);
});
