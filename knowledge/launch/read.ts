import { parseAllDocuments } from "yaml";
import { isCompose, readCompose } from "./forms/compose.ts";
import { isDockerfile, readDockerfile } from "./forms/dockerfile.ts";
import { isKubernetes, readKubernetes } from "./forms/kubernetes.ts";
import { isMakefile, readMakefile } from "./forms/makefile.ts";
import { isInspected, isProcess, readInspected, readProcess } from "./forms/running.ts";
import { isUnit, readUnit } from "./forms/unit.ts";
import type { Companion, Found, Launch } from "./found.ts";
import { withoutMarks } from "./open.ts";
import { jobOptions, runShell } from "./shell/run.ts";

/**
 * The servers that a text starts, whatever people keep a launch in: a shell script, a `docker run`, a Slurm job, a systemd unit, a compose
 * file, an object of Kubernetes, a Dockerfile, a Makefile, `docker inspect`, a process of `/proc`, or flags alone. Nothing is run. Never throws.
 */
export function readLaunches(given: string, read: Companion = () => undefined): Found {
    const text = withoutMarks(given).replaceAll("\r\n", "\n");
    const own = (path: string) => {
        const found = read(path);
        return found === undefined ? undefined : withoutMarks(found);
    };
    return isProcess(text) ? readProcess(text, own) : (structured(text, own) ?? readScript(text, own));
}

function structured(text: string, read: Companion): Found | undefined {
    if (isUnit(text)) {
        return readUnit(text, read);
    }
    if (isDockerfile(text)) {
        return readDockerfile(text, read);
    }
    if (/^\s*[[{]/.test(text) || /^\s*(?:---\s*|#.*|[\w.-]+:(?:\s.*)?)$/m.test(text)) {
        const documents = yamlDocuments(text);
        if (documents.length > 0 && isInspected(documents[0])) {
            return readInspected(documents[0], read);
        }
        if (isKubernetes(documents)) {
            return readKubernetes(documents, read);
        }
        const compose = documents.find(isCompose);
        if (compose) {
            return readCompose(compose, read);
        }
    }
    if (/\{\{[^{}]*\.(Values|Release|Chart)\b/.test(text)) {
        const hint = "this is a template of Helm: give what `helm template` makes of it";
        return { launches: [], problems: [], assumed: [], hints: [hint] };
    }
    if (/^\s*(import \w|from [\w.]+ import )/m.test(text) && !/launch_server|sglang\s+serve/.test(text)) {
        const hint = "this is a program in Python: give the command that starts the server";
        return { launches: [], problems: [], assumed: [], hints: [hint] };
    }
    return isMakefile(text) ? readMakefile(text, read) : undefined;
}

/** YAML documents without mistakes; JSON is YAML too. */
function yamlDocuments(text: string): unknown[] {
    try {
        const documents = parseAllDocuments(text, { merge: true, uniqueKeys: false, logLevel: "silent" });
        return Array.isArray(documents)
            ? documents.flatMap((document) =>
                  document.errors.length > 0 ? [] : [document.toJS({ maxAliasCount: 100 })],
              )
            : [];
    } catch {
        return [];
    }
}

function readScript(text: string, read: Companion): Found {
    const source = text.replace(/^[ \t]*```.*$/gm, "").replaceAll(/^[ \t]*\$ (?=\S)/gm, "");
    const flags = flagsAlone(source);
    if (flags) {
        return flags;
    }
    const { gpus } = jobOptions(source);
    return runShell(source, { origin: "this text", read, ...(gpus && { inside: { gpus, notes: [] } }) });
}

/** Flags without a program. */
function flagsAlone(text: string): Found | undefined {
    const body = text.replaceAll(/^[ \t]*#.*$/gm, "").trim();
    if (!/^-[-–—]?[A-Za-z]|^[–—]/.test(body)) {
        return undefined;
    }
    const found = runShell(`sglang.launch_server ${body.replaceAll(/\s*\\?\n\s*(?=-)/g, " ")}`, {
        origin: "this text",
        read: () => undefined,
    });
    const launches = found.launches.map(({ program: _, ...launch }): Launch => ({ ...launch, words: [] }));
    return { ...found, launches };
}
