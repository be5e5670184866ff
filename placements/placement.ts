import type * as pulumi from "@pulumi/pulumi";
import type { ModelCache } from "../components/model-cache.ts";
import type { PatchedBuild } from "../components/patched-build.ts";
import type { ResolvedService, ServiceSpec } from "../knowledge/service/spec.ts";
import type { SecretSource } from "./secret-source.ts";

/** A resolved service on its way to hosts or a pool. */
export interface ServiceToPlace {
    readonly service: ResolvedService;
    readonly spec: ServiceSpec;
    readonly build: PatchedBuild;
    readonly cache: ModelCache;
    readonly apiKey: SecretSource | undefined;
}

/** What a placement gives back to the component. */
export interface Placed {
    /** URL of the server as its neighbours reach it. */
    readonly endpoint: pulumi.Output<string>;
    /** Launch command, one argument an element. */
    readonly launchCommand: pulumi.Output<string[]>;
}
