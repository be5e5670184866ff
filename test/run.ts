/**
 * `npm test [TIER …] [PATH …]`: runs every tier that can run here, or the ones that are named, whole or the files below the paths, and says of each other one why not.
 *
 * With `CI=true` a tier that cannot run is a failure. The last line counts the tests.
 */
import { tiers } from "./tiers.ts";

const paths = process.argv.slice(2).filter((word) => word.includes("/"));
const wanted = process.argv.slice(2).filter((word) => !word.includes("/"));
const unknown = wanted.filter((name) => !tiers.some((tier) => tier.name === name));
if (unknown.length > 0) {
    process.stderr.write(
        `no such tier: ${unknown.join(", ")}; there are ${tiers.map(({ name }) => name).join(", ")}\n`,
    );
    process.exit(2);
}

let passed = 0;
let failed = 0;
const notRun: string[] = [];
for (const tier of tiers.filter(({ name }) => wanted.length === 0 || wanted.includes(name))) {
    const reason = tier.missing();
    if (reason !== undefined) {
        notRun.push(`${tier.name}: did not run: ${reason}`);
        continue;
    }
    process.stdout.write(`\n== ${tier.name}: ${tier.against}\n`);
    const started = Date.now();
    const counts = await tier.run(paths);
    passed += counts.passed;
    failed += counts.failed;
    process.stdout.write(`== ${tier.name}: ${counts.passed} passed, ${Math.round((Date.now() - started) / 1000)} s\n`);
}

process.stdout.write(`\n${notRun.map((line) => `${line}\n`).join("")}`);
if (process.env.CI === "true") {
    failed += notRun.length;
}
process.stdout.write(`${passed} passed, ${failed} failed\n`);
process.exitCode = failed > 0 || passed === 0 ? 1 : 0;
