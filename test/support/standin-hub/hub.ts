/** Starts the stand-in model hub and talks to its control side. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";

/** One repository: text files, and pseudo-random LFS files given by their size. */
export interface HubRepository {
    readonly files: Readonly<Record<string, string | { readonly bytes: number; readonly seed: number }>>;
    /** The token that opens it. Absent: public. */
    readonly token?: string;
    /** A token of somebody without access. */
    readonly denied?: string;
}

/** A fault of the next downloads. */
export interface HubFault {
    readonly kind: "drop" | "status" | "corrupt" | "slow";
    /** Glob over file paths. Default all. */
    readonly path?: string;
    /** Bytes before a drop. Default 0. */
    readonly after?: number;
    /** Default 503. */
    readonly status?: number;
    /** How many downloads. Default 1. */
    readonly times?: number;
}

/** A file as the hub knows it, in the form of a lock file. */
export interface HubFile {
    readonly path: string;
    readonly size: number;
    readonly sha256?: string;
    readonly gitBlob?: string;
}

/** One request the hub got. */
export interface HubRequest {
    readonly method: string;
    readonly path: string;
    readonly range: string | null;
    readonly authorized: boolean;
    /** Bytes of file content that were sent. */
    readonly sent: number;
}

/** A running hub. */
export interface Hub {
    /** For `HF_ENDPOINT`. */
    readonly endpoint: string;
    /** Revision and files of each repository. */
    readonly repositories: Readonly<Record<string, { revision: string; files: HubFile[] }>>;
    /** Adds a fault; without one, ends all faults. */
    fault(fault?: HubFault): Promise<void>;
    /** All requests so far, oldest first. */
    requests(): Promise<HubRequest[]>;
    stop(): void;
}

/** A small model: two weight files, the rest text. Six files, about 3 MB. */
export const tinyModel: HubRepository = {
    files: {
        "README.md": "# A model without meaning\n",
        "config.json": '{"architectures": ["Qwen3ForCausalLM"], "model_type": "qwen3"}\n',
        "generation_config.json": "{}\n",
        "model-00001-of-00002.safetensors": { bytes: 2_000_000, seed: 1 },
        "model-00002-of-00002.safetensors": { bytes: 1_000_003, seed: 2 },
        "tokenizer/vocab.json": '{"!": 0}\n',
    },
};

/** Serves the repositories on an address of this machine; port 0 takes a free one. */
export async function startHub(
    repositories: Readonly<Record<string, HubRepository>>,
    host = "127.0.0.1",
    port = 0,
): Promise<Hub> {
    const program = join(import.meta.dirname, "hub.py");
    const child = spawn("python3", [program, host, `${port}`], { stdio: ["pipe", "pipe", "inherit"] });
    child.stdin.end(JSON.stringify(repositories));
    const [first] = (await once(child.stdout, "data")) as [Buffer];
    const endpoint = first.toString().trim();
    const get = async (path: string) => (await fetch(`${endpoint}/_standin/${path}`)).json();
    return {
        endpoint,
        repositories: (await get("repositories")) as Hub["repositories"],
        fault: async (fault) => {
            await fetch(`${endpoint}/_standin/fault`, { method: "POST", body: JSON.stringify(fault ?? {}) });
        },
        requests: async () => (await get("requests")) as HubRequest[],
        stop: () => child.kill("SIGKILL"),
    };
}
