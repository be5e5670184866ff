import type * as pulumi from "@pulumi/pulumi";
import type { ResolvedService, ServiceSpec } from "../knowledge/resolved.ts";
import type { SecretSource } from "./host-secret.ts";
import type { ModelCache } from "./model-cache.ts";
import type { PatchedBuild } from "./patched-build.ts";

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
    /** Changes exactly when the server must restart. */
    readonly restartDigest: pulumi.Output<string>;
}

/**
 * Minutes from start to ready when nothing is said. Loading, kernel compilation and graph capture of a 400 GB model from
 * a warm disk take 7 to 8 (local-inference-lab/rtx6kpro, GLM-5).
 */
export const defaultStartupBudgetMinutes = 30;
