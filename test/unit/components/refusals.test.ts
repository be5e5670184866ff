/** Arguments that are wrong: refused with every mistake in one error, before anything is registered. */
import { describe, expect, test } from "vitest";
import {
    Host,
    type HostArgs,
    ModelCache,
    type ModelCacheArgs,
    PatchedBuild,
    type PatchedBuildArgs,
} from "../../../index.ts";
import { outputValue, runProgram } from "../../support/mocks.ts";
import { type ExampleChanges, example, hostArgs } from "./example.ts";

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
        () => new ModelCache("x", { repository: "owner/name", revision: "main" } as ModelCacheArgs),
        ["revision: must be a commit of 40 hex digits, not a branch or tag"],
    ],
    [
        "an image by tag",
        () => new PatchedBuild("x", { release: "0.5.23", image: "example.org/sglang:latest" }),
        ["image: must be an image by digest", "a tag can move"],
    ],
    [
        "a tag as a package's version",
        () => new PatchedBuild("x", { release: "v0.5.23", versions: { flashinfer: "nightly", torch: "==2.9.1" } }),
        ["versions.flashinfer: must be a version as PEP 440 writes it"],
    ],
    [
        "a patch that does not ship",
        () => new PatchedBuild("x", { release: "0.5.23", patches: ["redact-credential"] } as PatchedBuildArgs),
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
        "a key of settings that does not exist",
        () => example({ service: { backend: {} } as ExampleChanges["service"] }),
        ["backend: is not a known key"],
    ],
];

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
