import { runProgram } from "../../support/mocks.ts";
import { example, secret } from "../components/example.ts";
import { manifestsOf, planPoolExample } from "../pool/pool-file.ts";

const patch = [
    "--- a/sglang/version.py",
    "+++ b/sglang/version.py",
    "@@ -1 +1 @@",
    '-__version__ = "0.5.23"',
    '+__version__ = "0.5.23+example"',
    "",
].join("\n");

/** What goes to a host for the smallest deployment that has everything, by verb. The agent's own bytes are left out. */
async function onHost(): Promise<[string, object][]> {
    const { registered } = await runProgram(() =>
        example({
            build: {
                dependencies: "full",
                patches: [{ name: "example", text: patch }],
                lock: {
                    packages: [{ name: "sglang", version: "0.5.23", hashes: [`sha256:${"c".repeat(64)}`] }],
                    treeSha256: "d".repeat(64),
                },
            },
            cache: { token: { value: secret("hf_token") } },
            service: { apiKey: { value: secret("sk-key") } },
        }),
    );
    return registered.flatMap(({ type, inputs }): [string, object][] => {
        const { create, stdin } = inputs as Record<string, unknown>;
        if (type !== "command:remote:Command" || typeof stdin !== "string") {
            return [];
        }
        const { archive: _, bootstrap: __, ...document } = JSON.parse(stdin);
        const verb = String(create)
            .replace(/ anew$/, "")
            .split(" ")
            .at(-1)!;
        return [[verb, verb === "install" ? { ...document, generation: "of-the-archive" } : document]];
    });
}

/** What is mounted in the pods of the shipped pool example's first service, over two nodes, by the kind of the document. */
function inPool(): [string, object][] {
    const kinds: Readonly<Record<string, string>> = {
        "desired.json": "pod",
        "fetch.json": "fetch",
        "stage.json": "stage",
    };
    const [service] = planPoolExample((file) => {
        for (const model of Object.values<{ revision?: string }>(file.models)) {
            model.revision = "e".repeat(40);
        }
        file.pools.rtx.storage.accessMode = "ReadWriteMany";
        file.services.glm5.placement.nodes = 2;
    });
    return manifestsOf(service!).flatMap(({ data = {} }) =>
        Object.entries(kinds).flatMap(([file, kind]): [string, object][] =>
            file in data ? [[`pool/${kind}`, JSON.parse(data[file])]] : [],
        ),
    );
}

/** Every document of the examples, by its place among the fixtures; the last word of it is its kind. */
export async function exampleDocuments(): Promise<ReadonlyMap<string, object>> {
    const found = new Map([...(await onHost()).map(([verb, one]) => [`host/${verb}`, one] as const), ...inPool()]);
    const patches = (found.get("pool/stage") as { patches: { text: string }[] }).patches;
    for (const one of patches) {
        one.text = "(the diff)"; // the patches have tests of their own
    }
    return found;
}

/** Kind of an example. */
export function kindOf(place: string): string {
    return place.split("/").at(-1)!;
}
