import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import {
    type CommandInputs,
    failure,
    type Log,
    type Previous,
    type Printed,
    previousOutput,
    printed,
} from "./command.ts";
import { type Outcome, runProgram } from "./process.ts";
import { type Connection, sshArguments } from "./ssh-options.ts";

/** The inputs of a command on a host. */
export interface RemoteInputs extends CommandInputs {
    connection: Connection;
}

/** An environment variable longer than this (bytes) ends the session: sshd drops the packet. */
const longestVariable = 256 * 1024;
/** One longer than this (bytes) cannot be handed to the ssh client, so it counts as one that the host refused. */
const longestArgument = 128 * 1024 - 64;

interface Session {
    /** The ssh client's arguments up to the host. */
    client: string[];
    logFile: string;
    connection: Connection;
    /** Milliseconds since the epoch after which no new dial is begun. */
    deadline: number;
    log: Log;
}

/**
 * Runs a command on a host with the system's ssh client. `timeout` (seconds, 0 for none) bounds only the dialing.
 * Raises `after N failed attempts: ...` when the host cannot be reached, and the command's own failure.
 */
export async function runRemote(
    command: string,
    inputs: RemoteInputs,
    previous: Previous,
    log: Log,
    timeout: number,
): Promise<Printed> {
    if (command === "") {
        throw new Error("an empty command is not supported by the stand-in command plugin");
    }
    const folder = await mkdtemp(join(tmpdir(), "command-plugin-"));
    try {
        const logFile = join(folder, "log");
        const client = ["ssh", "-E", logFile, ...(await sshArguments(inputs.connection, folder))];
        const deadline = timeout > 0 ? Date.now() + timeout * 1000 : Number.POSITIVE_INFINITY;
        const session = { client, logFile, connection: inputs.connection, deadline, log };
        const environment = await acceptedEnvironment(session, inputs, command, previousOutput(inputs, previous));
        const outcome = await dial(session, command, environment, inputs);
        return printed(outcome, "Process exited with status", command);
    } finally {
        await rm(folder, { recursive: true, force: true });
    }
}

/** The variables that the host takes. One of the inputs that it refuses is an error, of the previous output a warning. */
async function acceptedEnvironment(
    session: Session,
    inputs: RemoteInputs,
    command: string,
    previous: Record<string, string>,
): Promise<Record<string, string>> {
    const wanted = { ...inputs.environment, ...previous };
    const names = Object.keys(wanted);
    if (names.length === 0) {
        return {};
    }
    const refuse = (name: string, reason: string) => {
        const message = `Unable to set '${name}'. The SSH server takes only the variables that its AcceptEnv names`;
        if (!(name in previous)) {
            session.log.error(message);
            throw new Error(`could not set environment variable "${name}": ${reason}`);
        }
        session.log.warning(message);
    };
    const tooLong = names.filter((name) => Buffer.byteLength(wanted[name]!) > longestVariable);
    if (tooLong.length > 0) {
        tooLong.forEach((name) => {
            refuse(name, "EOF");
        });
        throw failure("EOF", command, "");
    }
    const sent = Object.fromEntries(
        Object.entries(wanted).filter(([, value]) => Buffer.byteLength(value) < longestArgument),
    );
    const question = names.map((name) => `printenv ${name} >/dev/null && echo ${name}`).join("; ");
    const answer = await dial(session, `/bin/sh -c '${question}; true'`, sent, { logging: "none" });
    const accepted = new Set(answer.stdout.split("\n"));
    for (const name of names.filter((name) => !accepted.has(name))) {
        refuse(name, "ssh: setenv failed");
    }
    return Object.fromEntries(Object.entries(sent).filter(([name]) => accepted.has(name)));
}

/** Runs ssh, again while the host cannot be reached: after 0.1 s at first, then each time half as long again. */
async function dial(
    session: Session,
    command: string,
    environment: Record<string, string>,
    inputs: Pick<CommandInputs, "stdin" | "logging">,
): Promise<Outcome> {
    const limit = session.connection.dialErrorLimit ?? 10;
    for (let failed = 0, pause = 100; ; failed++, pause *= 1.5) {
        await writeFile(session.logFile, "");
        const names = Object.keys(environment).map((name) => `SendEnv=${name}`);
        const [ssh, ...args] = session.client as [string, ...string[]];
        const outcome = await runProgram({
            argv: [ssh, ...names.flatMap((name) => ["-o", name]), ...args, command],
            environment: { ...process.env, ...environment },
            stdin: inputs.stdin,
            logging: inputs.logging,
            log: session.log.line,
        });
        const messages = await readFile(session.logFile, "utf8");
        if (outcome.code !== 255 || messages === "") {
            return outcome;
        }
        if (/^Authenticated to /m.test(messages)) {
            if (!/closed by remote host|Broken pipe|reset by peer|not responding/.test(messages)) {
                return outcome;
            }
            throw failure("wait: remote command exited without exit status or exit signal", command, outcome.output);
        }
        const reason = messages.trim().split("\n").at(-1)!.trim();
        if (limit >= 0 && failed >= limit) {
            throw new Error(`after ${failed} failed attempts: ${reason}`);
        }
        if (Date.now() + pause > session.deadline) {
            throw new Error(`context deadline exceeded: ${reason}`);
        }
        session.log.line(`Dial ${failed + 1}/${limit < 0 ? "inf" : limit} failed: retrying`);
        await new Promise((resolve) => setTimeout(resolve, pause));
    }
}
