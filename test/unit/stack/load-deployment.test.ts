import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { type LoadedDeployment, loadDeployment } from "../../../deployment/load.ts";
import { deploymentReadiness } from "../../../deployment/readiness.ts";
import { packageRoot } from "../../../knowledge/base/package-root.ts";

const facts = "facts/esc8000a-8x-rtxpro6000-server.json";
const host = { address: "192.0.2.1", hostKey: "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIBcd", facts };
const read = (path: string) => readFileSync(join(packageRoot, path), "utf8");

/** A stack file with one host and two services of four GPUs each. */
function stack(change: (value: ReturnType<typeof base>) => void = () => {}) {
    const value = base();
    change(value);
    return loadDeployment(value, read);
}

function base() {
    return {
        hosts: { node1: { ...host } } as Record<string, Record<string, unknown>>,
        builds: { sglang: { release: "0.5.23" } } as Record<string, Record<string, unknown>>,
        models: { qwen: { repository: "nvidia/Qwen3.5-397B-A17B-NVFP4" } } as Record<string, Record<string, unknown>>,
        services: {
            first: {
                placement: { hosts: ["node1"], gpus: [0, 1, 2, 3] },
                build: "sglang",
                model: "qwen",
                api: { port: 8000 },
            },
            second: {
                placement: { hosts: ["node1"], gpus: [4, 5, 6, 7] },
                build: "sglang",
                model: "qwen",
                api: { port: 8001 },
            },
        } as Record<string, Record<string, unknown>>,
    };
}

const told = ({ problems }: LoadedDeployment) => problems.map(({ path, message }) => `${path}: ${message}`);

describe("a stack file", () => {
    it("that is right has no problems, and gives each service its GPUs", () => {
        const loaded = stack();
        expect(told(loaded)).toEqual([]);
        expect(loaded.services.map(({ spec }) => spec.nodes.map(({ gpus }) => gpus))).toEqual([
            [[0, 1, 2, 3]],
            [[4, 5, 6, 7]],
        ]);
    });

    it.each([
        [{ tp: 8 }, "tp: is not a known key; write `parallelism.tensor`"],
        [{ mem_fraction_static: 0.8 }, "mem_fraction_static: is not a known key; write `kvCache.memoryFraction`"],
        [{ "attention-backend": "triton" }, "attention-backend: is not a known key; write `backends.attention`"],
        [{ port: 1 }, "port: is not a known key; write `api.port`"],
        [{ args: {} }, 'args: is not a known key; did you mean "extraArgs"?'],
        [{ env: {} }, 'env: is not a known key; did you mean "environment"?'],
        [{ kvcache: {} }, 'kvcache: is not a known key; did you mean "kvCache"?'],
        [{ hosts: ["node1"], placement: undefined }, "hosts: is not a known key; write `placement.hosts`"],
        [{ pool: "x", placement: undefined }, "pool: is not a known key; write `placement.pool`"],
        [{ backends: { attention: "flashinfr" } }, 'flashinfr" (did you mean "flashinfer"?)'],
        [{ parsers: { reasoning: "qwen33" } }, 'qwen33" (did you mean "qwen3"?)'],
        [{ extraArgs: { "schedule-policy": "fcsf" } }, 'fcsf" (did you mean "fcfs"?)'],
        [{ accept: [{ rule: "fp4-cudn-nan", reason: "it is fine here" }] }, 'did you mean "fp4-cudnn-nan"?'],
    ])("that says %j is told once what is meant", (fields, message) => {
        const loaded = stack((value) => {
            Object.assign(value.services.first!, fields);
        });
        expect(told(loaded)).toEqual([expect.stringContaining(message)]);
    });

    it("may name a release by its tag, and a version as a requirement", () => {
        const loaded = stack((value) => {
            Object.assign(value.builds.sglang!, { release: "v0.5.23", versions: { flashinfer: "==0.6.6+cu130" } });
        });
        expect(told(loaded)).toEqual([]);
        expect(loaded.deployment.builds.sglang).toMatchObject({
            release: "0.5.23",
            versions: { flashinfer: "0.6.6+cu130" },
        });
    });

    it("is told every mistake at once, each with its path", () => {
        const loaded = stack((value) => {
            value.hosts.node1!.hostkey = "ssh-ed25519 AAAA";
            value.hosts.node1!.hostKey = "ssh-rsa AAAAB3Nz";
            value.services.first!.parallelism = { tensor: 0 };
            value.services.second!.backends = { fp4gemm: "flashinfer_cudnn" };
        });
        expect(loaded.problems.map(({ path }) => path)).toEqual([
            "hosts.node1.hostKey",
            "hosts.node1.hostkey",
            "services.first.parallelism.tensor",
            "services.second.backends.fp4gemm",
        ]);
        expect(told(loaded)[0]).toContain("ed25519 or ecdsa");
    });

    it("is told wrong references and files beside wrong shapes, and not that a wrong entry is missing", () => {
        const loaded = stack((value) => {
            value.hosts.node2 = { ...host, facts: "facts/none.json" };
            value.models.qwen!.repository = "Qwen3.5";
            value.services.first!.build = "sgl";
            value.services.second!.api = { port: 99999 };
            value.services.third = { placement: { hosts: ["node3"] }, build: "sglang", model: "qwen" };
        });
        expect(loaded.problems.map(({ path }) => path).toSorted()).toEqual([
            "hosts.node2.facts",
            "models.qwen.repository",
            "services.first.build",
            "services.second.api.port",
            "services.third.placement.hosts.0",
        ]);
    });

    it.each<[string, (value: ReturnType<typeof base>) => void, string]>([
        [
            "a GPU used twice",
            (v) => Object.assign(v.services.second!.placement!, { gpus: [3, 4] }),
            "GPU 3 of node1 is already used by services.first",
        ],
        [
            "a port used twice",
            (v) => Object.assign(v.services.second!, { api: { port: 8000 } }),
            "port 8000 of node1 is already used by services.first",
        ],
        [
            "the default port used twice",
            (v) => {
                delete v.services.first!.api;
                delete v.services.second!.api;
            },
            "port 30000 of node1 is already used",
        ],
        [
            "a GPU that is not there",
            (v) => Object.assign(v.services.second!.placement!, { gpus: [8] }),
            "node1 has the GPUs 0, 1, 2, 3, 4, 5, 6, 7, not 8",
        ],
        [
            "a host that is not there",
            (v) => Object.assign(v.services.first!.placement!, { hosts: ["node2"] }),
            'no host is called "node2" (known: node1); did you mean "node1"?',
        ],
        [
            "a model that is not there",
            (v) => Object.assign(v.services.first!, { model: "qwn" }),
            'did you mean "qwen"?',
        ],
        [
            "neither hosts nor pool",
            (v) => {
                v.services.first!.placement = {};
            },
            "services.first.placement: must have `hosts` or `pool`",
        ],
        [
            "facts that are not there",
            (v) => Object.assign(v.hosts.node1!, { facts: "facts/none.json" }),
            "cannot read facts/none.json: there is no such file",
        ],
        [
            "a patch that does not ship",
            (v) => Object.assign(v.builds.sglang!, { patches: ["redact-credential"] }),
            'did you mean "redact-credentials"?',
        ],
        [
            "an image by tag",
            (v) => Object.assign(v.builds.sglang!, { image: "lmsysorg/sglang:latest" }),
            "must be an image by digest",
        ],
        [
            "a branch as revision",
            (v) => Object.assign(v.models.qwen!, { revision: "main" }),
            "must be a commit of 40 hex digits",
        ],
        [
            "a release that does not exist",
            (v) => Object.assign(v.builds.sglang!, { release: "0.5.24", patches: ["redact-credentials"] }),
            "builds.sglang.release: SGLang 0.5.24 is not supported; the nearest that is: 0.5.23",
        ],
        [
            "a range where a version belongs",
            (v) => Object.assign(v.builds.sglang!, { versions: { torch: ">=2.7" } }),
            "builds.sglang.versions.torch: must be a version as PEP 440 writes it, such as 0.6.6 or 2.9.1+cu130",
        ],
        [
            "a key that is nearly right",
            (v) => Object.assign(v.services.first!, { api: { prot: 8000 } }),
            'services.first.api.prot: is not a known key; did you mean "port"?',
        ],
        [
            "a key that is nowhere near",
            (v) => Object.assign(v.services.first!, { api: { timetable: 1 } }),
            "is not a known key; known are listen, metrics, port, servedModelName",
        ],
        [
            "a name that cannot be one",
            (v) => Object.assign(v.hosts, { Node_1: host }),
            "hosts.Node_1: its name must be lower-case letters",
        ],
        [
            "a number where a text belongs",
            (v) => Object.assign(v.builds.sglang!, { release: 0.5 }),
            "builds.sglang.release: must be a string, not a number; put it in quotes",
        ],
        [
            "a number that is too large",
            (v) => Object.assign(v.services.first!, { api: { port: 70000 } }),
            "services.first.api.port: must be at most 65535",
        ],
        [
            "a choice that there is not",
            (v) => Object.assign(v.models.qwen!, { retention: "keep" }),
            "models.qwen.retention: must be one of Retain, Purge",
        ],
        [
            "nothing where a map belongs",
            (v) => Object.assign(v.services, { first: null }),
            "services.first: must be a map, but is empty",
        ],
        [
            "no host in the list",
            (v) => Object.assign(v.services.first!.placement!, { hosts: [] }),
            "services.first.placement.hosts: must have at least 1 entry",
        ],
        [
            "an exception without a reason",
            (v) => Object.assign(v.services.first!, { accept: [{ rule: "custom-all-reduce", reason: "fast" }] }),
            "services.first.accept.0.reason: must say why, in a sentence",
        ],
        [
            "a variable of several lines",
            (v) => Object.assign(v.services.first!, { environment: { A: "1\nLD_PRELOAD=/x" } }),
            "services.first.environment.A: must be one line",
        ],
        [
            "nodes beside hosts",
            (v) => Object.assign(v.services.first!.placement!, { nodes: 2 }),
            "services.first.placement.nodes: goes with `pool`, not with `hosts`",
        ],
        [
            "a user in the address",
            (v) => Object.assign(v.hosts.node1!, { address: "deploy@192.0.2.1" }),
            "hosts.node1.address: must be a host name or an address, without a user or a port",
        ],
        [
            "a user that is an option",
            (v) => Object.assign(v.hosts.node1!, { user: "-oProxyCommand=x" }),
            "hosts.node1.user: must be the name of a user",
        ],
        [
            "a folder that goes up",
            (v) => Object.assign(v.hosts.node1!, { root: "/opt/../etc" }),
            "hosts.node1.root: must not go up with ..",
        ],
        [
            "an address that is none",
            (v) => Object.assign(v.services.first!, { api: { listen: "every where" } }),
            "services.first.api.listen: must be an address",
        ],
    ])("with %s says so", (_, change, message) => {
        expect(told(stack(change)).join("\n")).toContain(message);
    });

    it("says once that a service names a GPU or a host twice", () => {
        const loaded = stack((value) => {
            value.services.first!.placement = { hosts: ["node1"], gpus: [0, 0, 1, 1] };
            value.services.second!.placement = { hosts: ["node1", "node1"] };
        });
        expect(told(loaded)).toEqual([
            "services.first.placement.gpus: names one of them twice",
            "services.second.placement.hosts: names one of them twice",
        ]);
    });

    it.each([
        ["environment", "HF_TOKEN"],
        ["environment", "OPENAI_API_KEY"],
        ["environment", "db_password"],
        ["environment", "AWS_SECRET_ACCESS_KEY"],
        ["extraArgs", "api-key"],
        ["extraArgs", "--admin_api_key"],
        ["extraArgs", "apiKey"],
    ])("with a secret in %s.%s is refused, and the value is not repeated", (field, key) => {
        const loaded = stack((value) => Object.assign(value.services.first!, { [field]: { [key]: "s3cret" } }));
        expect(told(loaded)).toEqual([
            expect.stringMatching(`services.first.${field}.${key}: is a secret, .* as the service's \`apiKey\``),
        ]);
        expect(JSON.stringify(loaded)).not.toContain("s3cret");
    });

    it.each([
        ["{", "lock file: is not JSON: "],
        ['{"schema": 1, "models": {}}', "lock file: builds is missing; must be a map; run pin again"],
    ])("beside a lock file that is wrong says so once: %s", (lock, message) => {
        const problems = told(loadDeployment(base(), read, lock));
        expect(problems).toEqual([expect.stringContaining(message)]);
        expect(problems[0]).toMatch(/; run pin again$/);
    });

    it("refuses a patch that is no patch", () => {
        const value = base();
        value.builds.sglang!.patches = ["mine.patch"];
        const texts: Record<string, string> = { "mine.patch": "<html>not found</html>" };
        const loaded = loadDeployment(value, (path) => texts[path] ?? read(path));
        expect(told(loaded)).toEqual(["builds.sglang.patches.0: mine.patch is no unified diff"]);
    });

    it("with a secret by its look, under any name, is refused, and the value is not repeated", () => {
        const token = `hf_${"a1B2".repeat(9)}`;
        const url = "https://me:s3cret@example.com/sglang.git";
        const loaded = stack((value) => {
            value.services.first!.environment = { LOGIN: token, https_proxy: url };
            value.services.second!.extraArgs = { "log-level": `sk-${token}` };
            Object.assign(value.builds.sglang!, { indexUrl: url, source: { repository: url, commit: "0".repeat(40) } });
        });
        expect(loaded.problems.map(({ path }) => path).toSorted()).toEqual([
            "builds.sglang.indexUrl",
            "builds.sglang.source.repository",
            "services.first.environment.LOGIN",
            "services.first.environment.https_proxy",
            "services.second.extraArgs.log-level",
        ]);
        expect(JSON.stringify(loaded)).not.toMatch(/a1B2|s3cret/);
    });

    it("may name tokens that are no secrets", () => {
        const loaded = stack((value) => {
            value.services.first!.environment = {
                TOKENIZERS_PARALLELISM: "false",
                HF_TOKEN_PATH: "/hf_quant_config.json",
            };
            value.services.first!.extraArgs = { "bucket-time-to-first-token": [1, 2] };
        });
        expect(told(loaded)).toEqual([]);
    });

    it("that is a text or a list is refused without a stack trace", () => {
        for (const value of ["rubbish", [1, 2], null, 7, { services: [] }]) {
            expect(loadDeployment(value, read).problems.length).toBeGreaterThan(0);
        }
    });
});

describe("a deployment", () => {
    it("is not ready with the example's key, or before it is pinned", () => {
        const loaded = stack((value) => {
            value.hosts.node1!.hostKey = "ssh-ed25519 AAAAC3EXAMPLE";
        });
        expect(deploymentReadiness(loaded)).toEqual([
            { path: "hosts.node1.hostKey", message: expect.stringContaining("replace hosts.node1") },
            { path: "models.qwen", message: "nvidia/Qwen3.5-397B-A17B-NVFP4 is not pinned: run pin" },
            { path: "builds.sglang", message: "its packages are not pinned: run pin" },
        ]);
    });
});
