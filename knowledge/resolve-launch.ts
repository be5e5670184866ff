import type { LaunchSettings } from "./resolve-settings.ts";
import type { ServiceSpec } from "./resolved.ts";
import type { Finding, Problem, SettingValue } from "./settings.ts";
import { canonicalSettings, findOption } from "./sglang/index.ts";

// TEMPORARY until the launch parser is there
export function expandLaunch(
    spec: ServiceSpec,
    problems: Problem[],
): (LaunchSettings & { readonly findings: readonly Finding[] }) | undefined {
    if (spec.fields.launch === undefined) {
        return undefined;
    }
    const words = spec.fields.launch.split(/[\s\\]+/).filter(Boolean);
    const settings: Record<string, SettingValue> = {};
    const environment: Record<string, string> = {};
    for (let i = 0; i < words.length; i++) {
        const word = words[i]!;
        if (!word.startsWith("--")) {
            const m = /^([A-Z_]+)=(.*)$/.exec(word);
            if (m) environment[m[1]!] = m[2]!;
            continue;
        }
        const name =
            { "--tp": "--tp-size", "--model": "--model-path", "--fp4-gemm-runner-backend": "--fp4-gemm-backend" }[
                word
            ] ?? word;
        const next = words[i + 1];
        const value: SettingValue = next === undefined || next.startsWith("--") ? true : next;
        const number = Number(value);
        for (const [k, v] of Object.entries(
            canonicalSettings(name, value === true ? true : Number.isNaN(number) ? value : number, spec.build.release),
        )) {
            settings[k] = v;
        }
        if (!findOption(spec.build.release, name)) void problems;
    }
    delete settings["model-path"];
    return { settings, environment, findings: [] };
}
