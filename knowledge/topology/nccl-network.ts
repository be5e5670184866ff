import type { Finding } from "../base/settings.ts";
import type { NcclInput, NcclPart } from "./nccl-input.ts";

/** Interfaces that never carry traffic between hosts. */
const LOCAL = /^(?:lo|docker|veth|br-|virbr|cni|flannel|cali|cilium|tailscale|wg|tun|ib|dummy)/;

/** Decides which network NCCL uses: none on one host, RDMA where it is, and one named interface for its sockets. */
export function decideNetwork(input: NcclInput): NcclPart {
    if (input.nodes === 1) {
        const set = {
            NCCL_IB_DISABLE: {
                value: "1",
                reason: "All ranks are on one host, so NCCL need not look for RDMA adapters.",
            },
        };
        return { findings: [], set: input.gpus.length > 1 ? set : {} };
    }
    const name = socketInterface(input);
    return {
        findings: [...judgeRdma(input), ...judgeInterface(input, name)],
        set:
            name === undefined
                ? {}
                : {
                      NCCL_SOCKET_IFNAME: {
                          value: `=${name}`,
                          reason: `Ranks on several hosts meet over ${name}; "=" matches that name only (NVIDIA NCCL user guide).`,
                      },
                      GLOO_SOCKET_IFNAME: {
                          value: name,
                          reason: `The CPU process group of PyTorch takes the same interface as NCCL, ${name}.`,
                      },
                  },
    };
}

/** The interface that was named, or the only one that fits. */
function socketInterface(input: NcclInput): string | undefined {
    if (input.socketInterface !== undefined) {
        return input.socketInterface;
    }
    const fitting = (input.nics ?? []).filter(({ name, rdma }) => !rdma && !LOCAL.test(name));
    return fitting.length === 1 ? fitting[0]!.name : undefined;
}

/** RDMA adapters that a copied variable switches off. */
function judgeRdma(input: NcclInput): Finding[] {
    const value = input.environment?.NCCL_IB_DISABLE;
    const adapters = [
        ...input.topology.nics.map((nic) => nic.device ?? nic.name),
        ...(input.nics ?? []).filter((nic) => nic.rdma).map((nic) => nic.name),
    ];
    if (value !== "1" || adapters.length === 0) {
        return [];
    }
    return [
        {
            rule: "nccl-ib-disabled-multi-node",
            verdict: "refuse",
            setting: "NCCL_IB_DISABLE",
            from: value,
            message:
                `The service spans ${input.nodes} hosts, and this one has RDMA adapters (${adapters.slice(0, 4).join(", ")}): ` +
                "with this variable, of single-host recipes, all traffic between hosts falls to TCP. Take it away.",
            sources: ["unverified"],
        },
    ];
}

/** The interface for sockets, as set by the user or as found. */
function judgeInterface(input: NcclInput, name: string | undefined): Finding[] {
    const setting = "NCCL_SOCKET_IFNAME";
    const value = input.environment?.[setting];
    if (value !== undefined && /^=?lo$/.test(value)) {
        return [
            {
                rule: "nccl-socket-loopback",
                verdict: "refuse",
                setting,
                from: value,
                message: `The service spans ${input.nodes} hosts, which cannot meet over the loopback interface. Name the interface between them.`,
                sources: ["NVIDIA NCCL user guide, NCCL_SOCKET_IFNAME"],
            },
        ];
    }
    if (value !== undefined || name !== undefined) {
        return [];
    }
    return [
        {
            rule: "nccl-socket-open",
            verdict: "warn",
            setting,
            message: `The service spans ${input.nodes} hosts, and it is not known over which interface they meet: NCCL takes the first that it finds. Name it.`,
            sources: ["NVIDIA NCCL user guide, NCCL_SOCKET_IFNAME"],
        },
    ];
}
