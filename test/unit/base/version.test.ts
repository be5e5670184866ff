import { describe, expect, it } from "vitest";
import { compareVersions, inWindow, isVersion, withoutTagPrefix } from "../../../knowledge/base/version.ts";

describe("versions", () => {
    it("are ordered by their numbers, a post-release after its release and before the next", () => {
        const ordered = [
            "0.5.8",
            "0.5.8.post1",
            "0.5.9",
            "0.5.10",
            "0.5.10.post1",
            "0.6.7.post3",
            "0.6.11",
            "595.58.03",
        ];
        expect(ordered.toReversed().sort(compareVersions)).toEqual(ordered);
        expect(compareVersions("0.5", "0.5.0")).toBe(0);
        expect(compareVersions("v2.30.7", "2.30.7")).toBe(0);
    });

    it("that come before a release are ordered before it, as PEP 440 says", () => {
        const ordered = [
            "0.6.5.post1",
            "0.6.6.dev20260101",
            "0.6.6a1",
            "0.6.6b2.dev3",
            "0.6.6b2",
            "0.6.6rc1",
            "0.6.6",
            "0.6.6.post1.dev1",
            "0.6.6.post1",
            "0.6.7.dev0",
            "1!0.1",
        ];
        expect(ordered.toReversed().sort(compareVersions)).toEqual(ordered);
    });

    it.each([
        ["0.6.6+cu130", "0.6.6"],
        ["2.6.0+cu124", "2.6"],
        ["0.6.6rc1+cu130", "0.6.6c1"],
        ["0.6.6.post1+g0123abc.d20260101", "0.6.6-1"],
        ["595.58.03", "595.58.3"],
        [" 0.6.6 ", "v0.6.6"],
    ])("%s counts as %s", (version, same) => {
        expect(compareVersions(version, same)).toBe(0);
        expect(inWindow(version, { since: same })).toBe(true);
        expect(inWindow(version, { before: same })).toBe(false);
    });

    it.each([
        ["0.6.6.dev20260101", true],
        ["0.6.6rc1", true],
        ["0.6.7rc1", true],
        ["0.6.7+cu130", false],
        ["0.6.7.post1", false],
    ])("%s is before 0.6.7: %s", (version, inside) => {
        expect(inWindow(version, { before: "0.6.7" })).toBe(inside);
    });

    it("are read from a tag, and no other text is changed", () => {
        expect(["v0.5.23", "V0.5.23", "0.5.23", "vllm"].map(withoutTagPrefix)).toEqual([
            "0.5.23",
            "0.5.23",
            "0.5.23",
            "vllm",
        ]);
    });

    it("that are none are refused with the text", () => {
        expect(["main", "", "0.6.*", ">=0.6.6", "0.6.6 or so", "v", "0.6.6+"].filter(isVersion)).toEqual([]);
        expect(() => compareVersions("0.5.9", "latest")).toThrow('not a version: "latest"');
    });

    it("lie in a window from its first version up to the one where it ends", () => {
        const window = { since: "0.6.8", before: "0.6.11" };
        expect(["0.6.7.post3", "0.6.8", "0.6.10.post1", "0.6.11"].map((version) => inWindow(version, window))).toEqual([
            false,
            true,
            true,
            false,
        ]);
        expect(inWindow("0.1", {})).toBe(true);
    });
});
