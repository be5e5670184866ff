/** Arguments that are wrong: refused with every mistake in one error, before anything is registered. */
import { describe, expect, test } from "vitest";
import {
    Host,
    type HostArgs,
    InferenceService,
    ModelCache,
    type ModelCacheArgs,
    PatchedBuild,
} from "../../../index.ts";
import { outputValue, runProgram } from "../../support/mocks.ts";
import { type ExampleChanges, example, gpuPool, hostArgs, lock } from "./example.ts";

const cases: [string, () => unknown, string[]][] = [
    [
        "a host without a host key",
        () => new Host("x", { ...hostArgs(), hostKey: undefined } as unknown as HostArgs),
        ['Host "x" is not valid', "hostKey"],
    ],
    [
        "a host with an RSA key",
        () => new Host("x", hostArgs({ hostKey: "ssh-rsa AAAAB3NzaC1yc2E" })),
        ["hostKey: must be an ed25519 or ecdsa host key", "RSA keys fail"],
    ],
    [
        "several mistakes at once",
        () => new Host("x", hostArgs({ port: 0, root: "opt/x y", hostKey: "nothing" })),
        ["port:", "root: must be an absolute path", "hostKey:"],
    ],
    [
        "a branch as a revision",
        () => new ModelCache("x", { placement: { pool: gpuPool() }, repository: "owner/name", revision: "main" }),
        ["revision: must be a commit of 40 hex digits, not a branch or tag"],
    ],
    [
        "an image by tag",
        () =>
            new PatchedBuild("x", {
                placement: { pool: gpuPool(), image: "example.org/sglang:latest" },
                release: "0.5.23",
            }),
        ["image: must be an image by digest", "a tag can move"],
    ],
    [
        "a tag as a package's version",
        () =>
            new PatchedBuild("x", {
                placement: { pool: gpuPool() },
                release: "v0.5.23",
                versions: { flashinfer: "nightly", torch: "==2.9.1" },
            }),
        ["versions.flashinfer: must be a version as PEP 440 writes it"],
    ],
    [
        "a patch that does not ship",
        () =>
            new PatchedBuild("x", {
                placement: { pool: gpuPool() },
                release: "0.5.23",
                patches: ["redact-credential"],
            }),
        ["patches.0", "redact-credentials"],
    ],
    [
        "an attention backend that the release refuses on SM120",
        () => example({ build: { release: "0.5.9" }, service: { backends: { attention: "trtllm_mha" } } }),
        ['InferenceService "chat" is not valid', "trtllm-mha-prefill", "Leave the attention backend out"],
    ],
    [
        "an option that the release does not have",
        () => example({ service: { extraArgs: { "chunked-prefil-size": 4096 } } }),
        ["extraArgs", "chunked-prefill-size"],
    ],
    [
        "a host with a blank in its name",
        () => new Host("my host", hostArgs()),
        ['Host "my host" is not valid', "name: must be lower-case letters"],
    ],
    [
        "a key that a host does not have",
        () => new Host("x", { ...hostArgs(), adress: "192.0.2.1" } as HostArgs),
        ['adress: is not a known key; did you mean "address"?'],
    ],
    [
        "a release that is not supported",
        () => example({ build: { release: "0.9.9" } }),
        ['PatchedBuild "sglang" is not valid', "release:", "0.5.23"],
    ],
    [
        "a model that is nowhere",
        () => new ModelCache("x", { repository: "owner/name" } as ModelCacheArgs),
        ['ModelCache "x" is not valid', "placement: is missing"],
    ],
    [
        "a service on no host",
        () => example({ service: { placement: { hosts: [] } } }),
        ['InferenceService "chat" is not valid', "placement.hosts: must have at least 1 entry"],
    ],
    [
        "hosts and a pool together",
        () => example({ service: withPlacement((hosts) => ({ hosts, pool: gpuPool() })) }),
        ["placement.pool: cannot stand beside `hosts`"],
    ],
    [
        "nodes beside hosts",
        () => example({ service: withPlacement((hosts) => ({ hosts, nodes: 2 })) }),
        ["placement.nodes: goes with `pool`, not with `hosts`"],
    ],
    [
        "no GPU at all",
        () => example({ service: withPlacement((hosts) => ({ hosts, gpus: [] })) }),
        ["placement.gpus: must have at least 1 entry"],
    ],
    [
        "a GPU that is not there",
        () => example({ service: withPlacement((hosts) => ({ hosts, gpus: [8] })) }),
        ["placement.gpus: rack1 has the GPUs 0, 1, 2, 3, 4, 5, 6, 7, not 8"],
    ],
    [
        "a cache on another host",
        () => {
            const other = new Host("rack2", hostArgs({ address: "192.0.2.12" }));
            return example({ cache: { placement: { hosts: [other] } } });
        },
        ['InferenceService "chat" is not valid', "cache: is not on rack1"],
    ],
    [
        "a build on another host",
        () => {
            const other = new Host("rack2", hostArgs({ address: "192.0.2.12" }));
            return example({ build: { placement: { hosts: [other] } } });
        },
        ['InferenceService "chat" is not valid', "build: is not on rack1"],
    ],
    [
        "a second service on the same GPUs and port",
        () => {
            const { build, cache, host } = example();
            return new InferenceService("code", { build, cache, placement: { hosts: [host] } });
        },
        [
            'InferenceService "code" is not valid',
            "placement.gpus: GPUs 0, 1, 2, 3, 4, 5, 6, 7 of rack1 are already used by services.chat: give each service its own",
            "api.port: port 30000 of rack1 is already used by services.chat",
        ],
    ],
    [
        "a Secret of a cluster on a host",
        () => example({ service: { apiKey: { kubernetesSecret: "key" } } }),
        ["apiKey: a Secret of a cluster is nowhere on a host"],
    ],
    [
        "a file of a host in a pool",
        () =>
            new ModelCache("x", {
                placement: { pool: gpuPool() },
                repository: "owner/name",
                token: { hostFile: "/k" },
            }),
        ["token: a file of a host is nowhere in a pool"],
    ],
    [
        "two ways to give one secret",
        () => example({ service: { apiKey: { value: "k", hostFile: "/k" } } as ExampleChanges["service"] }),
        ["apiKey: must be one of { value }, { hostFile: <path> } and { kubernetesSecret"],
    ],
    [
        "a server over several nodes whose weights only one can read",
        () => {
            const pool = gpuPool();
            const build = new PatchedBuild("sglang", { placement: { pool, image }, release: "0.5.23" });
            const cache = new ModelCache("glm5", {
                placement: { pool, image },
                repository: "lukealonso/GLM-5-NVFP4",
                lock,
            });
            return new InferenceService("chat", { build, cache, placement: { pool, nodes: 2 } });
        },
        ["placement.nodes: 2 nodes read the weights at once"],
    ],
    [
        "a key of settings that does not exist",
        () => example({ service: { backend: {} } as ExampleChanges["service"] }),
        ["backend: is not a known key"],
    ],
];

const image = `example.org/sglang@sha256:${"0".repeat(64)}`;

/** A placement that the types refuse too. */
function withPlacement(place: (hosts: Host[]) => object): ExampleChanges["service"] {
    return { placement: place as never };
}

describe("a component refuses", () => {
    test.each(cases)("%s", async (_title, program, expected) => {
        const { registered, error } = await runProgram(program);
        const refused = / "(.+)" is not valid/.exec(error?.message ?? "")?.[1];
        for (const text of expected) {
            expect(error?.message).toContain(text);
        }
        expect(registered.map(({ name }) => name)).not.toContain(refused);
        expect(registered.filter(({ parent }) => parent === refused)).toEqual([]);
    });

    test("without a stack trace, which Node would take a minute to colour", async () => {
        const { error } = await runProgram(() => new Host("x", hostArgs({ hostKey: "nothing" })));
        expect(error?.name).toBeDefined();
        expect(error?.stack).toBeUndefined();
    });
});

test("a setting that a rule corrects is registered corrected, and said", async () => {
    const { registered, value } = await runProgram(() =>
        example({ build: { release: "0.5.9" }, service: { backends: { fp4Gemm: "flashinfer_cutlass" } } }),
    );
    const shown = registered.find(({ name }) => name === "chat")!.inputs.settings;
    expect(shown).toMatchObject({ "fp4-gemm-backend": "flashinfer_cudnn" });
    expect(await outputValue(value!.service.findings)).toContainEqual(expect.stringMatching(/^fix fp4-cutlass-race: /));
});

test("a rule accepted with a reason changes nothing, and is shown", async () => {
    const accept = [{ rule: "fp4-cutlass-race", reason: "measured here" }];
    const { registered } = await runProgram(() =>
        example({ build: { release: "0.5.9" }, service: { backends: { fp4Gemm: "flashinfer_cutlass" }, accept } }),
    );
    const { inputs } = registered.find(({ name }) => name === "chat")!;
    expect(inputs).toMatchObject({ accept, settings: { "fp4-gemm-backend": "flashinfer_cutlass" } });
});
