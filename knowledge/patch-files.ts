import type { PatchFile } from "./host/build-plan.ts";
import { didYouMean } from "./nearest.ts";
import { patchSet, patchSets } from "./patches.ts";
import type { Problem } from "./settings.ts";

/** Name of a shipped patch without its place in the series. */
function plainName(name: string): string {
    return name.replace(/^\d+-/, "");
}

/**
 * The patches that a build asks for, in its order: a name is a patch that ships for the release (its number may be left
 * out), a file is taken as it is. Each name that does not exist is a problem.
 */
export function patchFiles(
    release: string,
    wanted: readonly (string | PatchFile)[],
): { files: PatchFile[]; problems: Problem[] } {
    const named = wanted.some((patch) => typeof patch === "string");
    const shipped = named && patchSets().includes(release) ? patchSet(release).patches : [];
    const problems: Problem[] = [];
    const files = wanted.flatMap((patch, index): PatchFile[] => {
        if (typeof patch !== "string") {
            return [patch];
        }
        const found = shipped.find(({ name }) => name === patch || plainName(name) === patch);
        if (!found) {
            const names = shipped.map(({ name }) => plainName(name));
            const known =
                names.length > 0 ? `known: ${names.join(", ")}` : `there are sets for ${patchSets().join(", ")}`;
            const message = `no patch for SGLang ${release} is called ${JSON.stringify(patch)} (${known})${didYouMean(patch, names)}`;
            problems.push({ path: `patches.${index}`, message });
            return [];
        }
        return [{ name: found.name, text: found.text }];
    });
    return { files, problems };
}
