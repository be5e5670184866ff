import { readFileSync } from "node:fs";
import { join } from "node:path";
import { parse } from "yaml";
import { loadDeployment } from "../../../deployment/load.ts";
import { type PlannedService, planDeployment } from "../../../deployment/plan.ts";
import { packageRoot } from "../../../knowledge/base/package-root.ts";

// biome-ignore lint/suspicious/noExplicitAny: a stack file, edited by tests
type StackFile = any;

/** Digest of an image that nobody has. */
export const image = `example.invalid/sglang@sha256:${"0".repeat(64)}`;

/** The services of the shipped pool example after an edit, each planned. */
export function planPoolExample(edit: (file: StackFile) => void = () => {}): PlannedService[] {
    const file = parse(readFileSync(join(packageRoot, "Pulumi.pool.yaml"), "utf8")).config["pulumi-sglang:deployment"];
    for (const build of Object.values<StackFile>(file.builds)) {
        build.image = image;
    }
    edit(file);
    const loaded = loadDeployment(file, (path) => readFileSync(join(packageRoot, path), "utf8"));
    const plan = planDeployment(loaded, []);
    if (plan.problems.length > 0) {
        throw new Error(JSON.stringify(plan.problems, null, 1));
    }
    return [...plan.services];
}

/** The manifests of one service, parsed. */
export function manifestsOf(service: PlannedService): StackFile[] {
    return Object.values(service.placed.files()).map((text) => parse(text));
}

/** The one manifest of a kind. */
export function manifestOf(service: PlannedService, kind: string, name?: string): StackFile {
    const found = manifestsOf(service).filter(
        (one) => one.kind === kind && (name === undefined || one.metadata.name === name),
    );
    if (found.length !== 1) {
        throw new Error(`${found.length} manifests of kind ${kind}`);
    }
    return found[0];
}

/** The desired state that the pod of a service reads. */
export function desiredOf(service: PlannedService): StackFile {
    const maps = manifestsOf(service).filter(({ kind, data }) => kind === "ConfigMap" && data?.["desired.json"]);
    return JSON.parse(maps[0].data["desired.json"]);
}
