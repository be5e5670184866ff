import type { SettingValue } from "../base/settings.ts";
import type { Decision } from "./decision.ts";
import { type ServiceFields, serviceFieldsSchema } from "./service.ts";
import { allFields, fieldsOf } from "./walk.ts";

/** Every typed field that decides a setting, by its path below the service. */
const decisions: ReadonlyMap<string, Decision> = new Map(
    allFields(fieldsOf(serviceFieldsSchema)).flatMap(({ path, row }) =>
        row?.decides ? [[path.join("."), row.decides] as const] : [],
    ),
);

/** Path of the typed field that stands for a setting, such as `backends.fp4Gemm`; `undefined` when there is none. */
export function fieldOfSetting(setting: string): string | undefined {
    return [...decisions].find(([, decision]) => decision.setting === setting)?.[0];
}

/** The settings that the typed fields stand for, by canonical name, in the order of the fields. */
export function settingsOfFields(fields: ServiceFields): Record<string, SettingValue> {
    return Object.fromEntries(
        decided(fields).flatMap(([setting, value]) => (value === undefined ? [] : [[setting, value] as const])),
    );
}

/** The settings that a typed field takes back, whoever else sets them: it is given, and stands for the setting's absence. */
export function settingsTakenBack(fields: ServiceFields): string[] {
    return decided(fields).flatMap(([setting, value]) => (value === undefined ? [setting] : []));
}

/** What each field that is given makes of its setting. */
function decided(fields: ServiceFields): [string, SettingValue | undefined][] {
    return [...decisions].flatMap(([path, { setting, value }]): [string, SettingValue | undefined][] => {
        const given = valueAt(fields, path);
        return given === undefined ? [] : [[setting, value(given as never)]];
    });
}

function valueAt(object: unknown, path: string): unknown {
    return path
        .split(".")
        .reduce<unknown>((value, key) => (value as Record<string, unknown> | undefined)?.[key], object);
}
