import { spawn } from "node:child_process";
import { once } from "node:events";
import { createServer } from "node:net";
import { join } from "node:path";
import { packageRoot } from "../../../knowledge/base/package-root.ts";

/** A running stand-in server. */
export interface StandinServer {
    readonly url: string;
    stop(): Promise<void>;
}

/** A port that nothing listens on. */
export async function freePort(): Promise<number> {
    const server = createServer().listen(0, "127.0.0.1");
    await once(server, "listening");
    const { port } = server.address() as { port: number };
    server.close();
    await once(server, "close");
    return port;
}

/** Starts a stand-in with a fault, or none, and more words of its command line; it is up when this ends. */
export async function startStandin(fault = "", ...words: string[]): Promise<StandinServer> {
    const port = await freePort();
    const command = ["-m", "sglang.launch_server", "--model-path", "acme/tiny", "--port", `${port}`, ...words];
    const child = spawn("python3", command, {
        env: {
            PATH: process.env.PATH,
            PYTHONPATH: join(packageRoot, "test/support/standin-server"),
            STANDIN_FAULT: fault,
            STANDIN_FILE: "/nonexistent",
        },
        stdio: ["ignore", "ignore", "pipe"],
    });
    const ended = once(child, "exit");
    let log = "";
    await new Promise<void>((resolve, reject) => {
        child.stderr.setEncoding("utf8").on("data", (text: string) => {
            log += text;
            if (log.includes("ready to roll")) {
                resolve();
            }
        });
        child.once("exit", () => reject(new Error(`the stand-in ended:\n${log}`)));
    });
    return {
        url: `http://127.0.0.1:${port}`,
        stop: async () => {
            child.kill("SIGKILL");
            await ended;
        },
    };
}
