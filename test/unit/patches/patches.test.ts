import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join, relative } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { patchFiles } from "../../../knowledge/artifacts/patch-files.ts";
import { patchSet, patchSets, readPatch } from "../../../knowledge/artifacts/patches.ts";
import { packageRoot } from "../../../knowledge/base/package-root.ts";
import { ruleIds } from "../../../knowledge/rules/index.ts";

const scratch = mkdtempSync(join(tmpdir(), "patches-"));
afterAll(() => rmSync(scratch, { recursive: true }));

test("sets are listed oldest first", () => {
    expect(patchSets()).toEqual(["0.5.9", "0.5.12.post1", "0.5.14", "0.5.15.post1", "0.5.16", "0.5.17", "0.5.23"]);
});

test("a release without a set is refused with the ones that have one", () => {
    expect(() => patchSet("0.5.10")).toThrow("no patch set for SGLang 0.5.10: there are sets for 0.5.9, 0.5.12.post1");
});

test("a patch of one's own with Windows line ends is refused before anything is built", () => {
    const text = "--- a/sglang/a.py\r\n+++ b/sglang/a.py\r\n@@ -1 +1 @@\r\n-a\r\n+b\r\n";
    expect(patchFiles("0.5.17", [{ name: "mine", text }]).problems).toEqual([
        { path: "patches.0", message: expect.stringContaining("Windows line ends (CRLF)") },
    ]);
});

test("a build names patches of its release, in any order, and may bring its own", () => {
    const own = { name: "mine", text: "--- a/x\n+++ b/x\n@@ -1 +1 @@\n-a\n+b\n" };
    const { files, problems } = patchFiles("0.5.23", ["sm120-trtllm-mla", own, "redact-credentials"]);
    expect(problems).toEqual([]);
    expect(files.map(({ name }) => name)).toEqual(["sm120-trtllm-mla", "mine", "redact-credentials"]);
    expect(files[1]).toEqual(own);
    expect(files[2]!.text).toBe(
        readFileSync(join(packageRoot, "patches/0.5.23/0001-redact-credentials.patch"), "utf8"),
    );
});

test("every patch that does not exist is named, with what there is and what was meant", () => {
    const { files, problems } = patchFiles("0.5.17", [
        "redact-credentials",
        "redact-credential",
        "sm120-torch-symm-mem",
    ]);
    expect(files).toHaveLength(1);
    expect(problems.map(({ path }) => path)).toEqual(["patches.1", "patches.2"]);
    expect(problems[0]!.message).toMatch(
        /^no patch "redact-credential" ships for SGLang 0.5.17: there are redact-credentials, /,
    );
    expect(problems[0]!.message).toContain('did you mean "redact-credentials"?');
});

test("a patch for a release without a set is refused with the releases that have one", () => {
    const { problems } = patchFiles("0.5.11", ["redact-credentials"]);
    expect(problems[0]!.message).toMatch(
        /^no patch ships for SGLang 0.5.11 \(0.5.9, .*0.5.23 have some\): drop "redact/,
    );
});

test("a header that lacks fields is refused with all their names", () => {
    const file = join(scratch, "0001-incomplete.patch");
    writeFileSync(file, "Subject: something\nWhy:\n\n--- a/x.py\n+++ b/x.py\n@@ -1 +1 @@\n-1\n+2\n");
    expect(() => readPatch(relative(packageRoot, file))).toThrow(
        /the header lacks Closes, Changes, Why, Source, Checked, Hardware/,
    );
});

test("a header field may go on over indented lines, and the diff is counted without its file names", () => {
    const file = join(scratch, "0002-folded.patch");
    const rest = "Closes: a, b\nChanges: c\nWhy: d\nSource: e\nChecked: f\nHardware: g\n";
    writeFileSync(file, `Subject: one\n  line\n${rest}\n--- a/x.py\n+++ b/x.py\n@@ -1 +1,2 @@\n-1\n+2\n+3\n`);
    expect(readPatch(relative(packageRoot, file))).toMatchObject({
        name: "folded",
        purpose: "one line",
        closes: ["a", "b"],
        files: ["x.py"],
        added: 2,
        removed: 1,
    });
});

describe.each(patchSets())("patches/%s", (release) => {
    const set = patchSet(release);

    test("the folder holds the series and its patches in the order of their numbers, and nothing else", () => {
        const files = set.patches.map((patch) => basename(patch.path));
        expect(readdirSync(join(packageRoot, "patches", release)).sort()).toEqual([...files, "series.json"]);
        files.forEach((file, index) => {
            expect(file).toMatch(new RegExp(`^${String(index + 1).padStart(4, "0")}-[a-z0-9-]+\\.patch$`));
        });
    });

    test("the series says how to apply it and what comes out", () => {
        expect(set).toMatchObject({ release, base: "site-packages", stripLevel: 1 });
        expect(set.treeSha256).toMatch(/^[0-9a-f]{64}$/);
    });

    test.each(set.patches)("$name is small, plain text, and changes SGLang's runtime only", (patch) => {
        const bytes = readFileSync(join(packageRoot, patch.path));
        expect(bytes.includes("\r")).toBe(false);
        expect(bytes.every((byte) => byte === 0x0a || (byte >= 0x20 && byte < 0x7f))).toBe(true);
        expect(patch.text.endsWith("\n")).toBe(true);
        expect(patch.added + patch.removed).toBeLessThan(70);
        expect(patch.files.length).toBeGreaterThan(0);
        for (const file of patch.files) {
            expect(file).toMatch(/^sglang\/srt\/.+\.py$/);
        }
    });

    test.each(set.patches)("$name says where it is known from and whether hardware has seen it", (patch) => {
        expect(patch.source).toMatch(/\.py:\d+ .*of the .* wheel/);
        expect(patch.source).toContain(release);
        expect(patch.checked).toContain("applies to the published wheel");
        expect(patch.hardware).toMatch(/^(not run on an SM120 GPU|does not depend on it)/);
    });

    test.each(set.patches)("$name closes what a rule is about, or a gap that no rule can see", (patch) => {
        const gaps = ["credentials-disclosed", "sparse-attention-default"];
        expect(patch.closes.filter((id) => !ruleIds.includes(id) && !gaps.includes(id))).toEqual([]);
    });

    test.each(set.patches)("$name never sets an SM100 kernel", (patch) => {
        const added = patch.text.split("\n").filter((line) => /^\+[^+]/.test(line));
        expect(added.filter((line) => /= "?(flashinfer_trtllm|trtllm|mnnvl|flashinfer_cutedsl)/.test(line))).toEqual(
            [],
        );
    });
});
