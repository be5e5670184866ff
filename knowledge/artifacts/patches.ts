/**
 * The patch sets in `patches/<release>/`: small changes to a published SGLang release for compute capability 12.0.
 *
 * A patch lets SM120 take a safe way, or refuses at once with a message; it never picks an SM100 kernel. Each is a unified
 * diff against the published wheel (strip level 1 in `site-packages`; in the repository the same paths lie below `python/`)
 * with a header of `Field: text` lines, where further lines of a field are indented.
 *
 * `series.json` in the same folder has what a machine needs: order, SHA-256 of each patch, and the hash of the package after
 * all of them. `npm run series` writes it.
 *
 * **Tree hash.** Of every file `sglang/**\/*.py` one line `<path>\0<sha256 of the content>\n`, the path relative to
 * `site-packages` with `/`; lines ordered by the bytes of the path; SHA-256 of the lines, as 64 hex digits. The agent computes
 * the same of what it built.
 */
import { createHash } from "node:crypto";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { packageRoot } from "../base/package-root.ts";
import { compareVersions } from "../base/version.ts";

/** One patch, with what its header says. */
export interface Patch {
    /** File name without number and suffix, such as `redact-credentials`: by this a stack file names it. */
    readonly name: string;
    /** Path from the package root, with `/`. */
    readonly path: string;
    /** SHA-256 of the file, 64 hex digits. */
    readonly sha256: string;
    /** Lines that it adds. */
    readonly added: number;
    /** Lines that it removes. */
    readonly removed: number;
    /** Files that it changes, relative to `site-packages`. */
    readonly files: readonly string[];
    /** What it is for, one line. */
    readonly purpose: string;
    /** Ids of the rules whose subject it closes, and of gaps that no rule is about. */
    readonly closes: readonly string[];
    /** What changes for whom. */
    readonly changes: string;
    /** Why it is needed. */
    readonly why: string;
    /** What it leaves open, where that could be expected of it. */
    readonly limits?: string;
    /** Where this is known from. */
    readonly source: string;
    /** How it was checked. */
    readonly checked: string;
    /** Whether it was run on the hardware. */
    readonly hardware: string;
    /** The whole file. */
    readonly text: string;
}

/** What `series.json` holds. */
export interface Series {
    /** SGLang release. */
    readonly release: string;
    /** Where the paths of the diffs start. */
    readonly base: "site-packages";
    /** Leading path parts to strip, as in `patch -p1`. */
    readonly stripLevel: 1;
    /** Tree hash of the package after all patches. */
    readonly treeSha256: string;
    /** The patches in the order in which they are applied. */
    readonly patches: readonly { readonly file: string; readonly sha256: string }[];
}

/** All patches of one release, in order. */
export interface PatchSet extends Omit<Series, "patches"> {
    /** The patches in the order in which they are applied. */
    readonly patches: readonly Patch[];
}

/** Releases that have a patch set, oldest first. */
export function patchSets(): string[] {
    const folder = join(packageRoot, "patches");
    const releases = readdirSync(folder).filter((name) => existsSync(join(folder, name, "series.json")));
    return releases.sort(compareVersions);
}

/**
 * The patch set of a release. Throws an Error when the release has none, and when a patch is not the one that
 * `series.json` names.
 */
export function patchSet(release: string): PatchSet {
    if (!patchSets().includes(release)) {
        throw new Error(`no patch set for SGLang ${release}: there are sets for ${patchSets().join(", ")}`);
    }
    const folder = `patches/${release}`;
    const series = JSON.parse(readFileSync(join(packageRoot, folder, "series.json"), "utf8")) as Series;
    const patches = series.patches.map(({ file, sha256 }) => {
        const patch = readPatch(`${folder}/${file}`);
        if (patch.sha256 !== sha256) {
            throw new Error(`${patch.path} is not the patch that series.json names: run npm run series`);
        }
        return patch;
    });
    return { ...series, patches };
}

/** Reads one patch file, named from the package root. Throws an Error that names every header field that is missing. */
export function readPatch(path: string): Patch {
    const bytes = readFileSync(join(packageRoot, path));
    const text = bytes.toString("utf8");
    const fields = headerOf(text);
    const missing = ["Subject", "Closes", "Changes", "Why", "Source", "Checked", "Hardware"].filter(
        (key) => !fields[key],
    );
    if (missing.length > 0) {
        throw new Error(`${path}: the header lacks ${missing.join(", ")}`);
    }
    const lines = text.split("\n");
    const count = (sign: string) =>
        lines.filter((line) => line.startsWith(sign) && !line.startsWith(sign.repeat(3))).length;
    return {
        name: path.replace(/^.*\/(\d+-)?|\.patch$/g, ""),
        path,
        sha256: createHash("sha256").update(bytes).digest("hex"),
        added: count("+"),
        removed: count("-"),
        files: lines.filter((line) => line.startsWith("+++ b/")).map((line) => line.slice("+++ b/".length)),
        purpose: fields.Subject!,
        closes: fields.Closes!.split(/,\s*/),
        changes: fields.Changes!,
        why: fields.Why!,
        ...(fields.Limits === undefined ? {} : { limits: fields.Limits }),
        source: fields.Source!,
        checked: fields.Checked!,
        hardware: fields.Hardware!,
        text,
    };
}

/** Fields of the header: what stands before the first `---` line, continued lines joined. */
function headerOf(text: string): Record<string, string | undefined> {
    const header = text.slice(0, text.search(/^--- /m));
    const fields: Record<string, string> = {};
    for (const [, key, value] of header.replaceAll(/\n {2,}/g, " ").matchAll(/^([A-Z][a-z]+): (.+)$/gm)) {
        fields[key!] = value!;
    }
    return fields;
}
