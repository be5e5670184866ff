import { describe, expect, test } from "vitest";
import { compareVersions } from "../../../knowledge/base/version.ts";
import { newestRelease, release, releases } from "../../../knowledge/sglang/releases.ts";

describe("supported releases", () => {
    test("are in order, from 0.5.8.post1 on", () => {
        expect(releases()[0]).toBe("0.5.8.post1");
        expect([...releases()].sort(compareVersions)).toEqual(releases());
        expect(releases()).toEqual(expect.arrayContaining(["0.5.10.post1", "0.5.17", "0.5.23"]));
        expect(releases().at(-1)).toBe(newestRelease());
    });

    test.each([
        ["0.5.8", "nearest that is: 0.5.8.post1"],
        ["0.5.13.post7", "nearest that is: 0.5.13.post1"],
        ["99.0", `nearest that is: ${newestRelease()}`],
        ["main", "is not a release"],
        ["constructor", "is not a release"],
    ])("%s is refused with the supported ones", (version, message) => {
        expect(() => release(version)).toThrow(RangeError);
        expect(() => release(version)).toThrow(message);
        expect(() => release(version)).toThrow(releases().join(", "));
    });
});

describe("what a release depends on", () => {
    test.each([
        ["0.5.8.post1", ">=3.10", "2.9.1", "4.57.1", "0.6.1", "sgl-kernel", "0.3.21", 12],
        ["0.5.10.post1", ">=3.10", "2.9.1", "5.3.0", "0.6.7.post3", "sglang-kernel", "0.4.1", 12],
        ["0.5.11", ">=3.10", "2.11.0", "5.6.0", "0.6.8.post1", "sglang-kernel", "0.4.2", 13],
        ["0.5.17", ">=3.10", "2.11.0", "5.12.1", "0.6.15.post1", "sglang-kernel", "0.4.5", 13],
        ["0.5.23", ">=3.11", "2.14.1", "5.19.0", "0.7.2", "sglang-kernel", "0.4.10", 13],
    ])("%s", (version, python, torch, transformers, flashinfer, name, kernel, cuda) => {
        expect(release(version).pins).toMatchObject({
            python,
            torch,
            transformers,
            flashinfer,
            kernel: { name, version: kernel },
            cuda,
        });
    });

    test("every release says all of its pins", () => {
        for (const version of releases()) {
            const { python, torch, transformers, flashinfer, kernel } = release(version).pins;
            for (const pin of [torch, transformers, flashinfer, kernel.version]) {
                expect(pin).toMatch(/^\d+\.\d+/);
            }
            expect(python).toMatch(/^>=3\.1\d$/);
        }
    });
});

test("GLM-5 and Qwen3.5 can be loaded since 0.5.9", () => {
    for (const model of ["GlmMoeDsaForCausalLM", "Qwen3_5MoeForConditionalGeneration"]) {
        const has = releases().filter((version) => release(version).architectures.includes(model));
        expect(has).toEqual(releases().slice(1));
    }
});
