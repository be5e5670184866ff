import { createHash } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { crc32 } from "node:zlib";
import { packageRoot } from "../base/package-root.ts";

/** The agent as one Python zip application, the same bytes on every machine. */
export interface AgentArchive {
    /** The first 16 hex digits of the archive's SHA-256: names it on a host. */
    readonly digest: string;
    /** The zip file, base64. */
    readonly base64: string;
}

let built: AgentArchive | undefined;

/** Packs `agent/` once per process. */
export function agentArchive(): AgentArchive {
    built ??= pack();
    return built;
}

function pack(): AgentArchive {
    const root = join(packageRoot, "agent");
    const names = readdirSync(root, { recursive: true, encoding: "utf8" })
        .map((name) => name.replaceAll("\\", "/"))
        .filter((name) => /\.(py|json)$/.test(name))
        .sort();
    const bytes = zip(names.map((name) => ({ name, content: readFileSync(join(root, name)) })));
    return {
        digest: createHash("sha256").update(bytes).digest("hex").slice(0, 16),
        base64: bytes.toString("base64"),
    };
}

/** Midnight of 1 January 1980, the oldest date that a zip file can hold. */
const zipDate = 0x0021;

/** A zip file of stored entries: no compressor, so no compressor's version decides the bytes. */
function zip(files: readonly { name: string; content: Buffer }[]): Buffer {
    const bodies: Buffer[] = [];
    const directory: Buffer[] = [];
    let offset = 0;
    for (const { name, content } of files) {
        const path = Buffer.from(name, "utf8");
        const fields = Buffer.alloc(26);
        fields.writeUInt16LE(20, 0);
        fields.writeUInt16LE(0, 6);
        fields.writeUInt16LE(zipDate, 8);
        fields.writeUInt32LE(crc32(content), 10);
        fields.writeUInt32LE(content.length, 14);
        fields.writeUInt32LE(content.length, 18);
        fields.writeUInt16LE(path.length, 22);
        bodies.push(Buffer.from("PK\x03\x04", "latin1"), fields, path, content);
        const rest = Buffer.alloc(14);
        rest.writeUInt32LE(offset, 10);
        directory.push(Buffer.from("PK\x01\x02\x14\x00", "latin1"), fields, rest, path);
        offset += 30 + path.length + content.length;
    }
    const body = Buffer.concat(bodies);
    const index = Buffer.concat(directory);
    const end = Buffer.alloc(22);
    end.write("PK\x05\x06", 0, "latin1");
    end.writeUInt16LE(files.length, 8);
    end.writeUInt16LE(files.length, 10);
    end.writeUInt32LE(index.length, 12);
    end.writeUInt32LE(body.length, 16);
    return Buffer.concat([body, index, end]);
}
