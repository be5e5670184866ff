import { readFileSync, statSync } from "node:fs";
import { basename, dirname, join, resolve, sep } from "node:path";
import { ProblemsError } from "../../knowledge/base/problems.ts";
import { environmentMark } from "../../knowledge/launch/forms/running.ts";
import type { Companion } from "../../knowledge/launch/found.ts";

/** A text that starts a server, and the files beside it. */
export interface LaunchSource {
    readonly text: string;
    /** Reads a file that the text names: below the folder of the text, or beside it by the last part of its name. */
    readonly read: Companion;
}

/** The text of a file, of standard input (`-`), or of a running process (`/proc/PID`). Throws a {@link ProblemsError} when it cannot be read. */
export function launchSource(file: string): LaunchSource {
    if (file === "-") {
        return { text: readText(0, file), read: companion(process.cwd()) };
    }
    const folder = resolve(dirname(file));
    if (/^\/proc\/\d+\/?$/.test(file)) {
        const text = readText(join(file, "cmdline"), file);
        return { text: `${text.replace(/\0$/, "")}${environmentMark}${environment(file)}`, read: () => undefined };
    }
    return { text: readText(file, file), read: companion(folder) };
}

function companion(folder: string): Companion {
    return (path) => {
        const inside = resolve(folder, path);
        const tried = [inside.startsWith(folder + sep) ? inside : undefined, join(folder, basename(path))];
        return tried.map((one) => one && small(one)).find((text) => text !== undefined);
    };
}

/** A text file of at most a mebibyte. */
function small(path: string): string | undefined {
    try {
        const found = statSync(path);
        return found.isFile() && found.size <= 2 ** 20 ? readFileSync(path, "utf8") : undefined;
    } catch {
        return undefined;
    }
}

function environment(folder: string): string {
    try {
        return readFileSync(join(folder, "environ"), "utf8");
    } catch {
        return "";
    }
}

function readText(file: string | 0, name: string): string {
    try {
        return readFileSync(file, "utf8");
    } catch (error) {
        const { code } = error as NodeJS.ErrnoException;
        const message = code === "ENOENT" ? "there is no such file" : `cannot be read (${code})`;
        throw new ProblemsError("The command cannot be planned:", [{ path: name, message }]);
    }
}
