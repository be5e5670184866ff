import { createHash } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { packageRoot } from "../base/package-root.ts";

/** The agent as one Python zip application, the same bytes on every machine. */
export interface AgentArchive {
    /** 16 hex digits over the names and contents, uncompressed: names the archive on a host. */
    readonly digest: string;
    /** The zip file, compressed, base64. */
    readonly base64: string;
}

/** Endings of the files that the agent is made of. */
const endings = [".py", ".json"];

let built: AgentArchive | undefined;

/** Packs `agent/` once per process. */
export function agentArchive(): AgentArchive {
    built ??= packed(filesBelow(join(packageRoot, "agent")));
    return built;
}

function filesBelow(root: string): Record<string, Uint8Array> {
    const names = readdirSync(root, { recursive: true, encoding: "utf8" })
        .map((name) => name.replaceAll("\\", "/"))
        .filter((name) => endings.some((ending) => name.endsWith(ending)));
    return Object.fromEntries(names.map((name) => [name, readFileSync(join(root, name))]));
}

/** Packs files by name. The digest is that of the zip with everything stored, so no compressor's version decides it. */
export function packed(files: Readonly<Record<string, Uint8Array>>): AgentArchive {
    const sorted = Object.fromEntries(Object.entries(files).sort(([a], [b]) => (a < b ? -1 : 1)));
    return {
        digest: createHash("sha256").update(zip(sorted, 0)).digest("hex").slice(0, 16),
        base64: Buffer.from(zip(sorted, 9)).toString("base64"),
    };
}

function zip(files: Record<string, Uint8Array>, level: 0 | 9): Uint8Array {
    // loaded when something is packed: a plan for hosts packs nothing
    const { zipSync } = createRequire(import.meta.url)("fflate") as typeof import("fflate");
    // a zip file holds local time, and 1980 is the first year that it can hold
    return zipSync(files, { level, mtime: new Date(1980, 0, 1) });
}
