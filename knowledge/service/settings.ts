import type { Problem, Setting, Settings, SettingValue } from "../base/settings.ts";
import { fieldOfSetting, settingsOfFields, settingsTakenBack } from "../fields/field-settings.ts";
import type { ModelProfile } from "../models/index.ts";
import type { ServedModel } from "../rules/model-traits.ts";
import { canonicalSettings, optionName } from "../sglang/index.ts";
import type { ExpandedLaunch } from "./launch.ts";
import { placedSettings } from "./placed.ts";
import type { ServiceSpec } from "./spec.ts";

/** What the user asked for, by canonical setting, and where in the user's file each part stands. */
export interface UserSettings {
    readonly settings: Settings;
    readonly environment: Readonly<Record<string, string>>;
    /** Path in the user's file, by canonical setting. */
    readonly paths: Readonly<Record<string, string>>;
}

/** Gathers what the user asked for. Typed fields win over the launch; `extraArgs` may not say again what a field can say. */
export function userSettings(
    spec: ServiceSpec,
    releaseKnown: boolean,
    launch: ExpandedLaunch | undefined,
    problems: Problem[],
): UserSettings {
    const settings: Record<string, Setting> = {};
    const paths: Record<string, string> = {};
    const put = (name: string, value: SettingValue, where: string) => {
        settings[name] = { value, origin: "user" };
        paths[name] = where;
    };
    for (const { path: where, message } of launch?.problems ?? []) {
        problems.push({ path: where, message });
    }
    for (const [name, value] of Object.entries(launch?.settings ?? {})) {
        put(name, value, "launch");
    }
    for (const [name, value] of Object.entries(settingsOfFields(spec.fields))) {
        put(name, value, fieldOfSetting(name)!);
    }
    for (const name of settingsTakenBack(spec.fields)) {
        delete settings[name];
    }
    for (const [written, value] of Object.entries(spec.fields.extraArgs ?? {})) {
        const where = `extraArgs.${written}`;
        const meanings = releaseKnown ? canonicalSettings(written, value, spec.build.release) : {};
        for (const [name, meant] of Object.entries(meanings)) {
            const field = fieldOfSetting(name);
            if (placedSettings.includes(name)) {
                problems.push({
                    path: where,
                    message: `${optionName(name)} is decided by the placement; leave it out`,
                });
            } else if (field !== undefined) {
                problems.push({
                    path: where,
                    message: `has a field of its own: use ${field} in place of ${optionName(name)}`,
                });
            } else {
                put(name, meant, where);
            }
        }
    }
    return { settings, environment: { ...launch?.environment, ...spec.fields.environment }, paths };
}

/** Adds what the model's profile and the placement know, where the user said nothing. */
export function filledSettings(spec: ServiceSpec, user: Settings, model: ServedModel | undefined): Settings {
    const settings: Record<string, Setting> = { ...user };
    const takenBack = settingsTakenBack(spec.fields);
    const fill = (name: string, value: SettingValue | undefined, origin: Setting["origin"]) => {
        if (value !== undefined && settings[name] === undefined && !takenBack.includes(name)) {
            settings[name] = { value, origin };
        }
    };
    const profile = model?.profile;
    fill("reasoning-parser", profile?.parsers.reasoning, "profile");
    fill("tool-call-parser", profile?.parsers.toolCall, "profile");
    if (profile?.trustRemoteCode === true || (profile?.trustRemoteCode === "unverified" && isCatalogued(profile))) {
        fill("trust-remote-code", true, "profile");
    }
    fill("served-model-name", spec.model.repository, "profile");
    fill("enable-metrics", true, "placement");
    const gpus = spec.nodes.reduce((sum, node) => sum + node.gpus.length, 0);
    fill("tp-size", tensorSize(gpus, settings), "placement");
    return settings;
}

/** Whether the profile is of the catalogue, whose recipes pass what is not verified; one read from a configuration has none. */
function isCatalogued({ since }: ModelProfile): boolean {
    return since !== undefined;
}

/** All GPUs divided by pipeline stages and by replicas that do not share them. */
function tensorSize(gpus: number, settings: Settings): number | undefined {
    const replicas = settings["enable-dp-attention"] ? 1 : Number(settings["dp-size"]?.value ?? 1);
    const size = gpus / (Number(settings["pp-size"]?.value ?? 1) * replicas);
    return Number.isInteger(size) && size > 0 ? size : undefined;
}
