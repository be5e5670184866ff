import { type AgentArchive, agentArchive } from "../../knowledge/artifacts/agent-archive.ts";
import { shortDigestOf } from "../../knowledge/base/digest.ts";
import { document } from "../../knowledge/contract/index.ts";
import { type ConfigMap, labels, type Role } from "./manifest.ts";
import type { PoolServicePlan } from "./service-plan.ts";

/** The agent, for one service or model. */
export function agentConfigMap(instance: string, role: Role): ConfigMap {
    const { digest, base64 }: AgentArchive = agentArchive();
    return configMap(instance, role, `${instance}-${role}-agent-${digest}`, { binaryData: { "agent.pyz": base64 } });
}

/** The desired state of one revision of a service. */
export function settingsConfigMap({ name, restartDigest, desired }: PoolServicePlan): ConfigMap {
    return documentMap(name, "server", `${name}-settings-${restartDigest}`, "desired.json", desired);
}

/** What the init container is to do: patches in order, and the digest of the result. */
export function stageConfigMap({ name, place }: PoolServicePlan): ConfigMap {
    const { digest, stage } = place.build;
    return documentMap(name, "server", `${name}-build-${digest}`, "stage.json", document("stage", stage));
}

/** One JSON document as a ConfigMap. */
export function documentMap(instance: string, role: Role, name: string, file: string, content: unknown): ConfigMap {
    return configMap(instance, role, name, { data: { [file]: `${JSON.stringify(content, null, 1)}\n` } });
}

/** Named by its content, or by a digest that stands for it, and so never changed in place: what reads it, rolls. */
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

/** Name of a document's ConfigMap that nothing else names. */
export function contentName(prefix: string, document: unknown): string {
    return `${prefix}-${shortDigestOf(document)}`;
}
