/** What the placement decides: it may not come from a field, a launch or `extraArgs`. Keys are given as secrets, never as arguments. */
export const placedSettings: readonly string[] = [
    "model-path",
    "nnodes",
    "node-rank",
    "dist-init-addr",
    "api-key",
    "admin-api-key",
];

/** Settings that the placement writes itself, from the effective settings; they do not decide what the server computes. */
export const boundSettings: readonly string[] = ["host", "port"];
