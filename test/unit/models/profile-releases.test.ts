import { describe, expect, test } from "vitest";
import { catalogue } from "../../../knowledge/models/catalogue/index.ts";
import { type ModelProfile, profileFor, profiles } from "../../../knowledge/models/index.ts";
import { profileProblems } from "./profile-problems.ts";

test("every file of the catalogue has a profile", () => {
    expect(catalogue.every((file) => Object.values(file).some((value) => profiles().includes(value)))).toBe(true);
});

test.each(profiles().map((profile) => [profile.id, profile] as const))(
    "%s names what its releases have",
    (_, profile) => {
        expect(profileProblems(profile)).toEqual([]);
    },
);

describe("a profile is told when it", () => {
    const right = profileFor("kimi-k2.5")!;
    const { checkpoints } = right;
    test.each<[string, Partial<ModelProfile>, RegExp]>([
        ["names no release", { since: undefined }, /`since` is missing.*write since: "0\.5\.9"/],
        [
            "names a class that no release has",
            { since: undefined, architecture: "KimiK99" },
            /newest has no model class KimiK99/,
        ],
        [
            "misspells a class",
            { architecture: "KimiK99" },
            /SGLang 0\.5\.9 has no model class KimiK99; correct the name/,
        ],
        ["misspells a parser", { parsers: { reasoning: "kimi-k2" } }, /no --reasoning-parser kimi-k2/],
        ["misspells a tool-call parser", { parsers: { toolCall: "kimi" } }, /no --tool-call-parser kimi/],
        [
            "names a parser that came later",
            { parsers: { toolCall: "kimi_k3" } },
            /0\.5\.9 has no --tool-call-parser kimi_k3/,
        ],
        ["begins before its class", { since: "0.5.8.post1" }, /0\.5\.8\.post1 has no model class/],
        ["begins later than it could", { since: "0.5.10" }, /SGLang 0\.5\.9 has all that the profile names/],
        [
            "has a draft of an unknown algorithm",
            { drafts: [{ algorithm: "EAGLE9", repository: "a/b", source: "c" }] },
            /EAGLE9/,
        ],
        [
            "has a checkpoint of a later method",
            { checkpoints: [{ ...checkpoints[0]!, method: "modelopt_mixed" }] },
            /0\.5\.9 has no --quantization modelopt_mixed, which nvidia\/Kimi-K2\.5-NVFP4 needs/,
        ],
        [
            "ran on a release that is not its own",
            { evidence: [{ outcome: "runs", statement: "Served with 0.5.8.post1.", sources: ["x"] }] },
            /runs on 0\.5\.8\.post1/,
        ],
    ])("%s", (_, change, sentence) => {
        expect(profileProblems({ ...right, ...change })).toEqual(
            expect.arrayContaining([expect.stringMatching(sentence)]),
        );
    });
});
