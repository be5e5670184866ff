/** The order of the house. Whatever stands in a row may import from rows below it, never from one above or beside it. */

/** Layers, the highest first. Folders of one row know nothing of each other. */
export const layers: readonly (readonly string[])[] = [
    ["stacks", "cli", "policy", "scripts"],
    ["index.ts"],
    ["components", "deployment"],
    ["placements"],
    ["knowledge"],
];

/** Rooms of `knowledge/`, the highest first. */
export const rooms: readonly (readonly string[])[] = [
    ["artifacts"],
    ["contract", "service"],
    ["tuning"],
    ["rules", "memory", "oracle"],
    ["models"],
    ["fields", "sglang", "topology"],
    ["launch"],
    ["records"],
    ["base"],
];

/** Inside `placements/`, the highest first, at run time: what judges with all kinds, their lists, each kind, and what they share. */
export const placementRows: readonly (readonly string[])[] = [
    ["judge.ts"],
    ["index.ts", "registry.ts", "asking.ts"],
    ["hosts", "pool"],
    ["resources.ts", "secret-source.ts"],
    ["component.ts", "gpus.ts", "placement.ts", "stack-part.ts", "status.ts"],
];

/** Files that need no engine: they load nothing of Pulumi. */
export const pure: readonly RegExp[] = [/^knowledge\//, /^deployment\//, /^placements\/(.+\/)?placement\.ts$/];
