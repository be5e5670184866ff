/** Each policy of the pack: what it says of resources that somebody wrote by hand, and that our own pass. */
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { readStackFile } from "../../../deployment/read.ts";
import { packageJson, packageRoot } from "../../../knowledge/base/package-root.ts";
import { serviceFieldsSchema } from "../../../knowledge/fields/service.ts";
import { policies } from "../../../policy/policies.ts";
import type { CheckedResource } from "../../../policy/resource.ts";
import { deploy } from "../../../stacks/deploy.ts";
import { runProgram } from "../../support/mocks.ts";

const violations = (resource: CheckedResource) =>
    policies.flatMap(({ name, check }) => check(resource).map((message) => `${name}: ${message}`));

const digest = `example.org/sglang@sha256:${"0".repeat(64)}`;

/** A Deployment that is right, with a container changed. */
function deployment(container: object = {}, spec: object = {}, createSeconds = 2700): CheckedResource {
    const server = {
        name: "server",
        image: digest,
        resources: { limits: { "nvidia.com/gpu": 8 } },
        startupProbe: { failureThreshold: 360, periodSeconds: 5 },
        ...container,
    };
    const template = { spec: { containers: [server] } };
    return {
        type: "kubernetes:apps/v1:Deployment",
        props: { spec: { strategy: { type: "Recreate" }, progressDeadlineSeconds: 2600, template, ...spec } },
        opts: { customTimeouts: { createSeconds } },
    };
}

const command = (props: object): CheckedResource => ({
    type: "command:remote:Command",
    props: { connection: { host: "192.0.2.11", hostKey: "ssh-ed25519 AAAA" }, create: "true", ...props },
});

const service = (props: object): CheckedResource => ({
    type: "sglang:index:InferenceService",
    props: {
        release: "0.5.9",
        model: "nvidia/Qwen3-235B-A22B-NVFP4",
        settings: {},
        environment: {},
        findings: [],
        ...props,
    },
});

const claim = (protect: boolean): CheckedResource => ({
    type: "kubernetes:core/v1:PersistentVolumeClaim",
    props: { metadata: { labels: { "app.kubernetes.io/component": "weights" } } },
    opts: { protect },
});

describe("is passed", () => {
    test.each<[string, CheckedResource]>([
        ["a deployment that is right", deployment()],
        ["a command with a host key", command({})],
        ["a service whose settings are safe", service({ settings: { "fp4-gemm-backend": "flashinfer_cudnn" } })],
        ["a protected claim", claim(true)],
        ["a container without GPUs by tag", deployment({ image: "nginx:1.29", resources: {} })],
        ["a token by reference", deployment({ env: [{ name: "HF_TOKEN", valueFrom: { secretKeyRef: {} } }] })],
        ["a key that the shell fills in", deployment({ args: ["--api-key", "$(API_KEY)"] })],
        ["any other resource", { type: "random:index:RandomId", props: { hostKey: "" } }],
    ])("%s", (_title, resource) => {
        expect(violations(resource)).toEqual([]);
    });
});

describe("is refused", () => {
    test.each<[string, CheckedResource, RegExp]>([
        [
            "a command without a host key",
            command({ connection: { host: "x" } }),
            /^host-key-required: connection\.hostKey/,
        ],
        [
            "a jump host without a host key",
            command({ connection: { hostKey: "k", proxy: { host: "x" } } }),
            /^host-key-required: connection\.proxy\.hostKey/,
        ],
        [
            "a service whose own verdict refuses it",
            service({ findings: ["fix moe-runner-auto", "refuse fp4-cutlass-race"] }),
            /^settings-safe-on-sm120: rule fp4-cutlass-race refuses it$/,
        ],
        [
            "a service without a verdict",
            service({ findings: undefined }),
            /^settings-safe-on-sm120: it has no recorded verdict of the rules/,
        ],
        [
            "a launch command by hand with an attention backend that the release refuses",
            deployment({
                image: `lmsysorg/sglang:v0.5.12-cu130@sha256:${"0".repeat(64)}`,
                command: ["python3", "-m", "sglang.launch_server"],
                args: ["--model-path", "nvidia/Qwen3-235B-A22B-NVFP4", "--attention-backend", "trtllm_mha"],
            }),
            /^settings-safe-on-sm120: .*\[trtllm-mha-prefill: /,
        ],
        [
            "a rule that is overridden",
            service({
                findings: ["warn fp4-cutlass-race"],
                accept: [{ rule: "fp4-cutlass-race", reason: "measured here with 64 users" }],
            }),
            /^rules-overridden: rule fp4-cutlass-race is overridden: measured here with 64 users$/,
        ],
        [
            "a key among the arguments",
            deployment({ args: ["--api-key", "abc"] }),
            /^no-secret-in-the-open: container server: its arguments/,
        ],
        [
            "a token in a variable",
            deployment({ env: [{ name: "HF_TOKEN", value: "abc" }] }),
            /^no-secret-in-the-open: container server: the variable HF_TOKEN/,
        ],
        [
            "a token in a command's text",
            command({ update: "HF=hf_abcdefghijklmnopqrstuvwx run" }),
            /^no-secret-in-the-open: update holds a secret/,
        ],
        [
            "a token in a command's environment",
            command({ environment: { HF_TOKEN: "abc" } }),
            /^no-secret-in-the-open: environment\.HF_TOKEN/,
        ],
        [
            "a branch as a revision",
            { type: "sglang:index:ModelCache", props: { revision: "main" } },
            /^sources-pinned: revision is "main"/,
        ],
        [
            "a tag as a commit",
            { type: "sglang:index:PatchedBuild", props: { source: { commit: "v0.5.23" } } },
            /^sources-pinned: source\.commit is "v0\.5\.23"/,
        ],
        ["an image by tag", deployment({ image: "lmsysorg/sglang:latest" }), /^images-by-digest: image "lmsysorg/],
        ["an unprotected claim of weights", claim(false), /^weights-protected: /],
        [
            "a liveness probe during the load",
            deployment({ startupProbe: undefined, livenessProbe: {} }),
            /^startup-budgets: container server has a liveness probe/,
        ],
        [
            "a deadline before the probe's end",
            deployment({}, { progressDeadlineSeconds: undefined }),
            /^startup-budgets: progressDeadlineSeconds 600 is shorter than the startup probe's 1800 s/,
        ],
        ["a Pulumi that gives up first", deployment({}, {}, 600), /^startup-budgets: Pulumi waits 600 s/],
        [
            "a rolling update that needs spare GPUs",
            deployment({}, { strategy: undefined }),
            /^no-spare-gpus-needed: a rolling update with maxSurge 25%/,
        ],
    ])("%s", (_title, resource, expected) => {
        const found = violations(resource);
        expect(found).toHaveLength(1);
        expect(found[0]).toMatch(expected);
    });
});

test.each([
    ["HF_TOKEN", "anything"],
    ["DB_PASSWORD", "anything"],
    ["aws_secret_access_key", "anything"],
    ["MY_CREDENTIALS", "anything"],
    ["X", `hf_${"a".repeat(34)}`],
    ["X", `ghp_${"a".repeat(36)}`],
    ["X", "https://me:word@example.com/"],
    ["SGLANG_LOG", "info"],
    ["TOKENIZERS_PARALLELISM", "false"],
])("a variable %s=%s is a secret to the pack exactly when it is one to a stack file", (name, value) => {
    const refused = !serviceFieldsSchema.safeParse({ environment: { [name]: value } }).success;
    expect(violations(deployment({ env: [{ name, value }] })).length > 0).toBe(refused);
    expect(violations(command({ environment: { [name]: value } })).length > 0).toBe(refused);
});

test("the pack has the version of the package", () => {
    const version = (path: string) => packageJson<{ version: string }>(path).version;
    expect(version("policy/package.json")).toBe(version("package.json"));
});

const stacks = ["blackwell", "glm5", "kimi", "pool"].map((name) => `Pulumi.${name}.yaml`);

test.each(stacks)("%s violates nothing but that it is not pinned yet", async (file) => {
    const { registered, error } = await runProgram(() => deploy(readStackFile(join(packageRoot, file))), {
        preview: true,
    });
    expect(error).toBeUndefined();
    const found = registered.flatMap(({ type, inputs: props, protect, createSeconds }) => {
        const { secret } = (props.connection ?? {}) as { secret?: unknown };
        const seen = { ...props, ...(secret === undefined ? {} : { connection: secret }) };
        return violations({ type, props: seen, opts: { protect, customTimeouts: { createSeconds } } });
    });
    const notPinned = /^sources-pinned: revision is "not-pinned"|^images-by-digest: image "image-not-given"/;
    expect(found.length).toBeGreaterThan(0);
    expect(found.filter((message) => !notPinned.test(message))).toEqual([]);
});
