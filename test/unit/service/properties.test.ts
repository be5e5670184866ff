import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { fieldOfSetting } from "../../../knowledge/fields/field-settings.ts";
import { type ServiceFields, serviceFieldsSchema } from "../../../knowledge/fields/service.ts";
import { resolve } from "../../../knowledge/service/resolve.ts";
import type { ServiceSpec } from "../../../knowledge/service/spec.ts";
import { findOption, launchArguments, releases } from "../../../knowledge/sglang/index.ts";
import { hostFacts, serviceSpec } from "./service-spec.ts";

const repositories = [
    "nvidia/Qwen3.5-397B-A17B-NVFP4",
    "nvidia/GLM-5.2-NVFP4",
    "festr2/GLM-5-NVFP4-MTP",
    "nvidia/Kimi-K2.5-NVFP4",
    "nvidia/DeepSeek-V3.2-NVFP4",
    "nvidia/Qwen3-235B-A22B-NVFP4",
    "lukealonso/MiniMax-M2.5-NVFP4",
    "zai-org/GLM-4.7-FP8",
    "openai/gpt-oss-120b",
    "zai-org/GLM-5.3-Flash",
];

const release = fc.constantFrom(...releases());
const repository = fc.constantFrom(...repositories);
const some = <T>(arbitrary: fc.Arbitrary<T>) => fc.option(arbitrary, { nil: undefined });

/** A value that the release's own parser takes for a field, or nothing. */
const choiceOf = (version: string, ...settings: string[]) => {
    const options = settings.map((setting) => findOption(version, setting)).find((option) => option?.choices);
    return options ? some(fc.constantFrom(...(options.choices as string[]))) : fc.constant(undefined);
};

/** Typed fields that the release can express. */
const validFields = (version: string): fc.Arbitrary<ServiceFields> => {
    const choice = (...settings: string[]) => choiceOf(version, ...settings);
    return fc.record({
        backends: fc.record({
            attention: choice("attention-backend"),
            sparsePrefill: choice("dsa-prefill-backend", "nsa-prefill-backend"),
            sparseDecode: choice("dsa-decode-backend", "nsa-decode-backend"),
            moeRunner: choice("moe-runner-backend"),
            fp4Gemm: choice("fp4-gemm-backend"),
            fp8Gemm: choice("fp8-gemm-backend"),
            quantization: some(fc.constantFrom("modelopt_fp4", "fp8")),
            customAllReduce: some(fc.boolean()),
            flashinferAllReduceFusion: some(fc.boolean()),
            torchSymmetricMemory: some(fc.boolean()),
            sharedExpertsFusion: some(fc.boolean()),
            decodeCudaGraphMaxBatchSize: some(fc.integer({ min: 1, max: 1024 })),
        }),
        parallelism: fc.record({
            tensor: some(fc.constantFrom(1, 2, 4, 8)),
            data: some(fc.constantFrom(1, 2)),
            expert: some(fc.constantFrom(1, 2, 8)),
        }),
        kvCache: fc.record({
            dtype: choice("kv-cache-dtype"),
            memoryFraction: some(fc.constantFrom(0.5, 0.8, 0.9, 0.97)),
            pageSize: some(fc.constantFrom(1, 64)),
            radixCache: some(fc.boolean()),
            mambaRadixStrategy: choice("mamba-radix-cache-strategy", "mamba-scheduler-strategy"),
            mambaStateDtype: choice("mamba-ssm-dtype"),
        }),
        scheduling: fc.record({
            maxRunningRequests: some(fc.integer({ min: 1, max: 4096 })),
            contextLength: some(fc.integer({ min: 1024, max: 262144 })),
            chunkedPrefillSize: some(fc.constantFrom(2048, 8192)),
        }),
        speculative: some(
            fc.constantFrom(
                { algorithm: "NEXTN", steps: 3, eagleTopK: 1, draftTokens: 4 },
                { algorithm: "EAGLE", steps: 5, eagleTopK: 4, draftTokens: 8 },
            ),
        ),
    }) as fc.Arbitrary<ServiceFields>;
};

const validSpec = fc
    .tuple(release, repository, fc.constantFrom("hosts", "pool"), fc.boolean())
    .chain(([version, name, placement, hasApiKey]) =>
        validFields(version).map((fields) =>
            serviceSpec({
                release: version,
                repository: name,
                placement: placement as "hosts" | "pool",
                hasApiKey,
                fields: JSON.parse(JSON.stringify(fields)),
            }),
        ),
    );

describe("random but valid fields", () => {
    it("never throw, and never give arguments that the release does not take", () => {
        fc.assert(
            fc.property(validSpec, (spec) => {
                expect(serviceFieldsSchema.safeParse(spec.fields).success).toBe(true);
                const service = resolve(spec);
                expect(service.problems, JSON.stringify(spec.fields)).toEqual([]);
                for (const [name, value] of Object.entries(service.arguments)) {
                    const option = findOption(spec.build.release, name);
                    expect(option, `${name} in ${spec.build.release}`).toBeDefined();
                    const again = launchArguments({ [name]: { value, origin: "user" } }, spec.build.release);
                    expect(again.problems).toEqual([]);
                }
            }),
            { numRuns: 120 },
        );
    });

    it("end where they began: resolving the outcome again changes nothing more", () => {
        fc.assert(
            fc.property(validSpec, (spec) => {
                const once = resolve(spec);
                if (once.refused) {
                    return;
                }
                const environment = Object.fromEntries(once.environment.map(({ name, value }) => [name, value]));
                const again = resolve(withSettings(spec, once.settings, environment));
                const corrected = Object.keys({ ...again.settings, ...again.environment });
                expect(
                    again.findings.filter(({ verdict, setting }) => verdict !== "warn" && corrected.includes(setting!)),
                ).toEqual([]);
                expect(again.arguments).toEqual(once.arguments);
            }),
            { numRuns: 250 },
        );
    });
});

/** The same service with every setting given by hand: through `extraArgs` where there is no field. */
function withSettings(
    spec: ServiceSpec,
    settings: ReturnType<typeof resolve>["settings"],
    environment: Record<string, string>,
): ServiceSpec {
    const extraArgs: Record<string, never> = {};
    const fields: Record<string, Record<string, unknown>> = {};
    const turned: Readonly<Record<string, (value: unknown) => unknown>> = {
        "backends.customAllReduce": () => false,
        "backends.flashinferAllReduceFusion": () => true,
        "backends.sharedExpertsFusion": () => false,
        "kvCache.radixCache": () => false,
    };
    for (const [name, { value }] of Object.entries(settings)) {
        const path = fieldOfSetting(name);
        if (path === undefined) {
            extraArgs[name] = value as never;
        } else {
            const [group, key] = path.split(".") as [string, string];
            fields[group] = { ...fields[group], [key]: turned[path] ? turned[path](value) : value };
        }
    }
    return { ...spec, fields: { ...(fields as ServiceFields), extraArgs, environment } };
}

const word = fc.oneof(
    fc.string(),
    fc.constantFrom("--", "-", "--tp", "--tp 8", "$(rm)", "'", '"', "\\", "\n", "=", "a=b", "--model-path"),
);
const scalar = fc.oneof(fc.string(), fc.integer(), fc.double({ noNaN: true }), fc.boolean());

describe("random rubbish", () => {
    it("is a list of problems, never an exception", () => {
        const spec = fc.record({
            release: fc.oneof(release, fc.string()),
            repository: fc.oneof(repository, fc.string()),
            config: fc.oneof(fc.constant(undefined), fc.jsonValue()),
            topology: fc.oneof(fc.constant(hostFacts().topology), fc.string()),
            launch: some(fc.array(word, { maxLength: 12 }).map((words) => words.join(" "))),
            extraArgs: some(fc.dictionary(word, fc.oneof(scalar, fc.array(fc.oneof(fc.string(), fc.integer()))))),
            environment: some(
                fc.dictionary(fc.constantFrom("NCCL_P2P_LEVEL", "NCCL_GRAPH_FILE", "CUDA_HOME", "X"), fc.string()),
            ),
            versions: fc.dictionary(
                fc.constantFrom("flashinfer-python", "torch", "transformers", "nvidia-nccl-cu13"),
                fc.string(),
            ),
            accept: some(fc.array(fc.record({ rule: fc.string(), reason: fc.string() }), { maxLength: 3 })),
        });
        fc.assert(
            fc.property(spec, (rubbish) => {
                const { topology, launch, extraArgs, environment, accept, config, repository: name, ...rest } = rubbish;
                const service = resolve(
                    serviceSpec({
                        ...rest,
                        model: { repository: name, config },
                        facts: hostFacts({ topology }),
                        fields: JSON.parse(JSON.stringify({ launch, extraArgs, environment, accept })),
                    }),
                );
                expect(service.problems.every(({ path, message }) => path !== "" && message !== "")).toBe(true);
                expect(service.refused || service.problems.length === 0).toBe(true);
            }),
            { numRuns: 150 },
        );
    });
});
