/**
 * A stand-in for Pulumi's command plugin, `pulumi-resource-command` 1.2.1, for tests where the real one is not installed:
 * it answers the engine's calls as the real one does, and runs commands over the system's ssh client. What it does not
 * do as the real one (passwords, agents, file copies, imports) it refuses.
 */
import { Server, ServerCredentials, type ServerUnaryCall, type sendUnaryData, status } from "@grpc/grpc-js";
import plugin from "@pulumi/pulumi/proto/plugin_pb.js";
import grpc from "@pulumi/pulumi/proto/provider_grpc_pb.js";
import pb from "@pulumi/pulumi/proto/provider_pb.js";
import empty from "google-protobuf/google/protobuf/empty_pb.js";
import struct from "google-protobuf/google/protobuf/struct_pb.js";
import { checkInputs, shapes } from "./check.ts";
import { diffInputs, topLevel } from "./diff.ts";
import { EngineLog } from "./engine-log.ts";
import { type Call, create, invoke, newId, remove, update } from "./resource.ts";
import { asSecret, type Properties, withoutNulls } from "./values.ts";

type Struct = InstanceType<typeof struct.Struct>;
const version = "1.2.1";
let engineAddress = process.argv.slice(2).find((argument) => !argument.startsWith("-")) ?? "";

const toProperties = (value: Struct | undefined) => (value?.toJavaScript() ?? {}) as Properties;
const toStruct = (value: Properties) => struct.Struct.fromJavaScript(value);

/** Wraps an answer as a gRPC handler; an error becomes the call's error, its message the details. */
function answer<Request, Response>(handle: (request: Request) => Response | Promise<Response>) {
    return async (call: ServerUnaryCall<Request, Response>, callback: sendUnaryData<Response>) => {
        try {
            callback(null, await handle(call.request));
        } catch (error) {
            callback({ code: status.UNKNOWN, details: (error as Error).message });
        }
    };
}

/** Raises an error for a type that the stand-in does not have. */
function knownType(type: string): string {
    if (!(type in shapes)) {
        throw new Error(`${type} is not supported by the stand-in command plugin`);
    }
    return type;
}

interface About {
    getUrn(): string;
    getTimeout?(): number;
    getPreview?(): boolean;
}

/** The type and the name in a URN: `urn:pulumi:stack::project::parent$type::name`. */
function parseUrn(urn: string): { type: string; name: string } {
    const [, , types = "", ...name] = urn.split("::");
    return { type: knownType(types.split("$").at(-1)!), name: name.join("::") };
}

/** Acts on the resource of a request, and returns only after the engine has all its messages. */
async function about<Result>(request: About, act: (call: Call) => Promise<Result>): Promise<Result> {
    const log = new EngineLog(engineAddress, request.getUrn());
    const { type } = parseUrn(request.getUrn());
    try {
        const timeout = request.getTimeout?.() ?? 0;
        return await act({ type, log, timeout, preview: request.getPreview?.() ?? false });
    } finally {
        await log.close();
    }
}

function failuresOf(type: string, properties: Properties) {
    return checkInputs(type, properties).map(({ property, reason }) => {
        const failure = new pb.CheckFailure();
        failure.setProperty(property);
        failure.setReason(reason);
        return failure;
    });
}

function check(request: InstanceType<typeof pb.CheckRequest>) {
    const { type } = parseUrn(request.getUrn());
    const inputs = withoutNulls(toProperties(request.getNews()));
    const response = new pb.CheckResponse();
    response.setFailuresList(failuresOf(type, inputs));
    response.setInputs(
        toStruct("connection" in inputs ? { ...inputs, connection: asSecret(inputs.connection!) } : inputs),
    );
    return response;
}

const kinds = { add: 0, delete: 2, update: 4 } as const;

function diff(request: InstanceType<typeof pb.DiffRequest>) {
    const olds = withoutNulls(toProperties(request.getOldInputs()));
    const changes = diffInputs(olds, withoutNulls(toProperties(request.getNews())));
    const response = new pb.DiffResponse();
    response.setChanges(changes.length === 0 ? 1 : 2);
    response.setDiffsList([...new Set(changes.map(({ path }) => topLevel(path)))]);
    response.setReplacesList([...new Set(changes.filter(({ replace }) => replace).map(({ path }) => topLevel(path)))]);
    response.setHasdetaileddiff(true);
    for (const { path, kind, replace } of changes) {
        const property = new pb.PropertyDiff();
        property.setKind((kinds[kind] + (replace ? 1 : 0)) as 0 | 1 | 2 | 3 | 4 | 5);
        property.setInputdiff(true);
        response.getDetaileddiffMap().set(path, property);
    }
    return response;
}

const handlers = {
    handshake: answer((request: InstanceType<typeof pb.ProviderHandshakeRequest>) => {
        engineAddress = request.getEngineAddress();
        const response = new pb.ProviderHandshakeResponse();
        response.setAcceptSecrets(true);
        response.setAcceptResources(true);
        response.setAcceptOutputs(true);
        return response;
    }),
    getPluginInfo: answer(() => {
        const response = new plugin.PluginInfo();
        response.setVersion(version);
        return response;
    }),
    getSchema: answer(() => {
        const response = new pb.GetSchemaResponse();
        response.setSchema(JSON.stringify({ name: "command", version }));
        return response;
    }),
    checkConfig: answer((request: InstanceType<typeof pb.CheckRequest>) => {
        const response = new pb.CheckResponse();
        response.setInputs(request.getNews());
        return response;
    }),
    configure: answer(() => {
        const response = new pb.ConfigureResponse();
        response.setAcceptsecrets(true);
        response.setSupportspreview(true);
        response.setAcceptresources(true);
        response.setAcceptoutputs(true);
        return response;
    }),
    check: answer(check),
    diff: answer(diff),
    create: answer((request: InstanceType<typeof pb.CreateRequest>) =>
        about(request, async (call) => {
            const response = new pb.CreateResponse();
            response.setProperties(toStruct(await create(call, toProperties(request.getProperties()))));
            response.setId(newId(parseUrn(request.getUrn()).name));
            return response;
        }),
    ),
    update: answer((request: InstanceType<typeof pb.UpdateRequest>) =>
        about(request, async (call) => {
            const state = toProperties(request.getOlds());
            const response = new pb.UpdateResponse();
            response.setProperties(toStruct(await update(call, state, toProperties(request.getNews()))));
            return response;
        }),
    ),
    delete: answer((request: InstanceType<typeof pb.DeleteRequest>) =>
        about(request, async (call) => {
            await remove(call, toProperties(request.getProperties()));
            return new empty.Empty();
        }),
    ),
    /** Never contacts the host: a refresh finds what the state says. */
    read: answer((request: InstanceType<typeof pb.ReadRequest>) => {
        if (Object.keys(toProperties(request.getInputs())).length === 0) {
            throw new Error("import is not supported by the stand-in command plugin");
        }
        const response = new pb.ReadResponse();
        response.setId(request.getId());
        response.setProperties(request.getProperties());
        response.setInputs(request.getInputs());
        return response;
    }),
    invoke: answer(async (request: InstanceType<typeof pb.InvokeRequest>) => {
        const type = knownType(request.getTok());
        const args = withoutNulls(toProperties(request.getArgs()));
        const response = new pb.InvokeResponse();
        response.setFailuresList(failuresOf(type, args));
        if (response.getFailuresList().length === 0) {
            const log = new EngineLog(engineAddress, "");
            response.setReturn(toStruct(await invoke({ type, log, timeout: 0, preview: false }, args)));
            await log.close();
        }
        return response;
    }),
    /** Nothing is stopped: a command that runs is let end, so that the state can record it. */
    cancel: answer(() => new empty.Empty()),
};

/** An engine that was killed outright stops no plugin; then there is nobody left to serve. */
const engine = process.ppid;
setInterval(() => process.ppid !== engine && process.exit(1), 1000).unref();

const unlimited = { "grpc.max_receive_message_length": -1, "grpc.max_send_message_length": -1 };
const server = new Server(unlimited);
server.addService(grpc.ResourceProviderService as never, handlers as never);
server.bindAsync("127.0.0.1:0", ServerCredentials.createInsecure(), (error, port) => {
    if (error !== null) {
        throw error;
    }
    process.stdout.write(`${port}\n`);
});
