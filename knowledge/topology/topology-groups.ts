import { isNvlink, type LinkType, linkDistance, type Topology } from "./topology.ts";

/** Devices that share something, and the smaller groups among them. */
export interface DeviceGroup {
    /** What they share: one PCIe bridge, several bridges under one host bridge port, one host bridge. */
    readonly shares: "PIX" | "PXB" | "PHB";
    /** Devices of the group that are in no smaller one. */
    readonly devices: readonly string[];
    readonly groups: readonly DeviceGroup[];
}

/** One NUMA node with what is attached to it. */
export interface NodeGroup {
    /** Its number; absent when the text does not say. */
    readonly node?: number;
    readonly devices: readonly string[];
    readonly groups: readonly DeviceGroup[];
}

const LEVELS = ["PHB", "PXB", "PIX"] as const;

/** Link of two devices of the topology; `undefined` when the text does not say. */
export function linkOf(topology: Topology, a: string, b: string): LinkType | undefined {
    const gpus = topology.links.find((link) => (link.a === a && link.b === b) || (link.a === b && link.b === a));
    const nic = (name: string) => topology.nics.find((each) => each.name === name);
    return gpus?.type ?? nic(a)?.links[b] ?? nic(b)?.links[a];
}

/** The NUMA nodes of the host with their devices, grouped by what PCIe they share. NVLink plays no part in it. */
export function nodeGroups(topology: Topology): NodeGroup[] {
    const names = [...topology.gpus.map((gpu) => gpu.name), ...topology.nics.map((nic) => nic.name)];
    const numbers = new Map(topology.gpus.map((gpu) => [gpu.name, gpu.numaNode]));
    const cpus = new Map(topology.gpus.map((gpu) => [gpu.name, gpu.cpuAffinity]));
    const near = (limit: number) => (a: string, b: string) => {
        const type = linkOf(topology, a, b);
        return type !== undefined && !isNvlink(type) && linkDistance(type) <= limit;
    };
    const sameNode = (a: string, b: string) => {
        const [left, right] = [numbers.get(a), numbers.get(b)];
        if (left !== undefined && right !== undefined) {
            return left === right;
        }
        if (cpus.get(a) !== undefined && cpus.get(b) !== undefined) {
            return cpus.get(a) === cpus.get(b);
        }
        const type = linkOf(topology, a, b);
        return near(linkDistance("NODE"))(a, b) || (left === right && type !== undefined && isNvlink(type));
    };
    return components(names, sameNode).map((members) => {
        const node = members.map((name) => numbers.get(name)).find((number) => number !== undefined);
        const inside = grouped(members, 0, near);
        return node === undefined ? inside : { node, ...inside };
    });
}

/** Splits the members into groups that share that level, and those that share nothing there. */
function grouped(
    members: readonly string[],
    level: number,
    near: (limit: number) => (a: string, b: string) => boolean,
) {
    const shares = LEVELS[level];
    if (shares === undefined) {
        return { devices: members, groups: [] as DeviceGroup[] };
    }
    const devices: string[] = [];
    const groups: DeviceGroup[] = [];
    for (const part of components(members, near(linkDistance(shares)))) {
        const inside = grouped(part, level + 1, near);
        if (part.length === 1) {
            devices.push(part[0]!);
        } else if (inside.devices.length === 0 && inside.groups.length === 1) {
            groups.push(inside.groups[0]!);
        } else {
            groups.push({ shares, ...inside });
        }
    }
    return { devices, groups };
}

/** Members that are connected by the relation, directly or over others, in order. */
export function components(members: readonly string[], related: (a: string, b: string) => boolean): string[][] {
    const left = new Set(members);
    const parts: string[][] = [];
    for (const first of members) {
        if (!left.delete(first)) {
            continue;
        }
        const part = [first];
        for (const member of part) {
            for (const other of [...left]) {
                if (related(member, other)) {
                    left.delete(other);
                    part.push(other);
                }
            }
        }
        parts.push(members.filter((member) => part.includes(member)));
    }
    return parts;
}
