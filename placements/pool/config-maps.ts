import { type AgentArchive, agentArchive } from "../../knowledge/artifacts/agent-archive.ts";
import { canonicalJson, shortDigestOf } from "../../knowledge/base/digest.ts";
import { document } from "../../knowledge/contract/index.ts";
import { type ConfigMap, labels, type Role } from "./manifest.ts";
import type { PoolServicePlan } from "./service-plan.ts";

/** The agent, for one service or model. */
export function agentConfigMap(instance: string, role: Role): ConfigMap {
    const { digest, base64 }: AgentArchive = agentArchive();
    return configMap(instance, role, `${instance}-${role}-agent-${digest}`, { binaryData: { "agent.pyz": base64 } });
}

/** The desired state of one revision of a service. */
export function settingsConfigMap({ name, desired }: PoolServicePlan): ConfigMap {
    return documentMap(name, "server", "settings", "desired.json", desired);
}

/** What the init container is to do: patches in order, and the digest of the result. */
export function stageConfigMap({ name, place }: PoolServicePlan): ConfigMap {
    return documentMap(name, "server", "build", "stage.json", document("stage", place.build.stage));
}

/** One JSON document as a ConfigMap. */
export function documentMap(instance: string, role: Role, what: string, file: string, content: unknown): ConfigMap {
    const text = `${canonicalJson(content, 1)}\n`;
    return configMap(instance, role, contentName(`${instance}-${what}`, text), { data: { [file]: text } });
}

/** Named by its content, and so never changed in place: what reads it, rolls. */
function configMap(
    instance: string,
    role: Role,
    name: string,
    content: Pick<ConfigMap, "data" | "binaryData">,
): ConfigMap {
    return {
        apiVersion: "v1",
        kind: "ConfigMap",
        metadata: { name, labels: labels(instance, role) },
        immutable: true,
        ...content,
    };
}

/** Name of an object that a value decides. */
export function contentName(prefix: string, value: unknown): string {
    return `${prefix}-${shortDigestOf(value)}`;
}
