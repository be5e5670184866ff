import { describe, expect, it } from "vitest";
import { compareVersions, inWindow, isVersion } from "../../../knowledge/base/version.ts";

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

    it("that are none are refused with the text", () => {
        expect(isVersion("main")).toBe(false);
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
