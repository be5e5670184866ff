import { expect, test } from "vitest";
import { fieldOfSetting, settingsTakenBack } from "../../../knowledge/fields/field-settings.ts";
import type { ServiceFields } from "../../../knowledge/fields/service.ts";
import { expandLaunch } from "../../../knowledge/service/launch.ts";
import { filledSettings, userSettings } from "../../../knowledge/service/settings.ts";
import { serviceSpec } from "../service/service-spec.ts";

const server = "python3 -m sglang.launch_server";

test.each<[string, ServiceFields, string]>([
    ["disable-custom-all-reduce", { backends: { customAllReduce: true } }, "--disable-custom-all-reduce"],
    [
        "flashinfer-allreduce-fusion-backend",
        { backends: { flashinferAllReduceFusion: false } },
        "--flashinfer-allreduce-fusion-backend auto",
    ],
    ["enable-torch-symm-mem", { backends: { torchSymmetricMemory: false } }, "--enable-torch-symm-mem"],
    ["disable-shared-experts-fusion", { backends: { sharedExpertsFusion: true } }, "--disable-shared-experts-fusion"],
    ["disable-radix-cache", { kvCache: { radixCache: true } }, "--disable-radix-cache"],
    ["enable-dp-attention", { parallelism: { dataParallelAttention: false } }, "--enable-dp-attention"],
    ["enable-metrics", { api: { metrics: false } }, "--enable-metrics"],
    ["reasoning-parser", { parsers: { reasoning: "none" } }, "--reasoning-parser qwen3"],
    ["tool-call-parser", { parsers: { toolCall: "none" } }, "--tool-call-parser qwen25"],
])("%s is taken back from a launch and from the profile by its field", (setting, fields, words) => {
    const settingsWith = (own: ServiceFields) => {
        const spec = serviceSpec({ fields: { ...own, launch: `${server} ${words}` } });
        const { settings } = userSettings(spec, true, expandLaunch(spec.fields.launch!, "0.5.23"), []);
        return Object.keys(filledSettings(spec, settings, undefined));
    };
    expect(settingsTakenBack(fields)).toEqual([setting]);
    expect(settingsWith({})).toContain(setting);
    expect(settingsWith(fields)).not.toContain(setting);
});

test("the hierarchical cache has a field of its own", () => {
    expect(fieldOfSetting("enable-hierarchical-cache")).toBe("kvCache.hierarchical");
});
