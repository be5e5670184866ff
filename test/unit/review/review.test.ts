/** Change descriptions, from previews that the real engine printed (less stack traces and archives). */
import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { reviewMarkdown } from "../../../cli/review/review.ts";
import { ProblemsError } from "../../../knowledge/base/problems.ts";

const preview = (name: string) =>
    JSON.parse(readFileSync(new URL(`../../fixtures/previews/${name}.json`, import.meta.url), "utf8"));
const review = (name: string) => reviewMarkdown(preview(name)).split("\n");

test("nothing that changes is said in one line", () => {
    expect(reviewMarkdown(preview("unchanged"))).toBe("## No change\n");
});

test("a changed backend is named as that setting, and restarts one service", () => {
    const lines = review("changed-backend");
    expect(lines[2]).toBe("2 resources change; 1 service restarts; nothing is downloaded.");
    expect(lines.find((line) => line.includes("| InferenceService |"))).toContain(
        "settings.fp4-gemm-backend: flashinfer_cudnn → flashinfer_cutlass",
    );
    expect(lines.find((line) => line.includes("qwen35-node1-activate"))).toMatch(/\| restarts the service \|$/);
});

test("a changed dial timeout restarts nothing, and shows nothing of the connection", () => {
    const lines = review("changed-dial-timeout");
    expect(lines[2]).toBe("5 resources change; no service restarts; nothing is downloaded.");
    expect(lines.find((line) => line.includes("qwen35-node1-activate"))).toBe(
        "| update | Command | qwen35-node1-activate | connection: changed, secret | no restart |",
    );
});

test("a new stack starts its service and downloads its model", () => {
    expect(review("created")[2]).toBe(
        "10 resources change; 1 service starts; no service restarts; downloads 250.0 GB.",
    );
});

test("a new address moves the service, and downloads the model there", () => {
    const lines = review("moved-host");
    expect(lines[2]).toBe("6 resources change; 1 service moves; no service restarts; downloads a model.");
    expect(lines).toContain("| update | Host | node1 | address: 192.0.2.11 → 192.0.2.99 |  |");
});

test("a new revision of a model is a download", () => {
    const changed = preview("created");
    const cache = changed.steps.find(({ newState }: { newState: { type: string } }) =>
        newState.type.endsWith(":ModelCache"),
    );
    cache.op = "update";
    cache.oldState = { ...cache.newState, inputs: { ...cache.newState.inputs, revision: "f".repeat(40) } };
    expect(reviewMarkdown({ ...changed, steps: [cache] })).toContain(
        "1 resource changes; no service restarts; downloads 250.0 GB.",
    );
});

test("a service that goes is stopped", () => {
    expect(review("removed-service")[2]).toBe(
        "5 resources change; 1 service stops; no service restarts; nothing is downloaded.",
    );
});

test("a bar in a value does not break the table", () => {
    const changed = preview("changed-backend");
    const service = changed.steps.find(({ newState }: { newState: { type: string } }) =>
        newState.type.endsWith(":InferenceService"),
    );
    service.newState.inputs.model = "a|b";
    const [row] = reviewMarkdown(changed)
        .split("\n")
        .filter((line) => line.includes("InferenceService"));
    expect(row?.replaceAll("\\|", "").split("|")).toHaveLength(7);
});

test("a preview that failed is no description of a change", () => {
    const failed = {
        ...preview("unchanged"),
        diagnostics: [{ severity: "error", message: "error: host key missing\n" }],
    };
    expect(() => reviewMarkdown(failed)).toThrow(/The preview failed.*\n +preview: error: host key missing/);
});

test.each([[{}], [[]], [null], ["text"], [{ steps: [] }], [{ steps: [{}] }]])("%j is no preview", (document) => {
    expect(() => reviewMarkdown(document)).toThrow(ProblemsError);
});

test("a setting that is put back after a failed switch restarts what was switched", () => {
    const changed = preview("changed-backend");
    const activate = changed.steps.find(({ urn }: { urn: string }) => urn.endsWith("-activate"));
    const of = (generation: string) => ({
        ...activate.newState,
        inputs: { stdin: JSON.stringify({ generation }) },
    });
    const intend = {
        ...activate,
        urn: activate.urn.replace(/-activate$/, "-intend"),
        oldState: of("b".repeat(16)),
        newState: of("a".repeat(16)),
    };
    const back = { ...activate, oldState: activate.oldState, newState: activate.oldState };
    const lines = reviewMarkdown({ ...changed, steps: [intend, back] });
    expect(lines).toContain("restarts the service, unless it serves so already");
    expect(lines).toContain("1 service restarts");
});
