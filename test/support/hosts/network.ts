/** One bridge on the test machine, and for each host a network namespace with an address on it. No way out. */
import { attempt, run } from "./sh.ts";

const gateway = "10.86.0.1";

const bridge = "sglang-tb0";

/** The test machine's own address as the hosts see it, brought up: a hub for them listens here. */
export function gatewayAddress(): string {
    bringUpBridge();
    return gateway;
}

/** Takes the first free host number, makes its namespace, and returns the number. */
export function joinNetwork(): number {
    bringUpBridge();
    for (let number = 11; number < 60; number++) {
        try {
            run("ip", "netns", "add", namespace(number));
        } catch {
            continue;
        }
        const inside = (...argv: string[]) => run("ip", "-n", namespace(number), ...argv);
        run("ip", "link", "add", link(number), "type", "veth", "peer", "name", "host0", "netns", namespace(number));
        run("ip", "link", "set", link(number), "master", bridge, "up");
        inside("addr", "add", `${address(number)}/24`, "dev", "host0");
        inside("link", "set", "host0", "up");
        inside("link", "set", "lo", "up");
        return number;
    }
    throw new Error("no free host number on the test network; are 49 hosts running?");
}

/** Undoes `joinNetwork`, and kills whatever still runs in the namespace: a host's first process outlives its parent. */
export function leaveNetwork(number: number): void {
    for (const pid of pidsOf(number)) {
        attempt("kill", "-KILL", pid);
    }
    attempt("ip", "link", "del", link(number));
    attempt("ip", "netns", "del", namespace(number));
}

/** The address of a host. */
export function address(number: number): string {
    return `10.86.0.${number}`;
}

/** The name of a host's network namespace. */
export function namespace(number: number): string {
    return `sglang-tb${number}`;
}

function pidsOf(number: number): string[] {
    try {
        return run("ip", "netns", "pids", namespace(number)).split("\n").filter(Boolean);
    } catch {
        return [];
    }
}

function link(number: number): string {
    return `sglang-tb-v${number}`;
}

function bringUpBridge(): void {
    attempt("ip", "link", "add", bridge, "type", "bridge");
    attempt("ip", "addr", "add", `${gateway}/24`, "dev", bridge);
    run("ip", "link", "set", bridge, "up");
}
