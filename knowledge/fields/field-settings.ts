import type { SettingValue } from "../base/settings.ts";
import type { ServiceFields } from "./service.ts";

/** How a typed field becomes a setting: the canonical name, and the value where it is not the field's own. `undefined` leaves the setting out. */
interface FieldSetting {
    readonly setting: string;
    readonly value?: (field: never) => SettingValue | undefined;
}

const same = (setting: string): FieldSetting => ({ setting });
const flagWhen = (wanted: boolean, setting: string): FieldSetting => ({
    setting,
    value: (field: boolean) => (field === wanted ? true : undefined),
});
const graphBackend = (setting: string, on: string): FieldSetting => ({
    setting,
    value: (field: boolean) => (field ? on : "disabled"),
});

/** Every typed field that stands for one setting, by its path below the service. */
const fieldSettings: Readonly<Record<string, FieldSetting>> = {
    "backends.attention": same("attention-backend"),
    "backends.prefillAttention": same("prefill-attention-backend"),
    "backends.decodeAttention": same("decode-attention-backend"),
    "backends.sparsePrefill": same("dsa-prefill-backend"),
    "backends.sparseDecode": same("dsa-decode-backend"),
    "backends.multimodalAttention": same("mm-attention-backend"),
    "backends.linearAttention": same("linear-attn-backend"),
    "backends.linearAttentionPrefill": same("linear-attn-prefill-backend"),
    "backends.linearAttentionDecode": same("linear-attn-decode-backend"),
    "backends.mamba": same("mamba-backend"),
    "backends.moeRunner": same("moe-runner-backend"),
    "backends.moeAllToAll": same("moe-a2a-backend"),
    "backends.fp4Gemm": same("fp4-gemm-backend"),
    "backends.fp8Gemm": same("fp8-gemm-backend"),
    "backends.sampling": same("sampling-backend"),
    "backends.grammar": same("grammar-backend"),
    "backends.quantization": same("quantization"),
    "backends.customAllReduce": flagWhen(false, "disable-custom-all-reduce"),
    "backends.flashinferAllReduceFusion": {
        setting: "flashinfer-allreduce-fusion-backend",
        value: (field: boolean) => (field ? "auto" : undefined),
    },
    "backends.torchSymmetricMemory": flagWhen(true, "enable-torch-symm-mem"),
    "backends.sharedExpertsFusion": flagWhen(false, "disable-shared-experts-fusion"),
    "backends.decodeCudaGraph": graphBackend("cuda-graph-backend-decode", "full"),
    "backends.prefillCudaGraph": graphBackend("cuda-graph-backend-prefill", "breakable"),
    "backends.decodeCudaGraphMaxBatchSize": same("cuda-graph-max-bs-decode"),
    "parallelism.tensor": same("tp-size"),
    "parallelism.pipeline": same("pp-size"),
    "parallelism.data": same("dp-size"),
    "parallelism.expert": same("ep-size"),
    "parallelism.dataParallelAttention": flagWhen(true, "enable-dp-attention"),
    "kvCache.dtype": same("kv-cache-dtype"),
    "kvCache.memoryFraction": same("mem-fraction-static"),
    "kvCache.maxTotalTokens": same("max-total-tokens"),
    "kvCache.pageSize": same("page-size"),
    "kvCache.radixCache": flagWhen(false, "disable-radix-cache"),
    "kvCache.mambaRadixStrategy": same("mamba-radix-cache-strategy"),
    "kvCache.mambaStateDtype": same("mamba-ssm-dtype"),
    "kvCache.hierarchical.ratio": same("hicache-ratio"),
    "kvCache.hierarchical.sizeGb": same("hicache-size"),
    "kvCache.hierarchical.writePolicy": same("hicache-write-policy"),
    "kvCache.hierarchical.ioBackend": same("hicache-io-backend"),
    "kvCache.hierarchical.memoryLayout": same("hicache-mem-layout"),
    "kvCache.hierarchical.storageBackend": same("hicache-storage-backend"),
    "kvCache.hierarchical.storagePrefetchPolicy": same("hicache-storage-prefetch-policy"),
    "scheduling.maxRunningRequests": same("max-running-requests"),
    "scheduling.contextLength": same("context-length"),
    "scheduling.chunkedPrefillSize": same("chunked-prefill-size"),
    "speculative.algorithm": same("speculative-algorithm"),
    "speculative.steps": same("speculative-num-steps"),
    "speculative.eagleTopK": same("speculative-eagle-topk"),
    "speculative.draftTokens": same("speculative-num-draft-tokens"),
    "speculative.draftModel": same("speculative-draft-model-path"),
    "parsers.reasoning": same("reasoning-parser"),
    "parsers.toolCall": same("tool-call-parser"),
    "api.servedModelName": same("served-model-name"),
    "api.listen": same("host"),
    "api.port": same("port"),
    "api.metrics": flagWhen(true, "enable-metrics"),
};

/** Path of the typed field that stands for a setting, such as `backends.fp4Gemm`; `undefined` when there is none. */
export function fieldOfSetting(setting: string): string | undefined {
    return Object.keys(fieldSettings).find((path) => fieldSettings[path]!.setting === setting);
}

/** The settings that the typed fields stand for, by canonical name, in the order of the table. `hierarchical` switches the tier on. */
export function settingsOfFields(fields: ServiceFields): Record<string, SettingValue> {
    const settings: Record<string, SettingValue> = {};
    for (const [path, { setting, value }] of Object.entries(fieldSettings)) {
        const field = valueAt(fields, path);
        const result = field === undefined ? undefined : value ? value(field as never) : (field as SettingValue);
        if (result !== undefined) {
            settings[setting] = result;
        }
    }
    if (fields.kvCache?.hierarchical) {
        settings["enable-hierarchical-cache"] = true;
    }
    return settings;
}

function valueAt(object: unknown, path: string): unknown {
    return path
        .split(".")
        .reduce<unknown>((value, key) => (value as Record<string, unknown> | undefined)?.[key], object);
}
