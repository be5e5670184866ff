/** What a user would notice of a service's unit: when it starts, restarts and ends, and what it may touch. */
import { describe, expect, test } from "vitest";
import { systemdUnit, type UnitInput } from "../../../placements/hosts/systemd-unit.ts";

const input: UnitInput = {
    service: "chat",
    release: "0.5.23",
    owner: "lab/blackwell",
    user: "sglang",
    generationFolder: "/opt/sglang/services/chat/current",
    cacheFolder: "/opt/sglang/cache/b1",
    apiKeyFile: "/opt/sglang/secrets/chat-key-f1",
    startupBudgetSeconds: 1000,
    gateSeconds: 200,
    stopGraceSeconds: 30,
};

/** Values of a key of the unit, in their order. */
function values(key: string, changes: Partial<UnitInput> = {}): string[] {
    const lines = systemdUnit({ ...input, ...changes }).split("\n");
    return lines.filter((line) => line.startsWith(`${key}=`)).map((line) => line.slice(key.length + 1));
}

describe("starting", () => {
    test("is given the server's budget, the gate's and a minute more", () => {
        expect(values("TimeoutStartSec")).toEqual([String(1000 + 200 + 60)]);
    });

    test("counts as done when the launcher says so, after the gate", () => {
        expect(values("Type")).toEqual(["notify"]);
        expect(values("NotifyAccess")).toEqual(["main"]);
    });

    test("is of the generation that serves, by the agent's own copy in it", () => {
        const folder = "/opt/sglang/services/chat/current";
        expect(values("ExecStart")).toEqual([`/usr/bin/env python3 -I ${folder}/agent.pyz launch ${folder}`]);
        expect(values("EnvironmentFile")).toEqual([`${folder}/environment`]);
    });

    test("is after every reboot too, once the network is there", () => {
        expect(values("WantedBy")).toEqual(["multi-user.target"]);
        expect(values("After")).toEqual(["network-online.target nvidia-persistenced.service"]);
        expect(values("Wants")).toEqual(["network-online.target"]);
    });

    test("makes the cards' device files as root, and goes on where that fails", () => {
        expect(values("ExecStartPre")).toEqual(["+-/usr/bin/nvidia-modprobe -c 0 -u"]);
    });
});

test("what a server leaves in shared memory is taken away when the last one of its user stops", () => {
    expect(values("RemoveIPC")).toEqual(["yes"]);
    expect(values("User")).toEqual(["sglang"]);
});

describe("restarting", () => {
    test("follows a crash and not a no of the gate, which would be the same again", () => {
        expect(values("Restart")).toEqual(["on-failure"]);
        expect(values("RestartPreventExitStatus")).toEqual(["78"]);
    });

    test("ends after three times, counted over the time that four whole starts take", () => {
        expect(values("StartLimitBurst")).toEqual(["3"]);
        expect(values("RestartSec")).toEqual(["10"]);
        expect(values("StartLimitIntervalSec")).toEqual([String(4 * (1260 + 10))]);
    });
});

describe("stopping", () => {
    test("leaves requests in flight their time, and the launcher a minute more", () => {
        expect(values("TimeoutStopSec")).toEqual(["90"]);
    });

    test("is told to the launcher alone, and kills what is left", () => {
        expect(values("KillMode")).toEqual(["mixed"]);
        expect(values("OOMPolicy")).toEqual(["stop"]);
    });
});

describe("secrets", () => {
    test("come by systemd's credentials, where there is a key", () => {
        expect(values("LoadCredential")).toEqual(["api-key:/opt/sglang/secrets/chat-key-f1"]);
        const { apiKeyFile: _key, ...open } = input;
        expect(systemdUnit(open)).not.toContain("LoadCredential");
    });

    test("are in a folder of the service's own, in files of its own, and in no core dump", () => {
        expect(values("RuntimeDirectory")).toEqual(["sglang-chat"]);
        expect(values("RuntimeDirectoryMode")).toEqual(["0700"]);
        expect(values("RuntimeDirectoryPreserve")).toEqual(["yes"]);
        expect(values("UMask")).toEqual(["0077"]);
        expect(values("LimitCORE")).toEqual(["0"]);
    });
});

describe("rights", () => {
    test("are those of the service's user, who writes into the kernel caches and nowhere else", () => {
        expect(values("User")).toEqual(["sglang"]);
        expect(values("ProtectSystem")).toEqual(["strict"]);
        expect(values("ReadWritePaths")).toEqual(["/opt/sglang/cache/b1"]);
        expect(values("WorkingDirectory")).toEqual(["/opt/sglang/cache/b1"]);
        expect(values("ProtectHome")).toEqual(["read-only"]);
        expect(values("PrivateTmp")).toEqual(["yes"]);
    });

    test("include no capability, and none can be gained", () => {
        expect([values("CapabilityBoundingSet"), values("AmbientCapabilities")]).toEqual([[""], [""]]);
        expect(values("NoNewPrivileges")).toEqual(["yes"]);
        expect(values("RestrictSUIDSGID")).toEqual(["yes"]);
    });

    test("reach the cards and the fabric among all devices", () => {
        expect(values("DevicePolicy")).toEqual(["closed"]);
        const devices = ["char-nvidia* rw", "char-drm rw", "char-infiniband* rw", "/dev/infiniband/rdma_cm rw"];
        expect(values("DeviceAllow")).toEqual(devices);
    });

    test("lock memory without a limit, as NCCL needs it, and open many files", () => {
        expect(values("LimitMEMLOCK")).toEqual(["infinity"]);
        expect(values("LimitNOFILE")).toEqual(["1048576"]);
    });

    test("call no more of the kernel than a service does, but for memory shared between ranks", () => {
        expect(values("SystemCallFilter")).toEqual([
            "@system-service pidfd_getfd process_vm_readv process_vm_writev",
            "~@clock @cpu-emulation @module @mount @obsolete @raw-io @reboot @swap",
        ]);
        expect(values("SystemCallErrorNumber")).toEqual(["EPERM"]);
        expect(values("RestrictAddressFamilies")).toEqual(["AF_UNIX AF_INET AF_INET6 AF_NETLINK"]);
    });
});

test("a unit says whose it is", () => {
    expect(values("Description")).toEqual(["SGLang 0.5.23 for chat (lab/blackwell)"]);
});

test("its sections stand in their order, and each line is a key and a value", () => {
    const lines = systemdUnit(input).split("\n");
    expect(lines.filter((line) => line.startsWith("["))).toEqual(["[Unit]", "[Service]", "[Install]"]);
    expect(lines.filter((line) => line !== "" && !/^(\[\w+\]|[A-Za-z]+=.*)$/.test(line))).toEqual([]);
    expect(systemdUnit(input)).toMatch(
        /^\[Unit\]\n[^\n]+(.|\n)*[^\n]\n\n\[Service\]\n(.|\n)*[^\n]\n\n\[Install\]\nWantedBy=[^\n]+\n$/,
    );
});
