/** The test bed itself: real hosts with recorded cards, and the stand-ins on them. */
import { mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { passwordUser } from "../support/hosts/debian.ts";
import { makeGitUpstream } from "../support/hosts/git-upstream.ts";
import { startHost, type TestHost } from "../support/hosts/host.ts";
import { gatewayAddress } from "../support/hosts/network.ts";
import { makeWheelhouse } from "../support/hosts/wheelhouse.ts";
import { type Hub, startHub, tinyModel } from "../support/standin-hub/hub.ts";

let alpha: TestHost;
let beta: TestHost;
let hub: Hub;
const scratch = mkdtempSync(join(tmpdir(), "testbed-"));
const upstream = makeGitUpstream(join(scratch, "git"), ["0.5.17"]);

beforeAll(async () => {
    const wheelhouse = makeWheelhouse(join(scratch, "wheelhouse"), {
        standIns: ["0.5.17", "0.5.22"],
        requirements: ["huggingface_hub"],
    });
    const gated = { ...tinyModel, token: "hf_good", denied: "hf_denied" };
    const large = { files: { "large.safetensors": { bytes: 25_000_000, seed: 3 } } };
    hub = await startHub({ "acme/tiny": tinyModel, "acme/gated": gated, "acme/large": large }, gatewayAddress());
    [alpha, beta] = await Promise.all([
        startHost({ name: "alpha", wheelhouse, folders: { "/srv/git": upstream.folder } }),
        startHost({ name: "beta", shell: "/usr/bin/fish" }),
    ]);
});

afterAll(() => {
    hub?.stop();
    alpha?.stop();
    beta?.stop();
});

/** What a command on alpha prints; fails with its errors. */
async function onAlpha(command: string): Promise<string> {
    const { code, stdout, stderr } = await alpha.exec(command);
    expect(code, stderr).toBe(0);
    return stdout.trim();
}

/** Installs packages into an environment of its own. */
async function environment(path: string, ...packages: string[]): Promise<void> {
    await onAlpha(`python3 -m venv ${path} && ${path}/bin/pip install --quiet ${packages.join(" ")}`);
}

/** Runs Python with the real hub client on alpha, in a fresh cache. */
function client(code: string, token = ""): ReturnType<TestHost["exec"]> {
    const variables = `HF_ENDPOINT=${hub.endpoint} HF_HOME=$(mktemp -d) HF_HUB_ETAG_TIMEOUT=5 HF_TOKEN=${token}`;
    return alpha.exec(`test -d /opt/hub || exit 1; ${variables} /opt/hub/bin/python -`, {
        stdin: `from huggingface_hub import HfApi, snapshot_download\n${code}`,
    });
}

test("two hosts run real systemd, each reached by its own pinned key", async () => {
    expect(await onAlpha("systemctl is-system-running; cat /proc/1/comm")).toBe("running\nsystemd");
    expect(alpha.address).not.toBe(beta.address);
    expect(alpha.hostKey).toMatch(/^ssh-ed25519 AAAA[\w+/=]+$/);
    expect((await beta.exec("hostname")).stdout).toBe("beta\n");
    writeFileSync(beta.knownHostsPath, `${beta.address} ${alpha.hostKey}\n`);
    expect((await beta.exec("true")).stderr).toContain("Host key verification failed");
    writeFileSync(beta.knownHostsPath, `${beta.address} ${beta.hostKey}\n`);
    expect(await onAlpha(`curl -s --max-time 5 --http0.9 ${beta.address}:22 | head -c 7 || true`)).toBe("SSH-2.0");
});

test("one user has sudo, one needs a password for it, and a login shell may be fish", async () => {
    expect((await beta.exec("sudo -n id -u; echo $FISH_VERSION$version", { user: "deploy" })).stdout).toMatch(
        /^0\n3\./,
    );
    expect((await beta.exec("sudo -n id -u", { user: passwordUser.name })).code).not.toBe(0);
    const stdin = `${passwordUser.password}\n`;
    expect((await beta.exec("sudo -S -p '' id -u", { user: passwordUser.name, stdin })).stdout).toBe("0\n");
});

test("nvidia-smi shows the eight recorded cards", async () => {
    const cards = await onAlpha(
        "nvidia-smi --query-gpu=index,name,memory.total,compute_cap --format=csv,noheader,nounits",
    );
    expect(cards.split("\n")).toHaveLength(8);
    expect(cards).toContain("7, NVIDIA RTX PRO 6000 Blackwell Server Edition, 97887, 12.0");
    expect(await onAlpha("nvidia-smi topo -m")).toMatch(/GPU0\t X \tPIX\tNODE\tNODE\tSYS/);
    expect(await onAlpha("/usr/local/cuda-13.0/bin/nvcc --version")).toContain("release 13.0");
});

test("a stand-in server from the wheelhouse serves under systemd, and ends by SIGKILL", async () => {
    await environment("/opt/served", "sglang==0.5.17");
    const serve = "/opt/served/bin/python -m sglang.launch_server --model-path /m --tp-size 8 --port 30000";
    await onAlpha(`systemd-run --unit=served --property=RemainAfterExit=yes ${serve}`);
    const ask = `-d '{"messages": [{"role": "user", "content": "2+3?"}]}' localhost:30000/v1/chat/completions`;
    await onAlpha("until curl -sf localhost:30000/health; do sleep 0.2; done");
    expect(await onAlpha(`curl -s ${ask}`)).toContain("The answer is 5.");
    await onAlpha("systemctl stop served");
    expect(await onAlpha("journalctl -u served --no-pager")).toContain("code=killed, status=9/KILL");
    expect((await alpha.exec(`${serve} --no-such-option`)).stderr).toContain("unrecognized arguments");
});

test("the git source has the same package at a commit", async () => {
    const commit = upstream.commits["0.5.17"];
    await onAlpha(`git init -q /opt/src && git -C /opt/src fetch -q --depth 1 ${upstream.url} ${commit}`);
    await onAlpha("git -C /opt/src checkout -q FETCH_HEAD && python3 -m venv /opt/from-git");
    await onAlpha(
        "SETUPTOOLS_SCM_PRETEND_VERSION=0.5.17 /opt/from-git/bin/pip install --quiet --no-deps /opt/src/python",
    );
    expect(
        await onAlpha("/opt/from-git/bin/python -c 'import sglang; print(sglang.__version__, sglang.__standin__)'"),
    ).toBe("0.5.17 True");
});

test("the real client lists and downloads from the stand-in hub, whole and verified", async () => {
    await environment("/opt/hub", "huggingface_hub");
    const { revision, files } = hub.repositories["acme/tiny"]!;
    const listed = await client("print(HfApi().model_info('acme/tiny').sha)");
    expect(listed.stdout.trim(), listed.stderr).toBe(revision);
    await client(`snapshot_download('acme/tiny', revision='${revision}', local_dir='/srv/weights')`);
    for (const { path, sha256 } of files.filter((file) => file.sha256)) {
        expect(await onAlpha(`sha256sum /srv/weights/${path}`)).toContain(sha256);
    }
});

test("a gated repository opens for its token only", async () => {
    const gated = "HfApi().model_info('acme/gated')";
    expect((await client(gated)).stderr).toContain("401 Client Error");
    expect((await client(gated, "hf_denied")).stderr).toContain("403 Client Error");
    expect((await client(gated, "hf_good")).code).toBe(0);
});

test("the hub drops connections, and the client goes on from where it was", async () => {
    await hub.fault({ kind: "drop", path: "large.*", after: 15_000_000 });
    await client("snapshot_download('acme/large', local_dir='/srv/dropped')");
    const { path, sha256 } = hub.repositories["acme/large"]!.files[0]!;
    expect(await onAlpha(`sha256sum /srv/dropped/${path}`)).toContain(sha256);
    const resumed = (await hub.requests()).filter((one) => one.range !== null);
    expect(resumed).toHaveLength(1);
    expect(resumed[0]!.sent).toBeLessThan(15_000_000);
});

test("the hub fails, and lies, when it is told to", async () => {
    await hub.fault({ kind: "status", path: "model-00001*", times: 1000 });
    expect((await client("snapshot_download('acme/tiny', local_dir='/srv/failed')")).code).not.toBe(0);
    await hub.fault();
    await hub.fault({ kind: "corrupt", path: "model-00002*" });
    expect((await client("snapshot_download('acme/tiny', local_dir='/srv/corrupt')")).code).toBe(0);
    const { path, sha256 } = hub.repositories["acme/tiny"]!.files.find((file) => file.path.startsWith("model-00002"))!;
    expect(await onAlpha(`sha256sum /srv/corrupt/${path}`)).not.toContain(sha256);
});

test("a reboot keeps the disk and nothing else", async () => {
    await onAlpha("touch /root/kept /run/lost");
    await alpha.reboot();
    expect(await onAlpha("systemctl is-system-running; ls /root/kept; ls /run/lost 2>/dev/null || echo gone")).toBe(
        "running\n/root/kept\ngone",
    );
    expect(await onAlpha("ls /srv/wheelhouse/simple/sglang")).toBe("index.html");
});
