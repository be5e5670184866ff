import { didYouMean } from "../base/nearest.ts";
import type { Problem } from "../base/settings.ts";
import type { PatchFile } from "./build-plan.ts";
import { type Patch, patchSet, patchSets } from "./patches.ts";

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
            const message = wrongDiff(patch);
            if (message !== undefined) {
                problems.push({ path: `patches.${index}`, message });
            }
            return [patch];
        }
        const found = shipped.find(({ name }) => name === patch || plainName(name) === patch);
        if (!found) {
            const message = unknownPatch(release, patch, shipped);
            problems.push({ path: `patches.${index}`, message });
            return [];
        }
        return [{ name: found.name, text: found.text }];
    });
    return { files, problems };
}

/** Why a file cannot be applied. */
function wrongDiff({ name, text }: PatchFile): string | undefined {
    if (!/^--- .*\r?\n\+\+\+ .*\r?\n@@ /m.test(text)) {
        return `${name}.patch is no unified diff`;
    }
    return text.includes("\r\n")
        ? `${name}.patch has Windows line ends (CRLF), and SGLang's files do not: save it with LF`
        : undefined;
}

function unknownPatch(release: string, name: string, shipped: readonly Patch[]): string {
    if (shipped.length === 0) {
        return `no patch ships for SGLang ${release} (${patchSets().join(", ")} have some): drop ${JSON.stringify(name)}, or give the path of a file of your own`;
    }
    const names = shipped.map((patch) => plainName(patch.name));
    return `no patch ${JSON.stringify(name)} ships for SGLang ${release}: there are ${names.join(", ")}${didYouMean(name, names)}`;
}
