import type { Companion, Found, Started } from "../found.ts";
import { open } from "../open.ts";
import { imageServer } from "../program.ts";
import { foundIn, together } from "./argv.ts";
import { at, isTree, list } from "./compose.ts";

/** Whether documents are objects of Kubernetes. */
export function isKubernetes(documents: readonly unknown[]): boolean {
    return documents.some(
        (one) =>
            isTree(one) && typeof one.kind === "string" && (one.apiVersion !== undefined || one.spec !== undefined),
    );
}

/** The servers of the containers in any object: Deployment, StatefulSet, Job, Pod, LeaderWorkerSet, a list of them. */
export function readKubernetes(documents: readonly unknown[], read: Companion): Found {
    return together(
        documents.flatMap((document) => containers(document, nameOf(document)).map((one) => readContainer(one, read))),
    );
}

interface Placed {
    /** Variables that the kind of object sets itself. */
    readonly given: Readonly<Record<string, string>>;
    readonly container: Readonly<Record<string, unknown>>;
    readonly place: string;
}

function nameOf(document: unknown): string {
    return [at(document, "kind"), at(document, "metadata", "name")].filter(Boolean).join(" ");
}

/** Containers at any depth, those that only prepare left out; `leaderTemplate` and its like are said. */
function containers(tree: unknown, place: string, given: Placed["given"] = {}): Placed[] {
    if (Array.isArray(tree)) {
        return tree.flatMap((each) => containers(each, isTree(each) && each.kind ? nameOf(each) : place, given));
    }
    if (!isTree(tree)) {
        return [];
    }
    return Object.entries(tree).flatMap(([key, value]) => {
        if (key === "containers") {
            return list(value).flatMap((container) =>
                isTree(container)
                    ? [{ container, place: `${place}, container ${String(container.name ?? "")}`, given }]
                    : [],
            );
        }
        const inside = /^(leader|worker)Template$/.test(key) ? `${place}, ${key}` : place;
        // lws.x-k8s.io sets the number of pods of a group
        const size = key === "leaderWorkerTemplate" ? at(value, "size") : undefined;
        const own = size === undefined ? given : { ...given, LWS_GROUP_SIZE: String(size) };
        return key === "initContainers" ? [] : containers(value, inside, own);
    });
}

function readContainer({ container, place, given: own }: Placed, read: Companion): Found {
    const notes: string[] = [];
    const environment: Record<string, string> = {};
    const value = (name: string) =>
        environment[name] ?? own[name] ?? open(`$(${name})`, `$(${name}) is filled in by Kubernetes`);
    const put = (text: string) =>
        text.replaceAll(/\$\$|\$\(([A-Za-z_][\w.-]*)\)/g, (_, name?: string) =>
            name === undefined ? "$" : value(name),
        );
    for (const entry of list(container.env)) {
        const name = String(at(entry, "name"));
        const given = at(entry, "value");
        const secret = at(entry, "valueFrom", "secretKeyRef");
        if (given !== undefined) {
            environment[name] = put(String(given));
        } else if (secret) {
            notes.push(`${name} comes from the Secret ${String(at(secret, "name"))}: it is left out`);
        } else {
            environment[name] = open(name, `${name} is filled in by Kubernetes`);
        }
    }
    for (const source of list(container.envFrom)) {
        const name = String(at(source, "configMapRef", "name") ?? at(source, "secretRef", "name"));
        notes.push(`the variables of ${name} are not known here: they are left out`);
    }
    const words = [...list(container.command), ...list(container.args)].map((word) => put(String(word)));
    const image = typeof container.image === "string" ? container.image : undefined;
    const cards =
        at(container, "resources", "limits", "nvidia.com/gpu") ??
        at(container, "resources", "requests", "nvidia.com/gpu");
    const count = Number(cards);
    const start: Started = {
        words,
        environment,
        image,
        gpus: cards !== undefined && count > 0 ? { count } : undefined,
        notes,
    };
    const server = imageServer(start)?.launch;
    return server
        ? { launches: [{ ...server, place, when: [] }], problems: [], assumed: [], hints: [] }
        : foundIn(start, place, "this file", read);
}
