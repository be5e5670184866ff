import * as pulumi from "@pulumi/pulumi";

/** A resource as the program registered it. */
export interface Registered {
    type: string;
    name: string;
    /** Name of the parent; absent for one that has none. */
    parent?: string;
    /** As they went out; a secret is `{ secret: value }`. */
    inputs: Record<string, unknown>;
    hideDiffs: string[];
    replacementTrigger?: unknown;
    secretOutputs: string[];
    /** Names of the resources that its inputs were made of: when one of them is deleted before it is replaced, so may this be. */
    madeOf: string[];
    protect: boolean;
    /** Seconds until the engine stops waiting for a creation; 0 when nothing is said. */
    createSeconds: number;
}

/** What came of a program. */
export interface ProgramResult<T> {
    registered: Registered[];
    /** What the program returned. */
    value?: T;
    /** What it threw. */
    error?: Error;
}

/** The part of a registration request that is looked at. */
interface Request {
    getType(): string;
    getName(): string;
    getParent(): string;
    getObject(): { toJavaScript(): Record<string, unknown> };
    getHidediffsList(): string[];
    getReplacementTrigger(): { toJavaScript(): unknown } | undefined;
    getAdditionalsecretoutputsList(): string[];
    getProtect(): boolean;
    getPropertydependenciesMap(): { entries(): Iterable<[string, { getUrnsList(): string[] }]> };
    getCustomtimeouts(): { getCreate(): string } | undefined;
}

type Monitor = { registerResource(request: Request, ...rest: unknown[]): unknown };

/**
 * Runs a program against Pulumi's mocks, without an engine, and waits until everything is registered: registration is
 * asynchronous, so a look right after the constructor would see nothing whatever the program did.
 */
export async function runProgram<T>(program: () => T, { preview = false } = {}): Promise<ProgramResult<T>> {
    const registered: Registered[] = [];
    await pulumi.runtime.setMocks(
        {
            call: () => ({}),
            newResource: ({ name, inputs }) => ({ id: `${name}-id`, state: { ...inputs, ...answerOf(name) } }),
        },
        "project",
        "stack",
        preview,
    );
    const monitor = pulumi.runtime.getMonitor() as unknown as Monitor;
    const register = monitor.registerResource.bind(monitor);
    monitor.registerResource = (request, ...rest) => {
        registered.push(recorded(request));
        return register(request, ...rest);
    };
    const result: ProgramResult<T> = { registered };
    try {
        result.value = program();
    } catch (error) {
        result.error = error as Error;
    }
    await settled(registered);
    return result;
}

/** What a command that others wait for answers on a host. */
function answerOf(name: string): object {
    return name.endsWith("-intend") ? { stdout: '{"attempt":"0123456789ab"}' } : {};
}

/** The value of an output, once it is there. */
export function outputValue<T>(output: pulumi.Output<T>): Promise<T> {
    return new Promise((resolve) => output.apply(resolve));
}

function recorded(request: Request): Registered {
    const parent = request.getParent().split("::").at(-1);
    return {
        type: request.getType(),
        name: request.getName(),
        ...(parent ? { parent } : {}),
        inputs: withSecrets(request.getObject().toJavaScript()) as Record<string, unknown>,
        hideDiffs: request.getHidediffsList(),
        replacementTrigger: withSecrets(request.getReplacementTrigger()?.toJavaScript()),
        secretOutputs: request.getAdditionalsecretoutputsList(),
        protect: request.getProtect(),
        madeOf: [...request.getPropertydependenciesMap().entries()].flatMap(([, list]) =>
            list.getUrnsList().map((urn) => urn.split("::").at(-1)!),
        ),
        createSeconds: Number.parseInt(request.getCustomtimeouts()?.getCreate() || "0", 10),
    };
}

/** Key of the SDK's mark on a value that is something special, and the mark of a secret. */
const specialKey = "4dabf18193072939515e22adb298388d";
const secretMark = "1b47061264138c4ac30d75fd1eb44270";

function withSecrets(value: unknown): unknown {
    if (value === null || typeof value !== "object") {
        return value;
    }
    if (Array.isArray(value)) {
        return value.map(withSecrets);
    }
    const entries = Object.entries(value);
    if (entries.some(([key, mark]) => key === specialKey && mark === secretMark)) {
        return { secret: withSecrets((value as { value: unknown }).value) };
    }
    return Object.fromEntries(entries.map(([key, item]) => [key, withSecrets(item)]));
}

/** Waits until nothing new was registered for a while. */
async function settled(registered: readonly unknown[]): Promise<void> {
    for (let quiet = 0, count = -1; quiet < 20; quiet++) {
        if (registered.length !== count) {
            count = registered.length;
            quiet = 0;
        }
        await new Promise((resolve) => setImmediate(resolve));
    }
}
