import { describe, expect, it } from "vitest";
import { compareVersions, inWindow } from "../../../knowledge/base/version.ts";
import { resolve } from "../../../knowledge/service/resolve.ts";
import type { ResolvedService, ServiceSpec } from "../../../knowledge/service/spec.ts";
import { canonicalSettings } from "../../../knowledge/sglang/index.ts";
import { attention, prevents, value } from "./prevented.ts";
import { fixture, serviceSpec } from "./service-spec.ts";

/** What one release decided by itself for one model and one set of flags, on eight faked SM120 cards; the real code was run. */
interface Row {
    readonly version: string;
    readonly model: string;
    readonly tag: string;
    readonly flags: string;
    readonly ok: boolean;
    readonly error?: string;
    readonly resolved?: Readonly<Record<string, string>>;
}

const rows = JSON.parse(fixture("resolve-table.json")) as Row[];

/** Repository of the profile that each model of the table stands for. */
const repositories: Readonly<Record<string, string>> = {
    "deepseek-v3.2": "nvidia/DeepSeek-V3.2-NVFP4",
    "glm-5": "festr2/GLM-5-NVFP4-MTP",
    "kimi-k2.5": "nvidia/Kimi-K2.5-NVFP4",
    "qwen3-235b-a22b": "nvidia/Qwen3-235B-A22B-NVFP4",
    "qwen3.5-397b-a17b": "nvidia/Qwen3.5-397B-A17B-NVFP4",
};

const unreadable = /Transformers does not recognize/;

function specOf(row: Row, from: "profile" | "config"): ServiceSpec {
    // on 0.5.9 the table has GLM-5 twice: with the release's own Transformers, and with a newer one put in by hand
    const byHand = row.version === "0.5.9" && row.model === "glm-5" && !unreadable.test(row.error ?? "");
    const repository = repositories[row.model]!;
    return serviceSpec({
        release: row.version,
        versions: byHand ? { transformers: "5.3.0" } : {},
        model:
            from === "profile"
                ? { repository }
                : {
                      repository: `someone/${row.model}`,
                      config: JSON.parse(fixture(`model-configs/${row.model}.json`)),
                  },
        fields: { launch: `sglang serve --model-path ${repository} ${row.flags}` },
    });
}

/** Kernels that exist for SM100 or SM90 only, by the release's own name of the choice. */
const foreign: Readonly<Record<string, { setting: string; values: readonly string[] }>> = {
    fp4_gemm_runner_backend: { setting: "fp4-gemm-backend", values: ["flashinfer_trtllm", "flashinfer_cutedsl"] },
    fp8_gemm_runner_backend: { setting: "fp8-gemm-backend", values: ["flashinfer_trtllm", "flashinfer_cutedsl"] },
    moe_runner_backend: { setting: "moe-runner-backend", values: ["flashinfer_trtllm", "flashinfer_cutedsl"] },
    speculative_moe_runner_backend: { setting: "speculative-moe-runner-backend", values: ["flashinfer_trtllm"] },
    attention_backend: { setting: "attention-backend", values: ["trtllm_mla", "cutlass_mla", "fa3"] },
    dsa_prefill_backend: {
        setting: "dsa-prefill-backend",
        values: ["trtllm", "flashmla_auto", "flashmla_kv", "flashmla_sparse"],
    },
    dsa_decode_backend: {
        setting: "dsa-decode-backend",
        values: ["trtllm", "flashmla_auto", "flashmla_kv", "flashmla_sparse"],
    },
};

/** Sparse backends are used only by the sparse attention backend. */
function idle(row: Row, choice: string): boolean {
    return choice.startsWith("dsa_") && !["dsa", "nsa"].includes(row.resolved!.attention_backend!);
}

describe.each(["profile", "config"] as const)(
    "the plan against what 622 launches of the real releases decided (model from its %s)",
    (from) => {
        it.each(["0.5.9", "0.5.10.post1", "0.5.12.post1", "0.5.15.post1", "0.5.17", "0.5.23"])("%s", (version) => {
            const own = rows.filter((row) => row.version === version);
            expect(own.length).toBeGreaterThan(80);
            for (const row of own) {
                const service = resolve(specOf(row, from));
                const name = `${row.version} ${row.model} ${row.tag} (${row.flags})`;
                if (row.ok) {
                    checkAccepted(name, row, service);
                } else {
                    expect(prevents(service, row.error!), `${name}: ${row.error}`).toBe(true);
                }
            }
        });
    },
);

/** The engine goes ahead: nothing foreign may remain, and nothing changes but by a rule that says so. */
function checkAccepted(name: string, row: Row, service: ResolvedService): void {
    for (const [choice, { setting, values }] of Object.entries(foreign)) {
        if (values.includes(row.resolved![choice]!) && !idle(row, choice)) {
            const now = value(service, setting);
            const elsewhere = setting.startsWith("dsa-") && !["dsa", undefined].includes(attention(service) as string);
            expect(
                service.refused || elsewhere || (now !== undefined && !values.includes(String(now))),
                `${name}: ${choice} becomes ${row.resolved![choice]}`,
            ).toBe(true);
        }
    }
    // what the real releases do with an NVFP4 model when the runner is not named (read in the wheels): SM100 only
    const blind =
        inWindow(row.version, { since: "0.5.11", before: "0.5.13" }) || row.resolved!.quantization === undefined;
    if (row.resolved!.moe_runner_backend === "auto" && compareVersions(row.version, "0.5.11") > 0 && blind) {
        expect(
            service.refused || value(service, "moe-runner-backend") === "flashinfer_cutlass",
            `${name}: MoE auto`,
        ).toBe(true);
    }
    const said = new Set(service.findings.filter(({ verdict }) => verdict !== "warn").map(({ setting }) => setting));
    for (const [setting, given] of Object.entries(givenBy(row))) {
        if (!said.has(setting) && !service.refused) {
            expect(String(value(service, setting)), `${name}: ${setting}`).toBe(String(given));
        }
    }
    for (const [setting, { origin, rule }] of Object.entries(service.settings)) {
        if (origin === "rule") {
            expect(said.has(setting), `${name}: ${setting} changed by ${rule} without a finding`).toBe(true);
        }
    }
    expect(service.problems.length === 0 || !["argparse"].includes(row.error ?? ""), name).toBe(true);
}

/** The flags as settings. */
function givenBy({ flags, version }: Row): Record<string, unknown> {
    const words = flags.split(" ");
    return Object.assign(
        {},
        ...words.flatMap((word, index) => {
            const next = words[index + 1];
            return word.startsWith("--")
                ? [canonicalSettings(word, next === undefined || next.startsWith("--") ? true : next, version)]
                : [];
        }),
    );
}
