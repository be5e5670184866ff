import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { succeeded } from "../support/command-plugin/contract.ts";
import { E2eStack, standInRelease } from "../support/e2e-stack.ts";
import { startHost, type TestHost } from "../support/hosts/host.ts";
import { gatewayAddress } from "../support/hosts/network.ts";
import { makeWheelhouse } from "../support/hosts/wheelhouse.ts";
import { startHub, tinyModel } from "../support/standin-hub/hub.ts";
import { emptyProgram } from "./empty-program.ts";
import { compare } from "./measure.ts";
import { longestOutage } from "./outage.ts";
import { ratio } from "./previews.ts";

const repository = "acme/tiny";
/** Cards of the test host for each service, as many as four services can have. */
const cardsEach = 2;

/** What is measured on a real systemd host: updates that change nothing, then one that restarts a service. */
export async function measureOnHost(rounds: number, report: (line: string) => void): Promise<void> {
    const folder = await mkdtemp(join(tmpdir(), "bench-"));
    const wheelhouse = makeWheelhouse(join(folder, "wheels"), {
        standIns: [standInRelease],
        requirements: ["huggingface_hub==1.33.0"],
    });
    const hub = await startHub({ [repository]: tinyModel }, gatewayAddress());
    const host = await startHost({ name: "node1", wheelhouse });
    const stack = await E2eStack.create("bench", [host], { hub, wheelhouse, repository });
    try {
        for (const count of [1, 2, 4]) {
            report(await unchangedUpdate(stack, count, rounds));
        }
        report(await portDown(stack, host));
    } finally {
        await stack.close();
        hub.stop();
        host.stop();
        await rm(folder, { recursive: true, force: true });
    }
}

async function unchangedUpdate(stack: E2eStack, count: number, rounds: number): Promise<string> {
    const first = stack.file.services.tiny!;
    stack.file.services = Object.fromEntries(
        Array.from({ length: count }, (_, i) => [i === 0 ? "tiny" : `tiny${i}`, serviceOf(first, i)]),
    );
    stack.write();
    succeeded(await stack.engine.up());
    const empty = await emptyProgram();
    try {
        succeeded(await empty.engine.up());
        const times = await compare(rounds, {
            empty: async () => succeeded(await empty.engine.up()),
            services: async () => succeeded(await stack.engine.up()),
        });
        return ratio(
            `\`up\` that changes nothing, ${count} service${count === 1 ? "" : "s"}`,
            times.services,
            times.empty,
        );
    } finally {
        await empty.close();
    }
}

/** The service on cards and a port of its own. */
function serviceOf(service: Record<string, unknown>, index: number): Record<string, unknown> {
    const gpus = Array.from({ length: cardsEach }, (_, card) => index * cardsEach + card);
    return { ...service, gpus, parallelism: { tensor: cardsEach }, api: { port: 30000 + index } };
}

/** How much longer the port is down when an `up` changes a setting than when systemd only stops and starts the server. */
async function portDown(stack: E2eStack, host: TestHost): Promise<string> {
    const port = 30000;
    const own = await longestOutage(host, port, () => host.exec("systemctl restart sglang-tiny"));
    const service = stack.file.services.tiny!;
    service.scheduling = { ...(service.scheduling as object), maxRunningRequests: 17 };
    stack.write();
    const changed = await longestOutage(host, port, async () => succeeded(await stack.engine.up()));
    const beyond = (changed - own).toFixed(2);
    const parts = `${changed.toFixed(2)} s, the server's own stop and start ${own.toFixed(2)} s`;
    return `port down in a changed \`up\`: ${beyond} s beyond the server's own stop and start (${parts})`;
}
