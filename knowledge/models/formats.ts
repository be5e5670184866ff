/**
 * Who wrote a checkpoint, and what numbers it holds: two things. SGLang compares its `--quantization` with the first; its kernels
 * depend on the second. NVFP4 numbers come from ModelOpt and from compressed-tensors, which need different flags.
 */

/**
 * Quantization method as SGLang itself names it after reading the configuration; `bf16` when nothing is quantized.
 * sglang 0.5.9 to 0.5.23 srt/configs/model_config.py `_parse_quant_hf_config`, `_parse_modelopt_quant_config`.
 */
export type Method =
    | "modelopt_fp4"
    | "modelopt_fp8"
    | "modelopt_mixed"
    | "w4afp8"
    | "compressed-tensors"
    | "fp8"
    | "mxfp8"
    | "mxfp4"
    | "awq"
    | "gptq"
    | "bf16";

/** What one weight is stored as. */
export type NumberFormat = "bf16" | "fp8" | "mxfp8" | "int8" | "nvfp4" | "mxfp4" | "int4";

/** SGLang's name of a method, as `--quantization` takes it; none for 16 bit weights. */
export function flagOf(method: Method): string | undefined {
    return method === "bf16" ? undefined : method;
}

/** Bytes of a weight where nothing more is known: 4 bits and scales, one byte, or two. */
const bytes: Readonly<Record<NumberFormat, number>> = {
    bf16: 2,
    fp8: 1,
    mxfp8: 1 + 1 / 32,
    int8: 1,
    nvfp4: 0.5 + 1 / 16,
    mxfp4: 0.5 + 1 / 32,
    int4: 0.5 + 2 / 32,
};

/** A format with its cost per weight, scales included. */
export interface StoredAs {
    readonly format: NumberFormat;
    readonly bytes: number;
}

/** A format at its usual cost. */
export function storedAs(format: NumberFormat): StoredAs {
    return { format, bytes: bytes[format] };
}

/** Whole numbers in groups: 16-bit scales, and with `zeroPoints` one number more per group. A group of 0 or less is a whole row. */
export function integers(bits: 4 | 8, group: number, zeroPoints: boolean): StoredAs {
    const perGroup = group > 0 ? (2 + (zeroPoints ? bits / 8 : 0)) / group : 0;
    return { format: bits === 4 ? "int4" : "int8", bytes: bits / 8 + perGroup };
}

/** Format of a part whose bytes are known and whose method is. */
export function formatOfBytes(value: number, method: Method): NumberFormat {
    if (value >= 2) {
        return "bf16";
    }
    if (value >= 1) {
        return method === "mxfp8" ? "mxfp8" : "fp8";
    }
    if (method === "mxfp4") {
        return "mxfp4";
    }
    return method === "modelopt_fp4" || method === "modelopt_mixed" ? "nvfp4" : "int4";
}
