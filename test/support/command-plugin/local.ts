import { type CommandInputs, type Log, type Previous, type Printed, previousOutput, printed } from "./command.ts";
import { runProgram } from "./process.ts";

/** The inputs that only a command on this machine has. */
export interface LocalInputs extends CommandInputs {
    dir?: string;
    interpreter?: string[];
}

/** Runs a command on this machine, by `/bin/sh -c` unless the inputs name another interpreter. */
export async function runLocal(command: string, inputs: LocalInputs, previous: Previous, log: Log): Promise<Printed> {
    const interpreter = inputs.interpreter?.length ? inputs.interpreter : ["/bin/sh", "-c"];
    const outcome = await runProgram({
        argv: [...interpreter, command],
        stdin: inputs.stdin,
        directory: inputs.dir,
        environment: { ...process.env, ...inputs.environment, ...previousOutput(inputs, previous) },
        logging: inputs.logging,
        log: log.line,
    });
    return printed(outcome, "exit status", command);
}
