/** The real SGLang wheel on a real host: patched, and judged by its own parser. */
import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { patchSet } from "../../knowledge/artifacts/patches.ts";
import { E2eStack, standInRelease } from "../support/e2e-stack.ts";
import { startHost, type TestHost } from "../support/hosts/host.ts";
import { gatewayAddress } from "../support/hosts/network.ts";
import { makeWheelhouse, type Wheelhouse } from "../support/hosts/wheelhouse.ts";
import { type Hub, startHub, tinyModel } from "../support/standin-hub/hub.ts";

const repository = "acme/tiny";
/** The wheel, and what its parser needs. */
const parserPackages = [
    "sglang",
    "packaging",
    "pydantic",
    "pydantic-core",
    "annotated-types",
    "typing-extensions",
    "typing-inspection",
    "msgspec",
];
let host: TestHost;
let hub: Hub;
let stack: E2eStack;
let wheelhouse: Wheelhouse;

beforeAll(async () => {
    wheelhouse = makeWheelhouse(join(mkdtempSync(join(tmpdir(), "wheels-")), "house"), {
        alone: [`sglang==${standInRelease}`],
        requirements: ["huggingface_hub==1.33.0", "packaging", "pydantic", "msgspec"],
    });
    hub = await startHub({ [repository]: tinyModel }, gatewayAddress());
    host = await startHost({ name: "node1", wheelhouse });
    stack = await E2eStack.create("wheel", [host], { hub, wheelhouse, repository });
    stack.pinBuild(wheelhouse.lock.filter(({ name }) => parserPackages.includes(name)));
    Object.assign(stack.file.builds.sglang!, { dependencies: "parser-only", patches: ["redact-credentials"] });
    stack.write();
});

afterAll(async () => {
    await stack?.close();
    hub?.stop();
    host?.stop();
});

/** Asks the build's own parser on the host, as `activate` does before it stops anything. */
async function judge(changes: Record<string, unknown>) {
    const steps = await stack.engine.previewSteps();
    const activate = steps.find(({ urn }) => urn.endsWith("::tiny-node1-activate"))!;
    const document = JSON.parse(String(activate.newState!.inputs!.stdin));
    Object.assign(document.arguments, changes);
    const agent = (await host.exec("ls /opt/sglang/agent/*/agent.pyz")).stdout.trim();
    return host.exec(`python3 -I ${agent} check-arguments`, { stdin: JSON.stringify(document) });
}

it("is built with a patch, and refuses to serve without its dependencies", async () => {
    const result = await stack.engine.up();
    expect(result.code).not.toBe(0);
    expect(result.text).toContain("has no dependencies (`dependencies: parser-only`)");
    const build = (await host.exec("ls /opt/sglang/builds")).stdout.trim();
    const [patch] = patchSet(standInRelease).patches;
    const changed = await host.exec(
        `cd /opt/sglang/builds/${build}/venv/lib/python3.11/site-packages && cat ${patch!.files.join(" ")}`,
    );
    const added = patch!.text.split("\n").filter((line) => /^\+\s*\S{12}/.test(line) && !line.startsWith("+++"));
    expect(added.length).toBeGreaterThan(0);
    for (const line of added) {
        expect(changed.stdout).toContain(line.slice(1));
    }
});

it("has its arguments accepted by its own parser", async () => {
    const { code, stdout, stderr } = await judge({});
    expect(code, stderr).toBe(0);
    expect(JSON.parse(stdout).accepted).toBeGreaterThan(10);
});

it("refuses an option that the release lacks, and names the nearest", async () => {
    const { code, stderr } = await judge({ "fp4-gemm-runner-backnd": "flashinfer_cudnn" });
    expect(code).toBe(1);
    expect(stderr).toContain("--fp4-gemm-runner-backnd");
    expect(stderr).toContain("the nearest option of this release is --fp4-gemm-backend");
});
