import { type Client, credentials } from "@grpc/grpc-js";
import engineProto from "@pulumi/pulumi/proto/engine_grpc_pb.js";
import engineMessages from "@pulumi/pulumi/proto/engine_pb.js";
import type { Log } from "./command.ts";

const { LogSeverity } = engineMessages;

/** The messages of one resource's command, sent to the engine in the order in which they came. */
export class EngineLog implements Log {
    readonly #client: InstanceType<typeof engineProto.EngineClient>;
    readonly #urn: string;
    #sent: Promise<unknown> = Promise.resolve();

    constructor(engineAddress: string, urn: string) {
        this.#client = new engineProto.EngineClient(engineAddress, credentials.createInsecure());
        this.#urn = urn;
    }

    /** A line that is shown while the command runs; a lasting one would pile up under "Diagnostics". */
    line = (message: string): void => this.#send(LogSeverity.INFO, message, true);
    warning = (message: string): void => this.#send(LogSeverity.WARNING, message, false);
    error = (message: string): void => this.#send(LogSeverity.ERROR, message, false);

    /** Waits until the engine has everything. */
    async close(): Promise<void> {
        await this.#sent;
        (this.#client as Client).close();
    }

    #send(severity: 0 | 1 | 2 | 3, message: string, ephemeral: boolean): void {
        const request = new engineMessages.LogRequest();
        request.setSeverity(severity);
        request.setMessage(message);
        request.setUrn(this.#urn);
        request.setEphemeral(ephemeral);
        const answered = () => new Promise((resolve) => this.#client.log(request, resolve));
        this.#sent = this.#sent.then(answered);
    }
}
