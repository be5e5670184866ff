import { randomBytes } from "node:crypto";
import type { Log, Previous, Printed } from "./command.ts";
import { type LocalInputs, runLocal } from "./local.ts";
import { type RemoteInputs, runRemote } from "./remote.ts";
import { type Properties, reveal, unknown } from "./values.ts";

/** One call of the engine about a resource. `timeout` is in seconds, 0 for none. */
export interface Call {
    type: string;
    log: Log;
    timeout: number;
    preview: boolean;
}

/** The id of a new resource: its name and eight random hex digits. */
export function newId(name: string): string {
    return `${name}${randomBytes(4).toString("hex")}`;
}

/** The outputs of a create: the inputs, and what the command printed. */
export async function create(call: Call, inputs: Properties): Promise<Properties> {
    if (call.preview) {
        return { ...inputs, stdout: unknown, stderr: unknown };
    }
    const { create } = reveal(inputs) as { create?: string };
    return { ...inputs, ...(await run(call, create, inputs, {}, { stdout: "", stderr: "" })) };
}

/** The outputs of an update; the command is `update`, or `create` where there is none. */
export async function update(call: Call, state: Properties, inputs: Properties): Promise<Properties> {
    if (call.preview) {
        return { ...inputs, stdout: unknown, stderr: unknown };
    }
    const commands = reveal(inputs) as { create?: string; update?: string };
    const kept = { stdout: state.stdout ?? "", stderr: state.stderr ?? "" };
    const ran = await run(call, commands.update ?? commands.create, inputs, reveal(kept) as Previous, undefined);
    return { ...inputs, ...(ran ?? kept) };
}

/** Runs `delete`, if there is one, where and how the state says. */
export async function remove(call: Call, state: Properties): Promise<void> {
    const plain = reveal(state) as { delete?: string };
    await run(call, plain.delete, state, plain as Previous, undefined);
}

/** `command:local:run`: the arguments, and what the command printed; it runs on every preview too. */
export async function invoke(call: Call, args: Properties): Promise<Properties> {
    const { command } = reveal(args) as { command: string };
    return { ...args, ...(await run(call, command, args, {}, undefined)) };
}

async function run<Otherwise>(
    call: Call,
    command: string | undefined,
    properties: Properties,
    previous: Previous,
    otherwise: Otherwise,
): Promise<Printed | Otherwise> {
    if (command === undefined) {
        return otherwise;
    }
    const inputs = reveal(properties);
    return call.type === "command:remote:Command"
        ? runRemote(command, inputs as unknown as RemoteInputs, previous, call.log, call.timeout)
        : runLocal(command, inputs as LocalInputs, previous, call.log);
}
