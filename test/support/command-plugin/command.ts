import type { Outcome } from "./process.ts";

/** The inputs of a command that both places (this machine, or a host over ssh) share, without secret marks. */
export interface CommandInputs {
    create?: string;
    update?: string;
    delete?: string;
    stdin?: string;
    logging?: string;
    environment?: Record<string, string>;
    addPreviousOutputInEnv?: boolean;
}

/** What the previous run of the same resource printed. */
export interface Previous {
    stdout?: string;
    stderr?: string;
}

/** Where messages go. `line` is shown while the command runs and then gone; a warning stays. */
export interface Log {
    line: (message: string) => void;
    warning: (message: string) => void;
    error: (message: string) => void;
}

/** What a command left behind. */
export interface Printed {
    stdout: string;
    stderr: string;
}

/** The previous output as environment variables, unless the command does not want it; an empty one is left out. */
export function previousOutput(inputs: CommandInputs, previous: Previous): Record<string, string> {
    if (inputs.addPreviousOutputInEnv === false) {
        return {};
    }
    return {
        ...(previous.stdout ? { PULUMI_COMMAND_STDOUT: previous.stdout } : {}),
        ...(previous.stderr ? { PULUMI_COMMAND_STDERR: previous.stderr } : {}),
    };
}

/** The error of a command that ended badly: it holds the whole command text and all output, never stdin. */
export function failure(reason: string, command: string, output: string): Error {
    return new Error(`${reason}: running ${quote(command)}:\n${output}`);
}

/** What stdout and stderr were, or the error `<failed> <n>` of a command that did not end with status 0. */
export function printed(outcome: Outcome, failed: string, command: string): Printed {
    if (outcome.signal !== null) {
        throw failure(`signal: ${outcome.signal}`, command, outcome.output);
    }
    if (outcome.code !== 0) {
        throw failure(`${failed} ${outcome.code}`, command, outcome.output);
    }
    return { stdout: outcome.stdout, stderr: outcome.stderr };
}

/** Quotes as the real plugin does: like JSON, but other control characters as `\x01`. */
function quote(text: string): string {
    return JSON.stringify(text)
        .replace(/\\u00([01][0-9a-f])/g, "\\x$1")
        .replaceAll("\x7f", "\\x7f");
}
