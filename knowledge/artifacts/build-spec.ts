import type { Problem } from "../base/settings.ts";
import type { BuildFields } from "../fields/build.ts";
import type { LockedBuild } from "../records/lock.ts";
import { release as releaseOf } from "../sglang/index.ts";
import type { BuildSpec, PatchFile } from "./build-plan.ts";
import { patchFiles } from "./patch-files.ts";

/**
 * A build of checked fields, its patches looked up: names of patches that ship, or files. Problems have paths below the build; of a
 * release that is not supported nothing more is said.
 */
export function buildSpec(
    name: string,
    fields: Omit<BuildFields, "patches" | "image"> & { readonly image?: string | undefined },
    patches: readonly (string | PatchFile)[],
    locked: LockedBuild | undefined,
): { spec: BuildSpec; problems: Problem[] } {
    const { image, ...rest } = fields;
    const unknown = unknownRelease(fields.release);
    const found = unknown ? { files: [], problems: [unknown] } : patchFiles(fields.release, patches);
    const spec = { ...rest, name, patches: found.files, ...(image ? { image } : {}), ...(locked ? { locked } : {}) };
    return { spec, problems: found.problems };
}

function unknownRelease(release: string): Problem | undefined {
    try {
        releaseOf(release);
        return undefined;
    } catch (error) {
        if (!(error instanceof RangeError)) {
            throw error;
        }
        return { path: "release", message: error.message };
    }
}
