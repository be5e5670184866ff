/** A Kubernetes object as it is applied. The namespace is added by whoever applies it. */
export interface Manifest {
    readonly apiVersion: string;
    readonly kind: string;
    readonly metadata: {
        readonly name: string;
        readonly namespace?: string;
        readonly labels: Readonly<Record<string, string>>;
        readonly annotations?: Readonly<Record<string, string>>;
    };
    readonly [field: string]: unknown;
}

/** A manifest in a namespace. */
export function inNamespace(manifest: Manifest, namespace: string): Manifest {
    const subjects = manifest.subjects as readonly object[] | undefined;
    return {
        ...manifest,
        metadata: { ...manifest.metadata, namespace },
        ...(subjects ? { subjects: subjects.map((subject) => ({ ...subject, namespace })) } : {}),
    };
}

/** What a pod does. */
export type Role = "server" | "verdict" | "weights";

/** Labels of everything that belongs to one service or model. */
export function labels(instance: string, role: Role): Record<string, string> {
    return {
        "app.kubernetes.io/component": role,
        "app.kubernetes.io/instance": instance,
        "app.kubernetes.io/managed-by": "pulumi-sglang",
        "app.kubernetes.io/name": "sglang",
    };
}

/** The labels that select pods: a part of {@link labels} that never changes, since selectors cannot. */
export function selector(instance: string, role: Role): Record<string, string> {
    return { "app.kubernetes.io/component": role, "app.kubernetes.io/instance": instance };
}
