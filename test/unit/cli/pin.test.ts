/** `pin` against the stand-in hub: what it writes makes the plan pinned, and on any failure nothing is written. */
import { spawnSync } from "node:child_process";
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { parse as parseYaml, stringify } from "yaml";
import { packageRoot } from "../../../knowledge/base/package-root.ts";
import { type Hub, startHub, tinyModel } from "../../support/standin-hub/hub.ts";

const token = "hf_right";
let hub: Hub;
let folder: string;
beforeAll(async () => {
    hub = await startHub({ "acme/tiny": tinyModel, "acme/gated": { ...tinyModel, token, denied: "hf_other" } });
});
afterAll(() => hub.stop());
beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), "pin-"));
    return () => rmSync(folder, { recursive: true });
});

function sglang(verb: string, model: Record<string, unknown>, environment: Record<string, string> = {}) {
    const { config } = parseYaml(readFileSync(join(packageRoot, "Pulumi.blackwell.yaml"), "utf8"));
    const deployment = config["pulumi-sglang:deployment"];
    deployment.hosts.node1.facts = join(packageRoot, deployment.hosts.node1.facts);
    deployment.builds.sglang.dependencies = "parser-only";
    deployment.models.qwen35 = { profile: "qwen3.5-397b-a17b", endpoint: hub.endpoint, ...model };
    writeFileSync(join(folder, "Pulumi.lab.yaml"), stringify({ config: { "pulumi-sglang:deployment": deployment } }));
    const args = [join(packageRoot, "cli/main.ts"), verb, "-s", "lab", ...(verb === "plan" ? ["--json"] : [])];
    const env = { PATH: process.env.PATH, ...environment };
    const { status, stdout, stderr } = spawnSync(process.execPath, args, { cwd: folder, encoding: "utf8", env });
    return { status, stdout, stderr };
}

const lockFile = () => join(folder, "locks/lab.json");

test("writes revision and files, and the plan is pinned by them", () => {
    const model = { repository: "acme/tiny" };
    const paths = (text: string) => JSON.parse(text).notReady.map(({ path }: { path: string }) => path);
    expect(paths(sglang("plan", model).stdout)).toContain("models.qwen35");
    expect(sglang("pin", model)).toMatchObject({ status: 0, stderr: "" });
    const { revision, files } = hub.repositories["acme/tiny"]!;
    expect(JSON.parse(readFileSync(lockFile(), "utf8")).models["acme/tiny"]).toMatchObject({ revision, files });
    expect(readdirSync(join(folder, "locks"))).toEqual(["lab.json"]);
    const plan = sglang("plan", model).stdout;
    expect(paths(plan)).toEqual(["hosts.node1.hostKey"]);
    expect(JSON.parse(plan).services[0].argv.join(" ")).toContain(`acme--tiny/${revision}`);
});

test("opens a gated repository with the token of the environment, and writes it nowhere", () => {
    const done = sglang("pin", { repository: "acme/gated" }, { HF_TOKEN: token });
    expect(done.status).toBe(0);
    expect(done.stdout + done.stderr + readFileSync(lockFile(), "utf8")).not.toContain(token);
});

describe("writes nothing, and says why", () => {
    test.each<[string, Record<string, unknown>, Record<string, string>, RegExp]>([
        ["when a token is needed", { repository: "acme/gated" }, {}, /refuses acme\/gated \(401\).*in HF_TOKEN/],
        [
            "when the token has no access",
            { repository: "acme/gated" },
            { HF_TOKEN: "hf_other" },
            /\(403\).*the one in HF_TOKEN has none/,
        ],
        ["when there is no such repository", { repository: "acme/none" }, {}, /refuses acme\/none .*does not exist/],
        [
            "when there is no such revision",
            { repository: "acme/tiny", revision: "0".repeat(40) },
            {},
            /answers 404 for acme\/tiny at 0000/,
        ],
        [
            "when nobody answers",
            { repository: "acme/tiny", endpoint: "http://127.0.0.1:1" },
            {},
            /http:\/\/127\.0\.0\.1:1 cannot be reached/,
        ],
        ["when the endpoint is no URL", { repository: "acme/tiny", endpoint: "hub" }, {}, /endpoint: must be a URL/],
    ])("%s", (_name, model, environment, message) => {
        const { status, stderr } = sglang("pin", model, environment);
        expect(status).toBe(2);
        expect(stderr).toMatch(message);
        expect(stderr).not.toMatch(/^ +at |hf_/m);
        expect(existsSync(lockFile())).toBe(false);
    });

    test("when what answers is no hub", () => {
        const endpoint = `${hub.endpoint}/_standin/requests?`;
        const { status, stderr } = sglang("pin", { repository: "acme/tiny", endpoint });
        expect(status).toBe(2);
        expect(stderr).toMatch(/does not answer as a model hub does; correct the endpoint\n$/);
    });
});
