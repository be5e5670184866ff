/** Options of the verbs that work on a stack file. */
export const stackOptions = {
    stack: { type: "string", short: "s" },
    file: { type: "string" },
} as const;

/** The stack file that the options name. Defaults to the stack `blackwell`. */
export function stackFileOf({ file, stack = "blackwell" }: { file?: string; stack?: string }): string {
    return file ?? `Pulumi.${stack}.yaml`;
}
