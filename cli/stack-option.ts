import { type Command, Option } from "commander";

/** Which stack file a verb works on. */
export interface StackOptions {
    readonly stack?: string;
    readonly file?: string;
}

/** Options of the verbs that work on a stack file. */
export function declareStack(verb: Command): Command {
    return verb
        .option("-s, --stack <STACK>", "work on Pulumi.STACK.yaml of this folder (default: blackwell)")
        .addOption(new Option("--file <FILE>", "work on another stack file").conflicts("stack"));
}

/** The stack file that the options name. Defaults to the stack `blackwell`. */
export function stackFileOf({ file, stack = "blackwell" }: StackOptions): string {
    return file ?? `Pulumi.${stack}.yaml`;
}
