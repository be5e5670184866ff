/** What the types of manifests refuse: the compiler checks this file, and each `@ts-expect-error` must be one. */
import { expectTypeOf, test } from "vitest";
import { container } from "../../../placements/pool/container.ts";
import type { LeaderWorkerSet } from "../../../placements/pool/leader-worker-set.ts";
import type { Deployment, Manifest, Service } from "../../../placements/pool/manifest.ts";

const metadata = { name: "chat", labels: {} };

test("a field that Kubernetes does not know is refused, at any depth", () => {
    const service: Service = {
        apiVersion: "v1",
        kind: "Service",
        metadata,
        // @ts-expect-error: it is `targetPort`
        spec: { ports: [{ name: "api", port: 1, targetport: 1 }] },
    };
    // @ts-expect-error: it is `workingDir`
    container("server", "image", [], [], { workingDirectory: "/tmp" });
    expectTypeOf(service).toExtend<Manifest>();
});

test("kind and version are of one another, and metadata can be read", () => {
    // @ts-expect-error: a Deployment is of apps/v1
    const wrong: Deployment = { apiVersion: "v1", kind: "Deployment", metadata };
    expectTypeOf(wrong.kind).toEqualTypeOf<"Deployment">();
    expectTypeOf<Manifest["metadata"]["name"]>().toEqualTypeOf<string>();
    expectTypeOf<Extract<Manifest, { kind: "LeaderWorkerSet" }>>().toEqualTypeOf<LeaderWorkerSet>();
});
