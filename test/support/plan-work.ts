/**
 * `node test/support/plan-work.ts FILE…`: prints as JSON how many calls of this project's functions each plan takes, the
 * first file twice and only the second time counted. Unlike seconds that is the same on a slow machine and beside other work.
 */
import { Session } from "node:inspector/promises";
import { packageRoot } from "../../knowledge/base/package-root.ts";

const session = new Session();
session.connect();
await session.post("Profiler.enable");
// calls are only counted of what is loaded from here on
await session.post("Profiler.startPreciseCoverage", { callCount: true, detailed: false });
const { planDeployment } = await import("../../deployment/plan.ts");
const { readStackFile } = await import("../../deployment/read.ts");
const { renderPlan } = await import("../../cli/plan/render-plan.ts");

/** Calls since this was last asked. */
async function calls(): Promise<number> {
    const { result } = await session.post("Profiler.takePreciseCoverage");
    return result
        .filter(({ url }) => url.includes(packageRoot) && !url.includes("/node_modules/"))
        .flatMap(({ functions }) => functions.map(({ ranges }) => ranges[0]!.count))
        .reduce((sum, count) => sum + count, 0);
}

const files = process.argv.slice(2);
const counts: number[] = [];
for (const file of [files[0]!, ...files]) {
    await calls();
    renderPlan(planDeployment(readStackFile(file), []));
    counts.push(await calls());
}
process.stdout.write(JSON.stringify(counts.slice(1)));
