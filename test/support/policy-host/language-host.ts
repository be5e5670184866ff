/**
 * A stand-in for what older Node.js language hosts (3.68) lack: running policy packs. It forwards every call to the language
 * host that it is given, and starts packs itself, as newer hosts do.
 */
import { spawn } from "node:child_process";
import { createInterface } from "node:readline";
import * as grpc from "@grpc/grpc-js";
import services from "@pulumi/pulumi/proto/language_grpc_pb.js";
import pb from "@pulumi/pulumi/proto/language_pb.js";

const [realHost = "", ...args] = process.argv.slice(2);
const real = spawn(realHost, args, { stdio: ["ignore", "pipe", "inherit"] });
process.on("exit", () => real.kill());
for (const signal of ["SIGINT", "SIGTERM"]) {
    process.on(signal, () => process.exit());
}
const port = await new Promise<string>((resolve) => createInterface({ input: real.stdout }).once("line", resolve));

const options = { "grpc.max_receive_message_length": -1, "grpc.max_send_message_length": -1 };
const client = new grpc.Client(`127.0.0.1:${port}`, grpc.credentials.createInsecure(), options);
type Definition = grpc.MethodDefinition<unknown, unknown>;
type Plugin = InstanceType<typeof pb.RunPluginRequest>;

function forward({ path, requestSerialize, responseDeserialize, responseStream }: Definition) {
    return responseStream
        ? (call: grpc.ServerWritableStream<unknown, unknown>) =>
              client
                  .makeServerStreamRequest(path, requestSerialize, responseDeserialize, call.request, call.metadata)
                  .on("error", (error) => call.destroy(error))
                  .pipe(call)
        : (call: grpc.ServerUnaryCall<unknown, unknown>, callback: grpc.sendUnaryData<unknown>) =>
              client.makeUnaryRequest(
                  path,
                  requestSerialize,
                  responseDeserialize,
                  call.request,
                  call.metadata,
                  callback,
              );
}

function runPack(call: grpc.ServerWritableStream<Plugin, unknown>) {
    const folder = call.request.getInfo()!.getProgramDirectory();
    const runner = import.meta.resolve("@pulumi/pulumi/cmd/run-policy-pack/index.js").replace("file://", "");
    const environment = Object.fromEntries(call.request.getEnvList().map((pair) => pair.split(/=(.*)/s)));
    const words = [runner, ...call.request.getArgsList(), folder];
    const pack = spawn(process.execPath, words, { cwd: folder, env: environment });
    const send = (set: (answer: InstanceType<typeof pb.RunPluginResponse>) => unknown) => {
        const answer = new pb.RunPluginResponse();
        set(answer);
        call.write(answer);
    };
    pack.stdout.on("data", (bytes) => send((answer) => answer.setStdout(bytes)));
    pack.stderr.on("data", (bytes) => send((answer) => answer.setStderr(bytes)));
    pack.on("close", (code) => {
        send((answer) => answer.setExitcode(code ?? 1));
        call.end();
    });
    call.on("cancelled", () => pack.kill());
}

const server = new grpc.Server(options);
const definitions = Object.entries(services.LanguageRuntimeService as unknown as Record<string, Definition>);
const handlers = definitions.map(([name, definition]) => [name, name === "runPlugin" ? runPack : forward(definition)]);
server.addService(services.LanguageRuntimeService as never, Object.fromEntries(handlers));
server.bindAsync("127.0.0.1:0", grpc.ServerCredentials.createInsecure(), (_error, own) => console.log(own));
