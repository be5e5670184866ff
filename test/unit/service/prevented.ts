import type { ResolvedService } from "../../../knowledge/service/spec.ts";

/** Value of a setting in a plan. */
export const value = (service: ResolvedService, name: string) => service.settings[name]?.value;
/** The attention backend of a plan. */
export const attention = (service: ResolvedService) => value(service, "attention-backend");

const sinks: readonly unknown[] = ["triton", "trtllm_mha"];
const split = (service: ResolvedService) =>
    ["prefill-attention-backend", "decode-attention-backend"].flatMap((name) => value(service, name) ?? []);

/** For each refusal of the engine: what of the plan shows that it cannot come. */
const prevented: readonly [RegExp, (service: ResolvedService) => boolean][] = [
    [/Transformers does not recognize/, () => false],
    [/invalid choice: 'flashinfer_cutedsl'/, (service) => value(service, "fp4-gemm-backend") !== "flashinfer_cutedsl"],
    [
        /invalid choice: 'flashinfer_sparse_mla'/,
        (service) => value(service, "dsa-prefill-backend") !== "flashinfer_sparse_mla",
    ],
    [/unrecognized arguments: --nsa/, (service) => "dsa-prefill-backend" in service.arguments],
    [/unrecognized arguments: --mamba-scheduler/, (service) => "mamba-radix-cache-strategy" in service.arguments],
    [/unrecognized arguments: --linear-attn/, (service) => value(service, "linear-attn-backend") === undefined],
    [/only be used with MLA models/, (service) => attention(service) !== "trtllm_mla"],
    [/TRTLLM|non-MLA models/, (service) => attention(service) !== "trtllm_mha"],
    [/supported backends on Blackwell/, (service) => attention(service) === "triton"],
    [/backends are supported on Blackwell/, (service) => attention(service) !== "fa4"],
    [/FlashAttention v3/, (service) => attention(service) !== "fa3"],
    [/expert parallel size/, (service) => [1, 8].includes(Number(value(service, "ep-size") ?? 1))],
    [/KeyError: 12/, (service) => value(service, "enable-torch-symm-mem") === undefined],
    [/static FP8 quantization/, (service) => value(service, "quantization") === "modelopt_fp4"],
    [/allreduce fusion requires/, (service) => value(service, "flashinfer-allreduce-fusion-backend") === undefined],
    [/Unsupported runner|not supported for NVFP4/, (service) => value(service, "moe-runner-backend") !== "cutlass"],
    [/DeepSeek DSA only supports/, (service) => value(service, "kv-cache-dtype") !== "fp8_e5m2"],
    [
        /flashinfer_sparse_mla supports only/,
        (service) => value(service, "dsa-prefill-backend") !== "flashinfer_sparse_mla",
    ],
    [/requires --mamba-ssm-dtype/, (service) => value(service, "linear-attn-backend") !== "flashinfer"],
    [/no_buffer do not support overlap/, (service) => value(service, "disable-overlap-schedule") === true],
    [/not compatible with radix cache/, (service) => value(service, "mamba-radix-cache-strategy") === "extra_buffer"],
    [
        /GptOssForCausalLM requires/,
        (service) => sinks.includes(attention(service)) && split(service).every((one) => sinks.includes(one)),
    ],
    [/KV4 MHA expects/, (service) => attention(service) === "triton"],
    [/KV4 MLA expects/, (service) => attention(service) === "flashinfer"],
    [/Currently only .* attention backends/, (service) => attention(service) === "triton"],
    [/extra_buffer is not compatible/, (service) => value(service, "mamba-radix-cache-strategy") === "no_buffer"],
    [/needs mamba state/, (service) => value(service, "mamba-radix-cache-strategy") === undefined],
    [/'>' not supported between|^AssertionError:$|only supports topk|page_size|cannot contain a colon/, () => false],
    [/[Pp]ipeline parallel|PP \+ speculative|two batch overlap|MoE A2A/, () => false],
    [
        /CuteDSL MOE|greater than the derived|mutually exclusive|Quantization method|Triton kernel MoE|NVFP4 prefill/,
        () => false,
    ],
];

/** Whether the plan keeps a refusal of the engine from coming: by refusing first, or by what it changed. Throws for an error that it has no check for. */
export function prevents(service: ResolvedService, error: string): boolean {
    const check = prevented.find(([pattern]) => pattern.test(error));
    if (check === undefined) {
        throw new Error(`no check for: ${error}`);
    }
    return service.refused || check[1](service);
}
