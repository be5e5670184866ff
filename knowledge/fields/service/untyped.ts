import { z } from "zod";
import { holdsSecret, isSecretOption, isSecretVariable, secretAdvice } from "../../base/secrets.ts";
import { field } from "../field.ts";

/** Values that have no field of their own: variables, options by SGLang's name, and rules overridden on purpose. */

const argumentValue = z
    .union([z.string(), z.number(), z.boolean(), z.array(z.union([z.string(), z.number()]))], {
        error: "must be a string, a number, true or false, or a list of strings and numbers",
    })
    .refine((given) => !holdsSecret(String(given)), secretAdvice);

const variableValue = z
    .string()
    .regex(/^[^\r\n\0]*$/, "must be one line")
    .refine((text) => !holdsSecret(text), secretAdvice);

const variableName = z
    .string()
    .regex(/^[A-Za-z_][A-Za-z0-9_]*$/, "must be the name of a variable: letters, digits and underscores")
    .refine((name) => !isSecretVariable(name), secretAdvice);

/** Environment variables by name. */
export const environmentSchema = z.record(variableName, variableValue);

/** Options of the release by long name without dashes. */
export const extraArgsSchema = z.record(
    z.string().refine((name) => !isSecretOption(name), secretAdvice),
    argumentValue,
);

/** A rule overridden on purpose. */
export const acceptSchema = z.strictObject({
    rule: field(z.string(), {
        says: "Id of the rule, or of the row of what makes it fast",
        examples: ["fp4-cudnn-nan", "open-without-key"],
    }),
    reason: field(z.string().min(10, "must say why, in a sentence"), {
        says: "Why it is right to override it here; shown in every plan",
        examples: ["A test of this project names it.", "Another test of this project names it."],
    }),
});
