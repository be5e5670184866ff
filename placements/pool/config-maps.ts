import { type AgentArchive, agentArchive } from "../../knowledge/artifacts/agent-archive.ts";
import { shortDigestOf } from "../../knowledge/base/digest.ts";
import { document } from "../../knowledge/contract/index.ts";
import { labels, type Manifest, type Role } from "./manifest.ts";
import type { PoolServicePlan } from "./service-plan.ts";

/** The agent, for one service or model. */
export function agentConfigMap(instance: string, role: Role): Manifest {
    const { digest, base64 }: AgentArchive = agentArchive();
    return configMap(instance, role, `${instance}-${role}-agent-${digest}`, { binaryData: { "agent.pyz": base64 } });
}

/** The desired state of one revision of a service. */
export function settingsConfigMap({ name, restartDigest, desired }: PoolServicePlan): Manifest {
    return documentMap(name, "server", `${name}-settings-${restartDigest}`, "desired.json", desired);
}

/** What the init container is to do: patches in order, and the digest of the result. */
export function stageConfigMap({ name, place }: PoolServicePlan): Manifest {
    const { digest, stage } = place.build;
    return documentMap(name, "server", `${name}-build-${digest}`, "stage.json", document("stage", stage));
}

/** One JSON document as a ConfigMap. */
export function documentMap(instance: string, role: Role, name: string, file: string, content: unknown): Manifest {
    return configMap(instance, role, name, { data: { [file]: `${JSON.stringify(content, null, 1)}\n` } });
}

/** Named by its content, or by a digest that stands for it, and so never changed in place: what reads it, rolls. */
function configMap(instance: string, role: Role, name: string, content: Record<string, unknown>): Manifest {
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
