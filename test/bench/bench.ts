/**
 * `npm run bench [ROUNDS]`: how long plans, previews and updates take, the latter as ratios to an empty program measured in
 * the same run, and how long a service is away when it changes. All but plans need the Pulumi CLI; the parts on a host also
 * root and Debian.
 */
import { engineAvailable } from "../support/engine.ts";
import { planOfLargeStack } from "./large-plan.ts";
import { measureOnHost } from "./on-a-host.ts";
import { previewOfBlackwell } from "./previews.ts";

const rounds = Number(process.argv[2] ?? 5);
const report = (line: string) => process.stdout.write(`${line}\n`);
report(await planOfLargeStack(rounds));
const missing = engineAvailable();
if (missing !== undefined) {
    process.stderr.write(`bench: the real engine cannot run here: ${missing}\n`);
    process.exit(1);
}
report(await previewOfBlackwell(rounds));
if (process.getuid?.() === 0) {
    await measureOnHost(rounds, report);
} else {
    report("not measured: updates on a host, which need root to boot one");
}
