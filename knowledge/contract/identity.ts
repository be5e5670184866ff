import { z } from "zod";
import { absolute, digest, owner, slot, word } from "../base/words.ts";
import { contractVersion } from "./version.ts";

/** The version that a document is of. */
export const contract = z.literal(contractVersion).meta({ expected: `version ${contractVersion}` });

/** What a document is about, and whose. */
export const owned = {
    contract,
    /** Slot on the host. */
    name: slot,
    /** Stack that it belongs to. */
    owner,
    /** Folder of everything but weights. */
    root: absolute,
    /** What the slot is to hold; another one is another state. */
    generation: digest,
    /** Host as the stack knows it: a removal is only of what was claimed there. */
    place: word.optional(),
};
