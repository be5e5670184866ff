import { type Link, type LinkType, linkDistance } from "./topology.ts";

/** Values of NCCL_P2P_LEVEL from near to far. Matched exactly; anything else is ignored without a word (NCCL `topo.cc`, 2.30.7). */
export const P2P_LEVELS = ["LOC", "NVL", "NVB", "C2C", "PIX", "PXB", "P2C", "PXN", "PHB", "SYS"] as const;

/** One value of NCCL_P2P_LEVEL. */
export type P2pLevel = (typeof P2P_LEVELS)[number];

/** Names of the integers that NCCL_P2P_LEVEL took before it took names: 0 to 3; 4 and above are SYS (`levelsOldToNew`, `paths.cc`). */
const OLD_LEVELS: readonly P2pLevel[] = ["LOC", "PIX", "PXB", "PHB", "SYS"];

/** The value as a level, if it is one. */
export function asLevel(value: string): P2pLevel | undefined {
    return P2P_LEVELS.find((level) => level === value);
}

/** The level that an integer means. */
export function oldLevel(value: number): P2pLevel {
    return OLD_LEVELS[Math.min(value, OLD_LEVELS.length - 1)]!;
}

/** Whether P2P at that level covers the link. */
export function covers(level: P2pLevel, type: LinkType): boolean {
    return P2P_LEVELS.indexOf(level) >= P2P_LEVELS.indexOf(levelOf(type));
}

/** The level at which NCCL uses P2P over such a link. `NODE` of nvidia-smi has no level of its own: NCCL calls it PHB. */
export function levelOf(type: LinkType): P2pLevel {
    switch (type) {
        case "PIX":
        case "PXB":
        case "PHB":
        case "SYS":
            return type;
        case "NODE":
            return "PHB";
        default:
            return "NVL";
    }
}

/** The farthest of the links. */
export function farthest(links: readonly Link[]): Link | undefined {
    return [...links].sort((a, b) => linkDistance(b.type) - linkDistance(a.type))[0];
}
