import { z } from "zod";
import { absolute, natural, owner, positive, slot, word } from "../base/words.ts";
import { contract, owned } from "./identity.ts";

/** Sent to `install`, beside the archive itself. */
export const install = z.strictObject({
    ...owned,
    expect: z
        .strictObject({
            driver: word.optional(),
            gpus: z
                .array(
                    z
                        .strictObject({
                            computeCapability: word.optional(),
                            index: natural,
                            memoryMiB: positive.optional(),
                            name: word.optional(),
                        })
                        .meta({ title: "ExpectedCard" }),
                )
                .optional(),
        })
        .meta({ title: "Expected" })
        .optional(),
});

/** Sent to `facts`. */
export const facts = z.strictObject({ contract });

/** Sent to `status`. */
export const status = z.strictObject({ contract, name: slot, root: absolute, owner: owner.optional() });

/** What `remove` reads of the document that the slot was made from. */
export const remove = z.strictObject(owned).meta({ title: "Owned" });
