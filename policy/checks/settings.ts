import type { Finding } from "../../knowledge/base/settings.ts";
import { shellQuoted } from "../../knowledge/base/shell-quoted.ts";
import type { HostFacts } from "../../knowledge/records/facts.ts";
import { resolve } from "../../knowledge/service/resolve.ts";
import { at, type Check, listAt } from "../resource.ts";
import { gpuServers } from "../workload.ts";

/**
 * Settings that the rule table refuses on SM120. Of a service its own recorded verdict is read, which was made with its versions, patches
 * and machines; a launch command that somebody wrote by hand is judged here.
 */
export const settingsAreSafe: Check = (resource) => {
    if (resource.type === "sglang:index:InferenceService") {
        return recordedRefusals(resource.props.findings);
    }
    return gpuServers(resource).flatMap((container) => {
        const words = [...listAt(container, "command"), ...listAt(container, "args")].map(String);
        const start = words.indexOf("sglang.launch_server");
        const release = /sglang:v(\d+\.\d+\.\d+(?:\.post\d+)?)/.exec(String(at(container, "image")))?.[1];
        if (start < 0 || release === undefined) {
            return [];
        }
        const model = words[words.findIndex((word) => /^--model(-path)?$/.test(word)) + 1] ?? "";
        return judged(release, words.slice(start + 1), model);
    });
};

/** Each accepted rule: right or wrong, a reviewer should see it. */
export const rulesAreOverridden: Check = ({ type, props }) =>
    type === "sglang:index:InferenceService"
        ? listAt(props, "accept").map(
              (accepted) => `rule ${at(accepted, "rule")} is overridden: ${at(accepted, "reason")}`,
          )
        : [];

/** A service without a verdict was not made by this package, or by one that records none. */
function recordedRefusals(findings: unknown): string[] {
    if (!Array.isArray(findings)) {
        return ["it has no recorded verdict of the rules: make it with this package's InferenceService"];
    }
    return findings
        .map(String)
        .filter((finding) => finding.startsWith("refuse "))
        .map((finding) => `rule ${finding.slice("refuse ".length)} refuses it`);
}

function judged(release: string, words: readonly string[], model: string): string[] {
    const launch = shellQuoted(["python", "-m", "sglang.launch_server", ...words]);
    const { findings } = resolve({
        name: "service",
        build: { release, patches: [], stock: false },
        model: { repository: model },
        placement: "pool",
        nodes: [{ name: "node", facts, gpus: facts.gpus.map(({ index }) => index) }],
        hasApiKey: true,
        fields: { launch },
    });
    return findings.filter(isWrong).map(said);
}

/** A refusal, or a named setting that the rules would change. What was left to a default the component decides. */
function isWrong({ verdict, from }: Finding): boolean {
    return verdict === "refuse" || (verdict === "fix" && from !== undefined);
}

function said({ rule, setting, from, to, message, sources }: Finding): string {
    const change = from === undefined ? "" : `${setting} ${from}${to === undefined ? "" : ` should be ${to}`}: `;
    return `${change}${message} [${rule}: ${sources.join(", ")}]`;
}

/** A machine of the kind that the rules are about; what only a real one could tell is left open. */
const facts: HostFacts = {
    schema: 1,
    hostname: "node",
    os: { id: "linux", version: "unknown", kernel: "unknown" },
    gpus: Array.from({ length: 8 }, (_, index) => ({
        index,
        name: "NVIDIA RTX PRO 6000 Blackwell Server Edition",
        memoryMiB: 97887,
        computeCapability: "12.0",
    })),
    driver: "unknown",
    toolkit: null,
    compilers: {},
    python: [],
    topology: "",
    iommu: "unknown",
    acs: "unknown",
    memoryBytes: 2 ** 40,
    disks: [],
    nics: [],
};
