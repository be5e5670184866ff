import { createHash } from "node:crypto";
import { createRequire } from "node:module";
import { canonicalJson } from "../base/digest.ts";
import { ProblemsError } from "../base/problems.ts";
import type { Problem } from "../base/settings.ts";
import type { Oracle } from "../records/oracle.ts";
import { gaps } from "./compare.ts";
import { readOracle } from "./read.ts";

/** An oracle on its way to a gate. */
export interface PackedOracle {
    readonly oracle: Oracle;
    /** Of its text, see {@link oracleText}. */
    readonly sha256: string;
    /** The text, compressed by gzip, in base64. */
    readonly packed: string;
}

/** What fits into a ConfigMap of 1 MiB beside everything else. */
const mostCharacters = 700_000;

/** The one text of an oracle. */
export function oracleText(oracle: Oracle): string {
    return `${canonicalJson(oracle)}\n`;
}

/** The oracle in a file's text, ready to travel, or what is wrong with it. */
export function packedOracle(file: string, text: string): { readonly found?: PackedOracle; problems: Problem[] } {
    let oracle: Oracle;
    try {
        oracle = readOracle(file, text);
    } catch (error) {
        if (error instanceof ProblemsError) {
            return { problems: [...error.problems] };
        }
        throw error;
    }
    const whole = Buffer.from(oracleText(oracle));
    // loaded when something is packed
    const { gzipSync } = createRequire(import.meta.url)("fflate") as typeof import("fflate");
    const packed = Buffer.from(gzipSync(whole, { level: 9, mtime: 0 })).toString("base64");
    const size =
        packed.length > mostCharacters
            ? [
                  {
                      path: "size",
                      message: `is ${packed.length} bytes packed, at most ${mostCharacters} travel: record fewer prompts`,
                  },
              ]
            : [];
    const problems = [...gaps(oracle), ...size];
    const sha256 = createHash("sha256").update(whole).digest("hex");
    return problems.length > 0 ? { problems } : { found: { oracle, sha256, packed }, problems };
}
