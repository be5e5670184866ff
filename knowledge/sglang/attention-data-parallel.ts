/**
 * Data-parallel attention: `--attn-dp-size N` since 0.5.22, `--dp-size N --enable-dp-attention` before.
 *
 * Source: `--enable-dp-attention` is deprecated in the parser of 0.5.22 in favour of `--attn-dp-size <dp-size>`, and
 * `sglang/srt/arg_groups/parallel_hook.py` of that wheel moves the width over and sets dp-size back to 1.
 */

import type { SettingValue } from "../base/settings.ts";
import { findOption } from "./options.ts";

const flag = "enable-dp-attention";
const size = "attn-dp-size";

/** The same settings in the form that the release does not call deprecated. Settings that contradict one another are left as they are. */
export function attentionDataParallel(
    settings: Readonly<Record<string, SettingValue>>,
    version: string,
): Record<string, SettingValue> {
    const { [flag]: enabled, [size]: width, "dp-size": replicas, ...rest } = settings;
    if (findOption(version, size) && enabled === true && width === undefined && replicas !== undefined) {
        return { ...rest, [size]: replicas };
    }
    if (!findOption(version, size) && width !== undefined && (replicas === undefined || replicas === 1)) {
        return { ...rest, ...(width === 1 ? {} : { [flag]: true, "dp-size": width }) };
    }
    return { ...settings };
}
