/** What a host adds to a service: paths, cards, address, and what must be there before it starts. */
import { describe, expect, test } from "vitest";
import { resolve } from "../../../knowledge/service/resolve.ts";
import { type ServicePlace, servicePlan } from "../../../placements/hosts/service-plan.ts";
import { fullHostPlace, fullService } from "../digests/full-service.ts";
import { serviceSpec } from "../service/service-spec.ts";

const planOn = (place: Partial<ServicePlace> = {}, service = fullService) =>
    servicePlan(service, { ...fullHostPlace, ...place });

describe("cards", () => {
    const visible = (gpus: number[]) => planOn({ gpus }).environment.CUDA_VISIBLE_DEVICES;

    test("are named to CUDA where a service takes some of them, as nvidia-smi counts", () => {
        expect(visible([4, 5, 6, 7])).toBe("4,5,6,7");
        expect(visible([0])).toBe("0");
        expect(planOn().environment.CUDA_DEVICE_ORDER).toBe("PCI_BUS_ID");
    });

    test("are not named where it takes all", () => {
        expect(visible([0, 1, 2, 3, 4, 5, 6, 7])).toBeUndefined();
    });
});

describe("the toolkit", () => {
    const needs = (version?: string) => {
        const toolkit = version === undefined ? null : { path: `/usr/local/cuda-${version}`, version };
        const { prepare, environment } = planOn({ facts: { ...fullHostPlace.facts, toolkit } });
        const { needs, build } = prepare as { needs: { driverAtLeast?: string }; build: { cuda?: string } };
        return [environment.CUDA_HOME, build.cuda, needs.driverAtLeast];
    };

    test("is the host's own, and from 13 on needs a driver of branch 580", () => {
        expect(needs("13.0")).toEqual(["/usr/local/cuda-13.0", "13.0", "580"]);
        expect(needs("14.1")).toEqual(["/usr/local/cuda-14.1", "14.1", "580"]);
        expect(needs("12.9")).toEqual(["/usr/local/cuda-12.9", "12.9", undefined]);
    });

    test("is not spoken of where there is none", () => {
        expect(needs()).toEqual([undefined, undefined, undefined]);
    });
});

describe("several hosts", () => {
    const { cluster } = fullHostPlace;

    test("meet at the first one's address, on a port that no other service's has", () => {
        expect(planOn({ cluster: { ...cluster, rank: 1 } }).arguments).toMatchObject({
            nnodes: 2,
            "node-rank": 1,
            "dist-init-addr": "192.0.2.11:28000",
        });
        const far = {
            ...fullService,
            settings: { ...fullService.settings, port: { value: 30123, origin: "user" as const } },
        };
        expect(planOn({}, far).arguments["dist-init-addr"]).toBe("192.0.2.11:20123");
    });

    test("meet at an IPv6 address in brackets", () => {
        const there = planOn({ cluster: { nodes: 2, rank: 1, leaderAddress: "2001:db8::11" } });
        expect(there.arguments["dist-init-addr"]).toBe("[2001:db8::11]:28000");
    });

    test("are no matter of a service on one", () => {
        const { cluster: _cluster, ...alone } = fullHostPlace;
        expect(
            Object.keys(servicePlan(fullService, alone).arguments).filter((name) =>
                /^(nnodes|node-rank|dist-init-addr)$/.test(name),
            ),
        ).toEqual([]);
    });
});

describe("the address", () => {
    test("is what the settings say", () => {
        expect(planOn().arguments).toMatchObject({ host: "0.0.0.0", port: 8000 });
        expect(planOn().prepare).toMatchObject({
            needs: { host: "0.0.0.0", port: 8000 },
            service: { endpoint: { host: "0.0.0.0", port: 8000 } },
        });
    });

    test("is SGLang's own default where nothing is said", () => {
        const { host: _host, port: _port, ...settings } = fullService.settings;
        expect(planOn({}, { ...fullService, settings }).arguments).toMatchObject({ host: "127.0.0.1", port: 30000 });
    });
});

test("the launch command is of the build's own Python and says every argument, the key never", () => {
    const { argv } = planOn();
    expect(argv.slice(0, 3)).toEqual(["/opt/sglang/builds/b00000000001/venv/bin/python", "-m", "sglang.launch_server"]);
    expect(argv.join(" ")).toContain("--model-path /var/lib/models/owner--name/0123");
    expect(argv.join(" ")).not.toMatch(/api-key|f1/);
});

test("caches and home of the server lie in its build's folder, and the hub is never asked", () => {
    const { environment } = planOn();
    const inCache = Object.entries(environment).filter(([, value]) =>
        value.startsWith("/opt/sglang/cache/b00000000001/"),
    );
    expect(inCache.map(([name]) => name).sort()).toEqual([
        ...["DG_JIT_CACHE_DIR", "FLASHINFER_WORKSPACE_BASE", "HOME", "SGLANG_CACHE_DIR", "TORCHINDUCTOR_CACHE_DIR"],
        ...["TRITON_CACHE_DIR", "XDG_CACHE_HOME"],
    ]);
    expect(environment.HF_HUB_OFFLINE).toBe("1");
});

test("a variable of the user's wins over the host's", () => {
    const service = resolve(serviceSpec({ fields: { environment: { CUDA_DEVICE_ORDER: "FASTEST_FIRST" } } }));
    expect(planOn({}, service).environment.CUDA_DEVICE_ORDER).toBe("FASTEST_FIRST");
});

describe("what is asked of a host first", () => {
    test("is its cards, tools, port, and memory for a cache in it", () => {
        expect(planOn().prepare).toMatchObject({
            name: "model",
            user: "sglang",
            build: { digest: "b00000000001" },
            needs: { gpus: [4, 5, 6, 7], tools: ["nvcc", "ninja", "cc"] },
        });
        const pinned = (planOn().prepare.needs as { memoryBytes: number }).memoryBytes;
        expect(pinned).toBe(Math.ceil(fullService.memory!.hostPinnedGiB! * 2 ** 30));
        expect(pinned).toBeGreaterThan(2 ** 30);
    });

    test("is no memory where nothing is kept in it", () => {
        const plain = resolve(serviceSpec());
        expect((planOn({}, plain).prepare.needs as { memoryBytes?: number }).memoryBytes).toBeUndefined();
    });
});

test("the agent starts the server as it was planned", () => {
    const { prepare, activate, environment, unit, unitName, arguments: placed } = planOn();
    expect(prepare.service).toMatchObject({
        environment,
        unit,
        apiKeyFile: "/opt/sglang/secrets/chat-key-f1",
        model: fullHostPlace.model,
        release: "0.5.23",
        user: "sglang",
        startupBudgetSeconds: 1800,
        stopGraceSeconds: 60,
        gate: fullService.gate,
    });
    expect(activate).toMatchObject({ name: "model", arguments: placed, build: "b00000000001" });
    expect(activate.settingsDigest).toBe(fullService.settingsDigest);
    expect(unitName).toBe("sglang-model.service");
});

test("the unit gets the service's own times, key and folders", () => {
    const { unit } = planOn();
    expect(unit).toContain(`\nTimeoutStartSec=${1800 + fullService.gate.timeoutSeconds + 60}\n`);
    expect(unit).toContain("\nTimeoutStopSec=120\n");
    expect(unit).toContain("\nLoadCredential=api-key:/opt/sglang/secrets/chat-key-f1\n");
    expect(unit).toContain("\nEnvironmentFile=/opt/sglang/services/model/current/environment\n");
    expect(unit).toContain("\nWorkingDirectory=/opt/sglang/cache/b00000000001\n");
    expect(unit).toContain("(project/stack)");
});
