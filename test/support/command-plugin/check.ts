import { isMap, type Properties, reveal, unknown, type Value } from "./values.ts";

/** One reason why inputs are not accepted, at the property it is about. Never contains a value. */
export interface Failure {
    property: string;
    reason: string;
}

type Kind = "string" | "number" | "boolean" | "list" | "map";

const common: Record<string, Kind> = {
    create: "string",
    update: "string",
    delete: "string",
    stdin: "string",
    logging: "string",
    environment: "map",
    triggers: "list",
    addPreviousOutputInEnv: "boolean",
};
const local: Record<string, Kind> = { ...common, dir: "string", interpreter: "list" };

/** The properties of each thing the stand-in knows; another type has no entry. */
export const shapes: Record<string, Record<string, Kind>> = {
    "command:remote:Command": { ...common, connection: "map" },
    "command:local:Command": local,
    "command:local:run": { ...local, command: "string" },
};

const proxyShape: Record<string, Kind> = {
    host: "string",
    port: "number",
    user: "string",
    privateKey: "string",
    hostKey: "string",
    dialErrorLimit: "number",
    perDialTimeout: "number",
};
const connectionShape: Record<string, Kind> = { ...proxyShape, proxy: "map" };

const untried = new Set(["password", "privateKeyPassword", "agentSocketPath", "assetPaths", "archivePaths"]);
const logLevels = new Set<Value>(["stdout", "stderr", "stdoutAndStderr", "none", unknown]);

/** All that is wrong with the inputs of a command: wrong types, unknown names, and what this stand-in refuses. */
export function checkInputs(type: string, properties: Properties): Failure[] {
    const inputs = reveal(properties) as Properties;
    const failures = checkShape("", shapes[type]!, inputs);
    if (inputs.logging !== undefined && !logLevels.has(inputs.logging)) {
        failures.push({ property: "logging", reason: "must be stdout, stderr, stdoutAndStderr or none" });
    }
    if (type === "command:remote:Command") {
        failures.push(...checkConnection("connection", connectionShape, inputs.connection));
        if (isMap(inputs.connection) && inputs.connection.proxy !== undefined) {
            failures.push(...checkConnection("connection.proxy", proxyShape, inputs.connection.proxy));
        }
    }
    return failures;
}

function checkConnection(path: string, shape: Record<string, Kind>, value: Value | undefined): Failure[] {
    if (value === unknown) {
        return [];
    }
    if (!isMap(value)) {
        return [{ property: path, reason: "is required, a map" }];
    }
    const missing = value.host === undefined ? [{ property: `${path}.host`, reason: "is required" }] : [];
    return [...missing, ...checkShape(`${path}.`, shape, value)];
}

function checkShape(prefix: string, shape: Record<string, Kind>, properties: Properties): Failure[] {
    return Object.entries(properties).flatMap(([name, value]) => {
        const property = `${prefix}${name}`;
        const kind = shape[name];
        if (untried.has(name)) {
            return [{ property, reason: "is not supported by the stand-in command plugin" }];
        }
        if (kind === undefined) {
            return name.startsWith("__") ? [] : [{ property, reason: "is not a property of this type" }];
        }
        return value === unknown || kindOf(value) === kind ? [] : [{ property, reason: `must be a ${kind}` }];
    });
}

function kindOf(value: Value): string {
    return Array.isArray(value) ? "list" : isMap(value) ? "map" : typeof value;
}
