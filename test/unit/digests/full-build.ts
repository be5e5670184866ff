import type { BuildSpec } from "../../../knowledge/artifacts/build-plan.ts";
import type { Full } from "./inputs.ts";

/** A diff with words above it. */
export const patchText = `Subject: Say so.
Why: Because.

--- a/sglang/version.py
+++ b/sglang/version.py
@@ -1,2 +1,2 @@
-old = 1
+new = 1
 kept = 2
`;

/** A build that says everything. */
export const fullBuild: Full<BuildSpec> = {
    name: "sglang",
    release: "0.5.23",
    source: { repository: "https://example.com/sglang", commit: "0123456789abcdef0123456789abcdef01234567" },
    patches: [
        { name: "first", text: patchText },
        { name: "second", text: patchText.replaceAll("version", "other") },
    ],
    python: "3.12",
    cuda: "13.0",
    versions: { "flashinfer-python": "0.6.15" },
    dependencies: "full",
    indexUrl: "https://pypi.example.com/simple",
    locked: {
        packages: [{ name: "torch", version: "2.9.1", hashes: [`sha256:${"a".repeat(64)}`] }],
        treeSha256: "b".repeat(64),
    },
    stock: true,
    image: `registry.example.com/sglang@sha256:${"1".repeat(64)}`,
};
