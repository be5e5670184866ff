/**
 * `npm run bench [ROUNDS]`: how long previews and updates take, as ratios to an empty program measured in the same run,
 * and how long a service is away when it changes. Needs the Pulumi CLI; the parts on a host also root and Debian.
 */
import { engineAvailable } from "../support/engine.ts";
import { measureOnHost } from "./on-a-host.ts";
import { previewOfBlackwell } from "./previews.ts";

const rounds = Number(process.argv[2] ?? 5);
const missing = engineAvailable();
if (missing !== undefined) {
    process.stderr.write(`bench: the real engine cannot run here: ${missing}\n`);
    process.exit(1);
}
const report = (line: string) => process.stdout.write(`${line}\n`);
report(await previewOfBlackwell(rounds));
if (process.getuid?.() === 0) {
    await measureOnHost(rounds, report);
} else {
    report("not measured: updates on a host, which need root to boot one");
}
