import { expect, test } from "vitest";
import { findOption, nameHistory } from "../../../knowledge/sglang/options.ts";
import { releases } from "../../../knowledge/sglang/releases.ts";
import { olderFlags, olderNames } from "../../../knowledge/sglang/renames.ts";

const pairs = Object.entries(olderNames).flatMap(([setting, names]) => names.map((name) => [setting, name] as const));
const flags = olderFlags.flatMap(({ setting, value, flag }) => (flag ? [[setting, value, flag] as const] : []));

test.each(pairs)("--%s took the place of --%s: the releases say so", (setting, older) => {
    expect(nameHistory(older)?.replacedBy).toBe(`--${setting}`);
});

test.each(pairs)("a value of --%s means the same under --%s wherever a release has both", (setting, older) => {
    for (const version of releases()) {
        const [now, then] = [findOption(version, setting), findOption(version, older)];
        if (now && then) {
            expect(then.takes).toBe(now.takes);
            expect(then.choices?.filter((choice) => !now.choices?.includes(choice)) ?? []).toEqual([]);
        }
    }
});

test.each(flags)("--%s %s was the flag --%s", (setting, value, flag) => {
    const history = nameHistory(flag)!;
    expect(findOption(history.spans[0]!.since, flag)?.takes).toBe("nothing");
    const newest = findOption(releases().findLast((version) => findOption(version, setting)) ?? "", setting)!;
    expect(newest.takes).toBe("one");
    expect(
        nameHistory(setting)!.spans.some(({ since }) => findOption(since, setting)?.choices?.includes(value as string)),
    ).toBe(true);
});
