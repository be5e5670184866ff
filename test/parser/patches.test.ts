/**
 * The patch sets against the real source: each published wheel is unpacked, the code that the patches touch is run, the
 * patches are applied, and the same code is run again. `patches/probe.py` has what runs; nothing needs a GPU.
 */
import { execFileSync } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { patchSet, patchSets } from "../../knowledge/artifacts/patches.ts";
import { packageRoot } from "../../knowledge/base/package-root.ts";
import { applies, applyPatch, treeSha256, unpackRelease } from "../../scripts/patched-tree.ts";

/** What the code answers for a card of each compute capability. */
type ByCard = Record<"9" | "10" | "12", string | null>;
type Probed = Record<string, Record<string, ByCard | boolean>>;

const probe = (folder: string): Probed =>
    JSON.parse(
        execFileSync("python3", ["-B", join(import.meta.dirname, "patches", "probe.py"), folder], { encoding: "utf8" }),
    );

/** Answers for SM120 of every case of a gap. */
const onSm120 = (gap: Probed[string]) =>
    Object.entries(gap).map(([name, cards]) => [name, (cards as ByCard)["12"]] as const);

/** Per gap: what the published source does on SM120 (or with a key), and what the patched source does. */
const closed: Record<string, (before: Probed[string], after: Probed[string], release: string) => void> = {
    "credentials-disclosed": (before, after) => {
        for (const [place, shown] of Object.entries(before)) {
            const kept = /has the rest|stays null/.test(place);
            expect([place, shown], "published").toEqual([place, true]);
            expect([place, after[place]], "patched").toEqual([place, kept]);
        }
    },
    "torch-symmetric-memory": (before, after) => {
        expect(onSm120(before)).toEqual([["size table", "KeyError: 12"]]);
        expect(onSm120(after)).toEqual([["size table", "disabled"]]);
    },
    "flashinfer-all-reduce-fusion": (before, after) => {
        expect(before["asked for"]).toMatchObject({
            12: expect.stringMatching(/^ValueError: .*requires SM90 or SM10X/),
        });
        expect(after["asked for"]).toMatchObject({ 12: "off" });
    },
    "deepgemm-jit-off": (before, after) => {
        expect(onSm120(before)).toEqual([["DeepGEMM", "on"]]);
        expect(onSm120(after)).toEqual([["DeepGEMM", "off"]]);
    },
    "fp8-auto-deepgemm": (before, after) => {
        expect(onSm120(before)).toEqual([["block FP8 auto", "deepgemm"]]);
        expect(onSm120(after)).toEqual([["block FP8 auto", "triton"]]);
    },
    "gdn-attention-auto": (before, after) => {
        expect(onSm120(before)).toEqual([
            ["named", "trtllm_mha"],
            ["unset", null],
        ]);
        expect(onSm120(after)).toEqual([
            ["named", "trtllm_mha"],
            ["unset", "triton"],
        ]);
    },
    "nvfp4-moe-auto": (before, after) => {
        expect(before["without the flag"]).toMatchObject({ 12: "flashinfer_trtllm" });
        expect(after).toMatchObject({
            "with the flag": { 12: "flashinfer_cutlass" },
            "without the flag": { 12: "flashinfer_cutlass" },
        });
        expect([after.named, after["FP8 checkpoint"]]).toEqual([before.named, before["FP8 checkpoint"]]);
    },
    "sparse-attention-default": (before, after, release) => {
        const refused = /^ValueError: No sparse attention backend is known to run on SM120/;
        const notHere = /trtllm|flashmla/;
        for (const [name, published] of onSm120(before)) {
            const patched = (after[name] as ByCard)["12"];
            if (notHere.test(published!) && !/triton|flashinfer_sparse_mla/.test(name + published)) {
                expect([name, patched]).not.toEqual([name, published]);
                expect(refused.test(patched!) || patched === "tilelang tilelang", `${name}: ${patched}`).toBe(true);
            } else {
                expect([name, patched]).toEqual([name, published]);
            }
        }
        const deepseek = after["DeepseekV32ForCausalLM fp8_e4m3"] as ByCard;
        expect(deepseek["12"]).toMatch(release === "0.5.23" ? /^tilelang tilelang$/ : refused);
    },
    "trtllm-mla": (before, after) => {
        for (const [option, answer] of onSm120(before)) {
            expect([option, answer]).toEqual([option, "accepted"]);
            expect((after[option] as ByCard)["12"]).toMatch(/^ValueError: TRTLLM MLA kernels are built for SM100 only/);
        }
    },
};

describe.each(patchSets())("SGLang %s", (release) => {
    const set = patchSet(release);
    const files = [...new Set(set.patches.flatMap((patch) => patch.files))];
    const scratch = mkdtempSync(join(tmpdir(), "patched-"));
    const [package_, byPatch] = [join(scratch, "package"), join(scratch, "by-patch")];
    let alone: boolean[];
    let before: Probed;
    let after: Probed;

    beforeAll(() => {
        unpackRelease(release, package_);
        for (const file of files) {
            mkdirSync(dirname(join(byPatch, file)), { recursive: true });
            cpSync(join(package_, file), join(byPatch, file));
        }
        before = probe(package_);
        alone = set.patches.map((patch) => applies(patch.path, package_));
        for (const patch of set.patches) {
            applyPatch(patch.path, package_);
        }
        after = probe(package_);
    });
    afterAll(() => rmSync(scratch, { recursive: true, force: true }));

    test("patch(1) makes the same files as git apply, with no fuzz and no offset", () => {
        for (const patch of set.patches) {
            const words = execFileSync(
                "patch",
                ["-p1", "--fuzz=0", "--no-backup-if-mismatch", "-i", join(packageRoot, patch.path)],
                {
                    cwd: byPatch,
                    encoding: "utf8",
                },
            );
            expect(words).not.toMatch(/offset|fuzz/);
        }
        for (const file of files) {
            expect(readFileSync(join(byPatch, file)).equals(readFileSync(join(package_, file))), file).toBe(true);
        }
    });

    test("a patch also applies without the ones before it", () => {
        expect(alone).toEqual(set.patches.map(() => true));
    });

    test("every changed file compiles", () => {
        const compile =
            "import sys\nfor name in sys.argv[1:]:\n    compile(open(name, encoding='utf-8').read(), name, 'exec')";
        execFileSync("python3", ["-c", compile, ...files.map((file) => join(package_, file))]);
    });

    test("the tree hash is the one of the series, and so Python computes it", () => {
        const hash = [
            "import hashlib, pathlib, sys",
            "root = pathlib.Path(sys.argv[1])",
            "paths = sorted(p.relative_to(root).as_posix() for p in root.glob('sglang/**/*.py'))",
            "lines = [f'{p}\\0{hashlib.sha256((root / p).read_bytes()).hexdigest()}\\n' for p in paths]",
            "print(hashlib.sha256(''.join(lines).encode()).hexdigest())",
        ].join("\n");
        expect(treeSha256(package_)).toBe(set.treeSha256);
        expect(execFileSync("python3", ["-c", hash, package_], { encoding: "utf8" }).trim()).toBe(set.treeSha256);
    });

    test.each(set.patches.flatMap((patch) => patch.closes))(
        "%s: the published source is unsafe, the patched one is not",
        (gap) => {
            closed[gap]!(before[gap]!, after[gap]!, release);
        },
    );

    test("SM90 and SM100 decide as before, and so does whatever no patch of the set is about", () => {
        const about = new Set(set.patches.flatMap((patch) => patch.closes));
        for (const [gap, cases] of Object.entries(before)) {
            for (const [name, answer] of Object.entries(cases)) {
                const now = after[gap]![name]!;
                if (!about.has(gap)) {
                    expect([gap, name, now]).toEqual([gap, name, answer]);
                } else if (typeof answer === "object" && typeof now === "object") {
                    expect([gap, name, now["9"], now["10"]]).toEqual([gap, name, answer["9"], answer["10"]]);
                }
            }
        }
    });
});
