import * as pulumi from "@pulumi/pulumi";
import { z } from "zod";
import { modelPlan } from "../../knowledge/artifacts/model-plan.ts";
import { buildSchema } from "../../knowledge/fields/build.ts";
import { modelSchema } from "../../knowledge/fields/model.ts";
import { gpuList } from "../../knowledge/fields/values.ts";
import type { HostFacts } from "../../knowledge/records/facts.ts";
import { input, invalid, isLater, whenKnown } from "../component.ts";
import type { PlacementResources } from "../resources.ts";
import type { SecretInCluster, SecretValue } from "../secret-source.ts";
import { noImage, poolBuild } from "./build.ts";
import { type BuildInPool, gpuPool, type ModelInPool, type PoolPlacement, poolForManifests } from "./gpu-pool.ts";
import { placeServiceInPool } from "./place-in-pool.ts";
import { weightsInPool } from "./weights-in-pool.ts";

const imageSchema = buildSchema.shape.image.unwrap();
const image = input(imageSchema).optional();
const storageGiB = modelSchema.shape.storageGiB;
const nodes = z.int().positive().optional();

/** A Kubernetes node pool, as components use it. */
export const poolResources: PlacementResources<BuildInPool, ModelInPool, PoolPlacement> = {
    args: {
        build: z.strictObject({ pool: gpuPool, image }),
        model: z.strictObject({ pool: gpuPool, image, storageGiB }),
        service: z.strictObject({ pool: gpuPool, nodes, gpus: gpuList.optional() }),
    },

    facts: ({ pool, nodes = 1 }) =>
        Array.from({ length: nodes }, () =>
            isLater(pool.facts) ? pulumi.output(pool.facts) : (pool.facts as HostFacts),
        ),

    target: ({ pool, nodes = 1, gpus }, [known]) => ({
        kind: "pool",
        name: "node",
        pool: poolForManifests(pool),
        ...(known ? { facts: known } : {}),
        nodes,
        gpus,
    }),

    elsewhere: ({ pool }, other) => ("pool" in other && other.pool === pool ? undefined : "is not in the same pool"),

    taken: () => [],

    build(_parent, spec, place) {
        const named = imageOf(spec.name, place);
        const digest = named.apply((image) => poolBuild({ ...spec, image }).digest);
        return { digest, image: named, made: [] };
    },

    model: (parent, spec, place, token) => [
        weightsInPool(parent, spec.name, place.pool, {
            model: modelPlan(spec),
            directory: spec.directory,
            image: imageOf(spec.name, place),
            storageGiB: place.storageGiB,
            token: token as SecretValue | SecretInCluster | undefined,
            retain: spec.retention === "Retain",
        }),
    ],

    service: placeServiceInPool,
};

/** The image of a build or of the pod that fetches weights, checked where it came later. Without one an update is refused. */
function imageOf(name: string, { image }: BuildInPool): pulumi.Output<string> {
    if (image === undefined) {
        if (!pulumi.runtime.isDryRun()) {
            throw invalid("placement", name, [{ path: "image", message: "a pool needs an image by digest" }]);
        }
        return pulumi.output(noImage);
    }
    return whenKnown(["placement", name, "image"], imageSchema, pulumi.output(image));
}
