import { z } from "zod";
import { packageJson } from "../base/package-root.ts";
import { ProblemsError, zodProblems } from "../base/problems.ts";
import { type PromptKind, promptKinds } from "../records/oracle.ts";

/** A prompt that an oracle asks for: as a text, or by token id where the server's tokenizer shall not matter. */
export interface Prompt {
    readonly name: string;
    readonly kind: PromptKind;
    readonly asked: string | readonly number[];
}

const common = { name: z.string().min(1), kind: z.enum(promptKinds).default("text") };

/** A file of prompts of one's own. */
const promptsSchema = z.strictObject({
    prompts: z
        .array(
            z.union([
                z.strictObject({ ...common, text: z.string().min(1) }),
                z.strictObject({ ...common, ids: z.array(z.int().min(0)).min(1) }),
            ]),
        )
        .min(1),
});

/** The prompts that ship with the package, and their version: what was recorded with one version is compared with the same. */
export function shippedPrompts(): { readonly version: string; readonly prompts: readonly Prompt[] } {
    const { version, prompts } = packageJson<{ version: string } & z.output<typeof promptsSchema>>(
        "knowledge/oracle/prompts.json",
    );
    return { version, prompts: prompts.map(promptOf) };
}

/** The prompts in a file's text. Throws a {@link ProblemsError} with every mistake in it; names are those of no prompt in `taken`. */
export function ownPrompts(file: string, text: string, taken: readonly Prompt[]): Prompt[] {
    const subject = `${file} has no prompts:`;
    let value: unknown;
    try {
        value = JSON.parse(text);
    } catch (error) {
        throw new ProblemsError(subject, [{ path: file, message: `is not JSON: ${(error as Error).message}` }]);
    }
    const found = promptsSchema.safeParse(value);
    if (!found.success) {
        throw new ProblemsError(subject, zodProblems(found.error, promptsSchema));
    }
    const prompts = found.data.prompts.map(promptOf);
    const names = [...taken, ...prompts].map(({ name }) => name);
    const twice = prompts.flatMap(({ name }, index) =>
        names.indexOf(name) === taken.length + index
            ? []
            : [{ path: `prompts.${index}.name`, message: `there is a prompt ${JSON.stringify(name)} already` }],
    );
    if (twice.length > 0) {
        throw new ProblemsError(subject, twice);
    }
    return prompts;
}

function promptOf({ name, kind, ...asked }: z.output<typeof promptsSchema>["prompts"][number]): Prompt {
    return { name, kind, asked: "text" in asked ? asked.text : asked.ids };
}
