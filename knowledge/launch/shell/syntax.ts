/** The commands of a shell text, as far as scripts that start servers need them. Words stay as they are written. */

/** A command. */
export type Command =
    | {
          readonly kind: "simple";
          readonly words: readonly string[];
          /** Text on its standard input, from `<<` or `<<<`. */
          readonly input?: string;
          /** File that its output goes to. */
          readonly output?: string;
          readonly line: number;
      }
    | { readonly kind: "sequence" | "pipe"; readonly commands: readonly Command[] }
    | { readonly kind: "and" | "or"; readonly left: Command; readonly right: Command }
    | { readonly kind: "not" | "subshell"; readonly body: Command }
    | { readonly kind: "if"; readonly condition: Command; readonly then: Command; readonly otherwise: Command }
    | { readonly kind: "for"; readonly name: string; readonly words?: readonly string[]; readonly body: Command }
    | { readonly kind: "loop"; readonly until: boolean; readonly condition: Command; readonly body: Command }
    | { readonly kind: "case"; readonly word: string; readonly arms: readonly CaseArm[] }
    | { readonly kind: "function"; readonly name: string; readonly body: Command }
    | { readonly kind: "test"; readonly words: readonly string[] }
    | { readonly kind: "arithmetic"; readonly text: string };

/** One arm of a `case`. */
export interface CaseArm {
    readonly patterns: readonly string[];
    readonly body: Command;
}

/** What does nothing. */
export const nothing: Command = { kind: "sequence", commands: [] };

/** A command as a short text, for a message. */
export function written(command: Command): string {
    switch (command.kind) {
        case "simple":
            return command.words.join(" ");
        case "test":
            return `[[ ${command.words.join(" ")} ]]`;
        case "arithmetic":
            return `((${command.text}))`;
        case "not":
            return `! ${written(command.body)}`;
        case "and":
            return `${written(command.left)} && ${written(command.right)}`;
        case "or":
            return `${written(command.left)} || ${written(command.right)}`;
        case "sequence":
        case "pipe":
            return command.commands.map(written).join(command.kind === "pipe" ? " | " : "; ");
        default:
            return command.kind;
    }
}
