/** The command as a user runs it: exit status, one stable document with `--json`, and no stack trace for any mistake. */
import { spawnSync } from "node:child_process";
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { stripVTControlCharacters } from "node:util";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { parse as parseYaml, stringify } from "yaml";
import { packageRoot } from "../../../knowledge/base/package-root.ts";

const topology = join(packageRoot, "test/fixtures/topology/01-8x-rtxpro6000-asus-esc8000a-ansi.txt");
let folder: string;
beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), "cli-"));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

function sglang(args: string[], input = "") {
    const { status, stdout, stderr } = spawnSync(process.execPath, [join(packageRoot, "cli/main.ts"), ...args], {
        cwd: packageRoot,
        encoding: "utf8",
        input,
    });
    return { status, stdout, stderr };
}

type Fields = Record<string, unknown>;

/** The shipped stack, changed; written beside its facts. */
function stackFile(change: (deployment: Record<"hosts" | "services", Record<string, Fields>>) => void): string {
    const { config } = parseYaml(readFileSync(join(packageRoot, "Pulumi.blackwell.yaml"), "utf8"));
    const deployment = config["pulumi-sglang:deployment"];
    const facts = readFileSync(join(packageRoot, deployment.hosts.node1.facts), "utf8");
    writeFileSync(join(folder, "facts.json"), facts);
    deployment.hosts.node1.facts = "facts.json";
    change(deployment);
    const file = join(folder, "stack.yaml");
    writeFileSync(file, stringify(deployment));
    return file;
}

describe("plan", () => {
    test("ends with 0 and the whole document when nothing stands against the stack", () => {
        const { status, stdout } = sglang(["plan", "-s", "blackwell", "--json"]);
        const plan = JSON.parse(stdout);
        expect(status).toBe(0);
        expect(plan).toMatchObject({ refused: false, problems: [] });
        expect(plan.services[0]).toMatchObject({
            name: "qwen35",
            release: "0.5.16",
            placement: "hosts",
            env: { NCCL_P2P_LEVEL: "SYS" },
            settings: { "fp4-gemm-backend": { value: "flashinfer_cudnn", origin: "user" } },
            memory: { fits: true, weightsGiBPerGpu: expect.any(Number), headroomGiB: expect.any(Number) },
            digests: { build: expect.stringMatching(/^[0-9a-f]+$/), service: expect.stringMatching(/^[0-9a-f]+$/) },
        });
        expect(plan.services[0].argv.slice(1, 3)).toEqual(["-m", "sglang.launch_server"]);
        expect(plan.notReady.map(({ path }: { path: string }) => path)).toContain("hosts.node1.hostKey");
        expect(sglang(["plan", "-s", "blackwell", "--json"]).stdout).toBe(stdout);
    });

    test("ends with 3 and the rule when a setting is refused", () => {
        const file = stackFile(({ services }) => {
            services.qwen35!.backends = { attention: "trtllm_mha" };
        });
        const { status, stdout } = sglang(["plan", "--file", file, "--json"]);
        const plan = JSON.parse(stdout);
        expect({ status, refused: plan.refused }).toEqual({ status: 3, refused: true });
        expect(plan.services[0].findings).toContainEqual(
            expect.objectContaining({ rule: "trtllm-mha-prefill", verdict: "refuse", sources: expect.any(Array) }),
        );
    });

    test("ends with 2 when a typed address is open to anyone, and corrects the one of a pasted launch", () => {
        const open = sglang([
            "plan",
            "--json",
            "--file",
            stackFile(({ services }) => {
                services.qwen35!.api = { listen: "0.0.0.0" };
            }),
        ]);
        expect(open.status).toBe(2);
        expect(JSON.parse(open.stdout).problems).toEqual([
            { path: "services.qwen35.api.listen", message: expect.stringContaining("Give the service an apiKey") },
        ]);
        const pasted = sglang(
            ["plan", "--json", "--from-command", "-", "--release", "0.5.16"],
            "docker run -e HF_HOME=/x img sglang serve --model nvidia/Qwen3.5-397B-A17B-NVFP4 --tp 8 --host 0.0.0.0",
        );
        const [service] = JSON.parse(pasted.stdout).services;
        expect(pasted.status).toBe(0);
        expect(service.settings.host).toEqual({ value: "127.0.0.1", origin: "rule", rule: "open-without-key" });
        expect(service.findings).toContainEqual(
            expect.objectContaining({ rule: "open-without-key", verdict: "fix", from: "0.0.0.0", to: "127.0.0.1" }),
        );
    });

    test("says for which host a command was planned when none is named", () => {
        const launch = "sglang serve --model nvidia/Qwen3.5-397B-A17B-NVFP4 --tp 8";
        const assumed = sglang(["plan", "--from-command", "-"], launch);
        expect(assumed.stdout).toMatch(
            /\nPlanned for the host of (facts\/\S+\.json); --facts FILE plans for yours\.\n$/,
        );
        const [, facts] = /host of (\S+);/.exec(assumed.stdout)!;
        const named = sglang(["plan", "--from-command", "-", "--facts", facts!], launch);
        expect(named.stdout).toBe(assumed.stdout.replace(/Planned for the host of .*\n$/, ""));
    });

    test("shows a launch command that can be pasted into a shell", () => {
        const override = '{"a": "it\'s $HOME", "b": [1]}';
        const file = stackFile(({ services }) => {
            services.qwen35!.extraArgs = { "json-model-override-args": override };
        });
        const [, command] = /\nLaunch command\n-+\n((?:.+\n)+)/.exec(sglang(["plan", "--file", file]).stdout)!;
        const [service] = JSON.parse(sglang(["plan", "--file", file, "--json"]).stdout).services;
        const words = spawnSync("bash", ["-c", `printf '%s\\0' ${command}`], { encoding: "utf8" }).stdout;
        expect(words.split("\0").slice(0, -1)).toEqual(service.argv);
        expect(service.argv).toContain(override);
    });

    test("says which host's command it shows of several, and that a stack has no services", () => {
        const several = stackFile(({ hosts, services }) => {
            hosts.node2 = { ...hosts.node1, address: "192.0.2.12" };
            Object.assign(services.qwen35!, { placement: { hosts: ["node1", "node2"] } });
        });
        expect(sglang(["plan", "--file", several]).stdout).toContain("\nLaunch command on node1, rank 0 of 2\n---");
        const none = stackFile((deployment) => {
            deployment.services = {};
        });
        const { status, stdout } = sglang(["plan", "--file", none]);
        expect(stdout).toMatch(/It has no services: there is nothing to plan\.\n$/);
        expect(status).toBe(2);
    });

    test.each([
        ["", /no launch of SGLang found/],
        ["vllm serve x/y", /starts vLLM/],
        ["sglang serve --tp 8", /names no model/],
        ["sglang serve --model-path $MODEL", /--model-path is not known here: \$MODEL is not set in this text/],
    ])("ends with 2 and the reason when a command cannot be planned: %j", (command, reason) => {
        const { status, stderr } = sglang(["plan", "--from-command", "-"], command);
        expect(status).toBe(2);
        expect(stderr).toMatch(reason);
    });

    test("ends with 2 and every mistake with its path when the file is wrong", () => {
        const file = stackFile(({ hosts, services }) => {
            hosts.node1!.hostKey = "ssh-rsa AAAA";
            services.qwen35!.prot = 1;
            services.qwen35!.api = { port: "many" };
        });
        const { status, stdout } = sglang(["plan", "--file", file, "--json"]);
        expect(status).toBe(2);
        expect(
            JSON.parse(stdout)
                .problems.map(({ path }: { path: string }) => path)
                .toSorted(),
        ).toEqual(["hosts.node1.hostKey", "services.qwen35.api.port", "services.qwen35.prot"]);
    });

    test("writes unit, arguments and environment", () => {
        const target = join(folder, "written");
        expect(sglang(["plan", "-s", "blackwell", "--write", target]).status).toBe(0);
        expect(readdirSync(join(target, "qwen35")).toSorted()).toEqual([
            "arguments.json",
            "environment",
            "sglang-qwen35.service",
        ]);
        expect(JSON.parse(readFileSync(join(target, "qwen35/arguments.json"), "utf8"))).toMatchObject({ "tp-size": 8 });
    });
});

describe("topology", () => {
    test("prints the table and the environment that it leads to", () => {
        const { status, stdout } = sglang(["topology", topology, "--json"]);
        const report = JSON.parse(stdout);
        expect(status).toBe(0);
        expect(report.gpus).toHaveLength(8);
        expect(report.links).toHaveLength(28);
        expect(report.env).toContainEqual(
            expect.objectContaining({ name: "NCCL_P2P_LEVEL", value: "SYS", reason: expect.any(String) }),
        );
    });

    test("ends with 2 and names row and column of a table that cannot be read whole", () => {
        const file = join(folder, "cut.txt");
        const [header, ...rows] = stripVTControlCharacters(readFileSync(topology, "utf8")).split("\n");
        const row = rows.findIndex((line) => line.startsWith("GPU3"));
        writeFileSync(file, [header, ...rows.with(row, rows[row]!.replace("PIX", "P?X"))].join("\n"));
        const { status, stderr } = sglang(["topology", file]);
        expect(status).toBe(2);
        expect(stderr).toMatch(/row GPU3, column GPU\d.*P\?X/);
    });
});

describe("options and rules", () => {
    test("print what the release and the table say", () => {
        const [option] = JSON.parse(sglang(["options", "0.5.23", "fp4-gemm-backend", "--json"]).stdout);
        expect(option).toMatchObject({ names: ["--fp4-gemm-backend"], choices: expect.arrayContaining(["auto"]) });
        const { rules } = JSON.parse(sglang(["rules", "--json"]).stdout);
        expect(rules.map(({ id }: { id: string }) => id)).toContain("fp4-cutlass-race");
    });

    test("take a release by the name of its tag, as plan does", () => {
        const options = (release: string) => sglang(["options", release, "tp-size", "--json"]).stdout;
        expect(options("v0.5.23")).toBe(options("0.5.23"));
        const plan = sglang(
            ["plan", "--json", "--from-command", "-", "--release", "v0.5.16"],
            "sglang serve --model nvidia/Qwen3.5-397B-A17B-NVFP4 --tp 8",
        );
        expect(JSON.parse(plan.stdout).services[0].release).toBe("0.5.16");
    });

    test("name the nearest when there is no such option or release", () => {
        const option = sglang(["options", "0.5.23", "fp4-gemm-backnd"]);
        expect(option.status).toBe(2);
        expect(option.stderr).toContain("fp4-gemm-backend");
        const release = sglang(["options", "0.5.24"]);
        expect(release.status).toBe(2);
        expect(release.stderr).toContain("0.5.23");
    });
});

const rubbish = {
    "not YAML": "a: [",
    "another document": '{"x": 1}',
    bytes: "\u0000\u0007\ufffd\t\u001b[31m",
    empty: "",
};
const verbs = ["plan --file", "topology", "review --file", "status --file", "drift --file", "pin --file"];

describe.each(Object.entries(rubbish))("rubbish: %s", (_name, text) => {
    test.each(verbs)("given to %s is one clear error", (verb) => {
        const file = join(folder, "rubbish.yaml");
        writeFileSync(file, text);
        const { status, stdout, stderr } = sglang([...verb.split(" "), file]);
        expect(status).toBe(2);
        expect(stdout + stderr).not.toMatch(/^ +at |node:internal/m);
        expect(stdout + stderr).not.toBe("");
    });
});

test.each([
    ["frobnicate"],
    ["plan --frob"],
    ["plan -s nothing"],
    ["plan --file /"],
    ["topology"],
    ["topology nothing"],
    ["options"],
    ["facts"],
    ["plan -s blackwell --file x.yaml"],
    ["plan -s blackwell --release 0.5.9"],
    ["plan -s blackwell --write package.json"],
    ["options 0.5.23 tp-size dp-size"],
    ["topology a b"],
    [`topology ${topology} --svg /nonexistent/x.svg`],
    [`topology ${topology} --numactl package.json`],
    ["review --file nothing"],
    ["review --file /"],
    ["constructor"],
    ["status -s pool"],
    ["logs -s blackwell -n many"],
])("%s ends with 2 and says why", (line) => {
    const { status, stderr } = sglang(line.split(" "));
    expect(status).toBe(2);
    expect(stderr).not.toMatch(/^ +at |node:internal/m);
    expect(stderr.trim()).not.toBe("");
});

test.each([
    ["empty", "", "is empty"],
    ["several documents", "a: 1\n---\nb: 2\n", "holds several documents, the second begins at line 2"],
    ["a tab", "config:\n\ta: 1\n", "Tabs are not allowed as indentation at line 2, column 1"],
    ["a key twice", "builds: {}\nbuilds: {}\n", "Map keys must be unique at line 2, column 1"],
])("a stack file that is %s is told what is wrong with it", (_name, text, message) => {
    const file = join(folder, "wrong.yaml");
    writeFileSync(file, text);
    const { status, stderr } = sglang(["plan", "--file", file]);
    expect(status).toBe(2);
    expect(stderr.trimEnd()).toMatch(new RegExp(`${message}[^:]*$`));
});

test.each(["status", "receipt", "drift", "logs"])("%s says what ssh says of a host that cannot be reached", (verb) => {
    const file = stackFile(({ hosts }) => {
        Object.assign(hosts.node1!, { address: "127.0.0.1", port: 1 });
    });
    const { status, stderr } = sglang([verb, "--file", file]);
    expect(status).toBe(2);
    expect(stderr).toMatch(/The host cannot be asked:\n {2}node1: .*127\.0\.0\.1 port 1: Connection refused/);
});

test("a host behind another is reached through it, each with its own key", () => {
    const key = (word: string) => `ssh-ed25519 AAAA${word}`;
    const file = stackFile(({ hosts }) => {
        const proxy = { address: "gate.example", user: "jump", port: 2222, hostKey: key("gate") };
        Object.assign(hosts.node1!, { hostKey: key("node"), proxy });
    });
    const program = 'for word; do echo "word: $word"; done >&2; exit 1';
    writeFileSync(join(folder, "ssh"), `#!/bin/sh\n${program}\n`, { mode: 0o755 });
    const env = { ...process.env, PATH: `${folder}:${process.env.PATH}` };
    const argv = [join(packageRoot, "cli/main.ts"), "logs", "--file", file];
    const { stderr } = spawnSync(process.execPath, argv, { encoding: "utf8", env });
    expect(stderr).toContain("word: ConnectTimeout=15\n");
    const [, command] = /word: ProxyCommand=(.*)\n/.exec(stderr)!;
    const words = spawnSync("sh", ["-c", `printf '%s\\n' ${command}`], { encoding: "utf8" }).stdout;
    expect(words).toMatch(/^ssh\n(.*\n)*ConnectTimeout=15\n/);
    expect(words).toMatch(/\n-p\n2222\n-l\njump\n-W\n\[%h\]:%p\n--\ngate\.example\n$/);
    expect(stderr).toMatch(/word: -l\n *word: deploy\n *word: --\n *word: 192\.0\.2\.11\n/);
});

test("a reader that stops early, such as head, is no mistake", () => {
    const command = `"${process.execPath}" cli/main.ts rules --json | head -1; echo "\${PIPESTATUS[0]}"`;
    const { stdout, stderr } = spawnSync("bash", ["-c", command], { cwd: packageRoot, encoding: "utf8" });
    expect(stdout).toBe("{\n0\n");
    expect(stderr).toBe("");
});

test("a verb explains itself", () => {
    const { status, stdout } = sglang(["topology", "--help"]);
    expect(status).toBe(0);
    expect(stdout).toMatch(/topology FILE/);
    expect(stdout).not.toMatch(/ plan /);
});

test("help names every verb", () => {
    const { status, stdout } = sglang(["--help"]);
    expect(status).toBe(0);
    for (const verb of [
        "plan",
        "topology",
        "options",
        "rules",
        "pin",
        "status",
        "receipt",
        "logs",
        "facts",
        "review",
        "drift",
    ]) {
        expect(stdout).toContain(`  ${verb} `);
    }
});
