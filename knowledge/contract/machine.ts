import { z } from "zod";
import { word } from "../base/words.ts";

/** What of a machine decides whether what was proved there still holds. */
export const machine = z
    .strictObject({
        /** Of NVIDIA; absent where nvidia-smi says none. */
        driver: word.optional(),
        kernel: word,
        /** Product of each GPU, in the order of nvidia-smi. */
        gpus: z.array(word),
    })
    .meta({ title: "Machine" });

/** See {@link machine}. */
export type Machine = z.output<typeof machine>;

/** What a machine was when something was proved on it, and is now, where the two differ: one sentence for each. */
export function changesSince(proved: Machine, now: Machine): string[] {
    const rows: readonly (readonly [string, string, string])[] = [
        ["driver", proved.driver ?? "none", now.driver ?? "none"],
        ["kernel", proved.kernel, now.kernel],
        ["GPUs", gpusText(proved), gpusText(now)],
    ];
    return rows
        .filter(([, then, today]) => then !== today)
        .map(([what, then, today]) => `proved on ${what} ${then}, now ${today}`);
}

/** GPUs as `8 × PRODUCT`. */
export function gpusText({ gpus }: Machine): string {
    const products = [...new Set(gpus)];
    return products.map((name) => `${gpus.filter((one) => one === name).length} × ${name}`).join(", ") || "none";
}
