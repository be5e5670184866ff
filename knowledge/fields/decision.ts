import type { SettingValue } from "../base/settings.ts";

/** How a field decides a setting of SGLang. */
export interface Decision {
    /** Canonical name of the setting. */
    readonly setting: string;
    /** How, in a few words after the setting's name. Absent: the value is the field's own. */
    readonly how?: string;
    /**
     * The setting's value for a value of the field. A field that is given and has none takes the setting back: from a
     * pasted launch, and from the profile or the placement that would fill it.
     */
    readonly value: (field: never) => SettingValue | undefined;
}

/** The setting has the field's value. */
export function same(setting: string): Decision {
    return { setting, value: (field: SettingValue) => field };
}

/** The same, but for one word that means that there is none. */
export function sameUnless(nothing: string, setting: string): Decision {
    return {
        setting,
        how: `none when \`${nothing}\``,
        value: (field: SettingValue) => (field === nothing ? undefined : field),
    };
}

/** A flag, or a word, that is there when the field is true. */
export function whenTrue(setting: string, value: SettingValue = true): Decision {
    const how = value === true ? "when true" : `\`${value}\` when true`;
    return { setting, how, value: (field: boolean) => (field ? value : undefined) };
}

/** A flag that switches off: there when the field is false. */
export function whenFalse(setting: string): Decision {
    return { setting, how: "when false", value: (field: boolean) => (field ? undefined : true) };
}

/** One word when the field is true, `disabled` when it is false. */
export function onOff(setting: string, on: string): Decision {
    return { setting, how: `\`${on}\` or \`disabled\``, value: (field: boolean) => (field ? on : "disabled") };
}

/** A flag that is there when the group is given. */
export function whenGiven(setting: string): Decision {
    return { setting, how: "when given", value: () => true };
}
