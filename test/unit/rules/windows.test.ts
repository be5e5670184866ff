import { describe, expect, it } from "vitest";
import { compareVersions, inWindow, type VersionWindow } from "../../../knowledge/base/version.ts";
import { type RuleWindow, rules } from "../../../knowledge/rules/index.ts";
import { resolve } from "../../../knowledge/service/resolve.ts";
import { releases } from "../../../knowledge/sglang/index.ts";
import { hostFacts, type SpecChanges, serviceSpec, untuned } from "../service/service-spec.ts";
import { cases } from "./cases.ts";

/** The next lower version: `0.6.2` below `0.6.3`, `12.99` below `13.0`. */
function below(version: string): string {
    const parts = version.split(".").map(Number);
    const at = parts.findLastIndex((part) => part > 0);
    return parts.map((part, index) => (index === at ? part - 1 : index > at ? 99 : part)).join(".");
}

/** What lies on each side of the edges: `inside` must be judged, `outside` left alone. */
function edges(name: keyof RuleWindow, span: VersionWindow): { inside: string[]; outside: string[] } {
    const pick = (found: string | undefined) => (found === undefined ? [] : [found]);
    if (name === "sglang") {
        const { since, before } = span;
        return {
            inside: [
                ...(since ? pick(releases().find((release) => compareVersions(release, since) >= 0)) : []),
                ...(before ? pick(releases().findLast((release) => compareVersions(release, before) < 0)) : []),
            ],
            outside: [
                ...(since ? pick(releases().findLast((release) => compareVersions(release, since) < 0)) : []),
                ...(before ? pick(releases().find((release) => compareVersions(release, before) >= 0)) : []),
            ],
        };
    }
    const early = (version: string) => [`${version}.dev20260101`, `${version}rc1`];
    const builds = (versions: string[]) => versions.flatMap((version) => [version, `${version}+cu130`]);
    return {
        inside: builds([...pick(span.since), ...(span.before ? [below(span.before), ...early(span.before)] : [])]),
        outside: builds([...(span.since ? [below(span.since), ...early(span.since)] : []), ...pick(span.before)]),
    };
}

/** The service with another version of one thing. */
function at(name: keyof RuleWindow, version: string, changes: SpecChanges): SpecChanges {
    const facts = changes.facts ?? hostFacts();
    switch (name) {
        case "sglang":
            return { ...changes, release: version };
        case "flashinfer":
            return { ...changes, versions: { ...changes.versions, "flashinfer-python": version } };
        case "nccl":
            return { ...changes, versions: { ...changes.versions, "nvidia-nccl-cu13": version } };
        case "driver":
            return { ...changes, facts: { ...facts, driver: version } };
        case "cuda":
            return { ...changes, facts: { ...facts, toolkit: { path: "/usr/local/cuda", version } } };
    }
}

const windows = rules.flatMap((rule) =>
    Object.entries<readonly VersionWindow[]>({ ...rule.window }).flatMap(([name, spans]) =>
        spans.map((span) => ({ id: rule.id, name: name as keyof RuleWindow, span, spans })),
    ),
);

describe("a rule holds up to the edges of its windows, and not beyond", () => {
    it.each(windows.map((window) => [`${window.id}: ${window.name} ${JSON.stringify(window.span)}`, window] as const))(
        "%s",
        (_, { id, name, span, spans }) => {
            const found = (version: string) => {
                const service = resolve(serviceSpec(untuned(at(name, version, cases[id]!.inside))));
                return service.findings.some(({ rule }) => rule === id);
            };
            const { inside, outside } = edges(name, span);
            for (const version of inside) {
                expect(found(version), `${name} ${version}`).toBe(true);
            }
            for (const version of outside.filter((one) => !spans.some((other) => inWindow(one, other)))) {
                expect(found(version), `${name} ${version}`).toBe(false);
            }
        },
    );
});

describe("a version is judged however it is written", () => {
    const rulesOf = (changes: SpecChanges) => resolve(serviceSpec(untuned(changes))).findings.map(({ rule }) => rule);
    const cutlass: SpecChanges = { release: "0.5.9", fields: { backends: { fp4Gemm: "flashinfer_cutlass" } } };

    it.each([
        ["0.6.6", true],
        ["0.6.6+cu130", true],
        ["0.6.6rc1", true],
        ["0.6.6.dev20260101", true],
        ["0.6.6.post2+cu130", true],
        ["0.6.7rc1", true],
        ["0.6.7", false],
        ["0.6.7+cu130", false],
    ])("FlashInfer %s under a build with the CUTLASS race: %s", (version, refused) => {
        const found = rulesOf({ ...cutlass, versions: { "flashinfer-python": version } });
        expect(found.includes("fp4-cutlass-race-pinned")).toBe(refused);
    });

    it.each([
        ["2.6.0", true],
        ["2.6.0+cu124", true],
        ["2.7.0rc1", true],
        ["2.7.0.dev20250301+cu128", true],
        ["2.7.0", false],
        ["2.7.0+cu128", false],
    ])("PyTorch %s has no SM120 kernels: %s", (version, refused) => {
        const found = rulesOf({ versions: { torch: version, "sglang-kernel": "0.4.0" } });
        expect(found.includes("torch-without-sm120")).toBe(refused);
    });
});
