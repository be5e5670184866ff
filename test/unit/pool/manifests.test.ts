import { describe, expect, it } from "vitest";
import { image, manifestOf, manifestsOf, planPoolExample } from "./pool-file.ts";

/** Pod templates of everything that runs. */
function podSpecs(service: Parameters<typeof manifestsOf>[0]) {
    return manifestsOf(service).flatMap(({ spec }) => (spec?.template?.spec ? [spec.template.spec] : []));
}

describe("the manifests of the shipped pool example", () => {
    const services = planPoolExample();

    it("are there for every service: claim, jobs, workload and network", () => {
        for (const service of services) {
            const kinds = manifestsOf(service).map(({ kind }) => kind);
            expect(kinds.toSorted()).toEqual([
                ...["ConfigMap", "ConfigMap", "ConfigMap", "ConfigMap", "ConfigMap", "Deployment"],
                ...["Job", "Job", "Job", "Job", "Job"],
                ...["NetworkPolicy", "PersistentVolumeClaim", "PodDisruptionBudget", "Role", "Role"],
                ...["RoleBinding", "RoleBinding", "Service", "Service", "ServiceAccount", "ServiceAccount"],
            ]);
            expect(new Set(manifestsOf(service).map(({ metadata }) => metadata.namespace))).toEqual(
                new Set(["inference"]),
            );
        }
    });

    it("fulfil the restricted pod security level in every container, without exception", () => {
        for (const spec of services.flatMap(podSpecs)) {
            expect(spec.securityContext).toMatchObject({
                runAsNonRoot: true,
                seccompProfile: { type: "RuntimeDefault" },
            });
            expect([spec.hostNetwork, spec.hostIPC, spec.hostPID]).toEqual([undefined, undefined, undefined]);
            for (const { securityContext } of [...spec.containers, ...(spec.initContainers ?? [])]) {
                expect(securityContext).toEqual({
                    allowPrivilegeEscalation: false,
                    capabilities: { drop: ["ALL"] },
                    privileged: false,
                    readOnlyRootFilesystem: true,
                });
            }
            for (const volume of spec.volumes) {
                const [kind] = Object.keys(volume).filter((key) => key !== "name");
                expect(["configMap", "emptyDir", "persistentVolumeClaim", "secret"]).toContain(kind);
            }
        }
    });

    it("run one image by digest, and only the jobs that watch may ask the Kubernetes API, and only to look", () => {
        for (const spec of services.flatMap(podSpecs)) {
            const asks = ["arrival", "prepared", "verdict"].includes(spec.containers[0].name);
            expect(spec).toMatchObject({ automountServiceAccountToken: asks, enableServiceLinks: false });
            for (const container of [...spec.containers, ...(spec.initContainers ?? [])]) {
                expect(container.image).toBe(image);
                expect(container.env).toBeUndefined();
            }
        }
        for (const { rules } of services.flatMap(manifestsOf).filter(({ kind }) => kind === "Role")) {
            for (const { verbs, resources } of rules) {
                expect(["get", "list"]).toEqual(expect.arrayContaining(verbs));
                expect(resources).not.toContain("secrets");
            }
        }
        expect(manifestOf(services[0]!, "RoleBinding", "glm5-verdict").subjects[0].namespace).toBe("inference");
    });

    it("bound every volume that is memory or the node's disk", () => {
        for (const { volumes } of services.flatMap(podSpecs)) {
            for (const { emptyDir } of volumes.filter((volume: { emptyDir?: unknown }) => volume.emptyDir)) {
                expect(emptyDir.sizeLimit).toMatch(/^\d+[MG]i$/);
            }
        }
    });

    it("end the old pod before the new one asks for its GPUs, unless there are spare ones", () => {
        expect(manifestOf(services[0]!, "Deployment").spec.strategy).toEqual({ type: "Recreate" });
        const [spare] = planPoolExample(({ pools }) => {
            pools.rtx.spareGpus = true;
        });
        expect(manifestOf(spare!, "Deployment").spec.strategy.rollingUpdate).toEqual({
            maxSurge: 1,
            maxUnavailable: 0,
        });
    });

    it("mount the weights read-only where a server runs, and the hub token only where they are fetched", () => {
        const [glm5] = planPoolExample(({ models }) => {
            models.glm5.token = { kubernetesSecret: "hub", key: "token" };
        });
        const { containers, volumes } = manifestOf(glm5!, "Deployment").spec.template.spec;
        const mounts = containers[0].volumeMounts.filter(({ name }: { name: string }) => name === "weights");
        expect(mounts).toEqual([
            { name: "weights", mountPath: "/var/lib/models", readOnly: true },
            { name: "weights", mountPath: "/var/lib/sglang", subPath: ".services" },
        ]);
        const secrets = volumes.flatMap(({ secret }: { secret?: { secretName: string } }) => secret?.secretName ?? []);
        expect(secrets).toEqual(["sglang-api-key"]);
        const naming = manifestsOf(glm5!).filter((manifest) => JSON.stringify(manifest).includes('"secretName":"hub"'));
        expect(naming.map(({ kind, metadata }) => `${kind} ${metadata.labels["app.kubernetes.io/component"]}`)).toEqual(
            ["Job weights"],
        );
    });

    it("let anybody reach the API only where it has a key", () => {
        const rules = (edit?: Parameters<typeof planPoolExample>[0]) =>
            manifestOf(planPoolExample(edit)[0]!, "NetworkPolicy").spec.ingress;
        expect(rules()[0]).toEqual({ ports: [{ port: 8000, protocol: "TCP" }] });
        const open = rules(({ services: { glm5 } }) => {
            delete glm5.apiKey;
        });
        expect(open[0].from).toEqual([{ podSelector: {} }]);
    });

    it("name no secret's value, only where it is", () => {
        const [glm5] = planPoolExample(({ services: { glm5 }, models }) => {
            glm5.apiKey = { config: "apiKey" };
            models.glm5.token = { config: "hubToken" };
        });
        expect(manifestsOf(glm5!).filter(({ kind }) => kind === "Secret")).toEqual([]);
        expect(JSON.stringify(manifestOf(glm5!, "Deployment"))).toContain('"secretName":"glm5-api-key"');
    });

    it("are the same text every time", () => {
        expect(planPoolExample()[0]!.placed.files()).toEqual(services[0]!.placed.files());
    });
});
