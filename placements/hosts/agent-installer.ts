import * as pulumi from "@pulumi/pulumi";
import type { AgentArchive } from "../../knowledge/artifacts/agent-archive.ts";
import { canonicalJson } from "../../knowledge/base/digest.ts";
import { document } from "../../knowledge/contract/index.ts";
import type { HostFacts } from "../../knowledge/records/facts.ts";
import type { HostAccess } from "./host-access.ts";
import { anew, asRoot, removalLauncher } from "./host-command.ts";

/** Puts the archive in its place and hands the rest of the document to it. */
const bootstrap = `
import base64, os, subprocess
path, *words = sys.argv[1:]
archive = base64.b64decode(document.pop("archive"))
os.makedirs(os.path.dirname(path), mode=0o755, exist_ok=True)
part = path + "." + str(os.getpid())
with open(part, "wb") as file:
    file.write(archive)
    file.flush()
    os.fsync(file.fileno())
os.replace(part, path)
sys.exit(subprocess.run([sys.executable, "-I", path, *words], input=json.dumps(document).encode()).returncode)
`;

/** Runs the bootstrap that the document brings along. No single quote, backslash or exclamation mark inside: bash, fish and csh read it alike. */
const launcher = 'import json,sys;document=json.loads(sys.stdin.read());exec(document.pop("bootstrap"))';

/** Texts and standard input of the command that installs the agent and checks the host's facts. */
export function agentInstaller(
    host: HostAccess,
    archive: AgentArchive,
    facts: pulumi.Output<HostFacts>,
): Record<"create" | "update" | "remove" | "stdin", pulumi.Output<string>> {
    const text = pulumi.interpolate`${asRoot(host)}python3 -I -c '${launcher}' ${host.agent} install`;
    return {
        create: pulumi.interpolate`${text} ${anew}`,
        update: text,
        remove: pulumi.interpolate`${removalLauncher(host)} remove agent`,
        stdin: pulumi.all([host.place, facts]).apply(([place, { driver, gpus }]) =>
            canonicalJson({
                bootstrap,
                archive: archive.base64,
                ...document("install", {
                    place,
                    root: host.root,
                    owner: host.owner,
                    name: host.name,
                    generation: archive.digest,
                    expect: {
                        driver,
                        gpus: gpus.map(({ index, name, computeCapability, memoryMiB }) => ({
                            index,
                            name,
                            computeCapability,
                            memoryMiB,
                        })),
                    },
                }),
            }),
        ),
    };
}
