/** The rendered manifests of the shipped pool example, as the API server judges them. */
import { spawnSync } from "node:child_process";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { deleteNamespace, kubeconfig, makeNamespace, unique } from "../support/cluster/cluster.ts";
import { planPoolExample } from "../unit/pool/pool-file.ts";

const namespace = unique("pool-manifests");

beforeAll(() => makeNamespace(namespace));
afterAll(() => deleteNamespace(namespace));

/** What the API server says to manifests, without making anything. */
function dryRun(input: string) {
    const args = ["--kubeconfig", kubeconfig, "apply", "--server-side", "--dry-run=server", "-f", "-"];
    return spawnSync("kubectl", args, { encoding: "utf8", input });
}

describe("rendered manifests", () => {
    const services = planPoolExample(({ pools }) => {
        pools.rtx.namespace = namespace;
    });

    it.each(services.map((service) => [service.resolved.name, service] as const))(
        "of %s are valid and restricted",
        (_, service) => {
            const { status, stderr } = dryRun(Object.values(service.placed.files()).join("---\n"));
            expect(stderr).toBe("");
            expect(status).toBe(0);
        },
    );

    it("would be warned about if they were not", () => {
        const [glm5] = services;
        const loose = Object.values(glm5!.placed.files()).map((text) => text.replaceAll("runAsNonRoot: true", ""));
        expect(dryRun(loose.join("---\n")).stderr).toContain("would violate PodSecurity");
    });
});
