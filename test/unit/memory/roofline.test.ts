import { describe, expect, it } from "vitest";
import { memoryPlan, roofline } from "../../../knowledge/memory/index.ts";
import type { MemoryInput } from "../../../knowledge/memory/input.ts";
import { profileFor } from "../../../knowledge/models/index.ts";

const SERVER = "NVIDIA RTX PRO 6000 Blackwell Server Edition";
const WORKSTATION = "NVIDIA RTX PRO 6000 Blackwell Workstation Edition";

function boundOf(repository: string, changes: Partial<MemoryInput> = {}, cards = Array(8).fill(SERVER)) {
    const input: MemoryInput = {
        profile: profileFor(repository)!,
        repository,
        release: "0.5.23",
        gpuMemoryMiB: cards.map(() => 97887),
        tp: cards.length,
        memFractionStatic: 0.8,
        ...changes,
    };
    return roofline(input, memoryPlan(input), cards, cards.length > 4);
}

describe("what one card reads for a token", () => {
    it("is Qwen3-235B by hand: 94 layers, 8 of 128 experts in four bits, the rest in bfloat16, over 8 cards", () => {
        const attention = (2 * 4096 * 64 * 128) / 8 + (2 * 4096 * 4 * 128) / 4;
        const experts = (8 * 3 * 4096 * 1536 * 0.5625) / 8;
        const router = 4096 * 128 * 2;
        const head = (151936 * 4096 * 2) / 8;
        const { weightBytes } = boundOf("nvidia/Qwen3-235B-A22B-NVFP4")!;
        const stored = profileFor("nvidia/Qwen3-235B-A22B-NVFP4")!.checkpoints[0]!.stored.attention as number;
        expect(weightBytes).toBeCloseTo(94 * (attention * stored + experts + router) + head, -3);
    });

    it("is the same for a request that sees pictures and one that does not, and less than what the card holds", () => {
        const repository = "nvidia/Qwen3.5-397B-A17B-NVFP4";
        const { vision: _, ...text } = profileFor(repository)!.structure;
        const blind = { profile: { ...profileFor(repository)!, structure: text } };
        expect(boundOf(repository, blind)!.weightBytes).toBe(boundOf(repository)!.weightBytes);
        expect(boundOf(repository)!.weightBytes).toBeLessThan(28.9 * 2 ** 30);
    });
});

describe("the bound of one user", () => {
    it("is bandwidth over bytes, the slowest card's, and falls with the context", () => {
        const mixed = boundOf("nvidia/Qwen3-235B-A22B-NVFP4", {}, [WORKSTATION, SERVER, WORKSTATION, WORKSTATION])!;
        expect(mixed.gigabytesPerSecond).toBe(1597);
        const [empty, full] = mixed.points;
        expect(empty!.tokensPerSecond).toBeCloseTo(1597e9 / mixed.weightBytes, 6);
        expect(full!.context).toBe(32768);
        expect(full!.tokensPerSecond).toBeCloseTo(1597e9 / (mixed.weightBytes + full!.cacheBytes), 6);
        expect(full!.tokensPerSecond).toBeLessThan(empty!.tokensPerSecond);
    });

    it("of sparse attention reads the index of all tokens and the keys of those that it picks", () => {
        const sparse = boundOf("lukealonso/GLM-5-NVFP4", { kvCacheDtype: "fp8_e4m3" })!;
        const dense = boundOf("nvidia/Kimi-K2.5-NVFP4", { kvCacheDtype: "fp8_e4m3" })!;
        const at = ({ points }: typeof sparse, context: number) => points.find((one) => one.context === context)!;
        expect(at(dense, 131072).cacheBytes / at(dense, 32768).cacheBytes).toBeCloseTo(4, 6);
        expect(at(sparse, 131072).cacheBytes).toBeLessThan(0.4 * at(dense, 131072).cacheBytes);
    });

    it("names no context beyond the service's own", () => {
        const short = boundOf("nvidia/Qwen3-235B-A22B-NVFP4", { contextLength: 16384 })!;
        expect(short.points.map(({ context }) => context)).toEqual([0]);
    });

    it("is not told of a card whose bandwidth is not known", () => {
        expect(boundOf("openai/gpt-oss-120b", {}, ["NVIDIA H200"])).toBeUndefined();
    });

    it("counts two all-reduces a layer, over the slower path where sockets are crossed, and none on one card", () => {
        const eight = boundOf("nvidia/Qwen3.5-397B-A17B-NVFP4")!.reductions!;
        expect(eight).toMatchObject({ count: 120, bytes: 8192, gigabytesPerSecond: 39 });
        expect(eight.milliseconds).toBeCloseTo((120 * 8192 * 1.75) / 39e6, 9);
        expect(boundOf("openai/gpt-oss-120b", {}, [SERVER])!.reductions).toBeUndefined();
    });
});
