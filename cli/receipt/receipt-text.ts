import { gpusText } from "../../knowledge/contract/machine.ts";
import { shown } from "../../knowledge/oracle/compare.ts";
import type { MachineStatus } from "../../placements/status.ts";
import { table } from "../text.ts";

/** A verdict of one machine, and what is not as it was. */
export type Receipt = Pick<MachineStatus, "service" | "machine" | "verdict" | "changed">;

/** A receipt for people. */
export function receiptText({ service, machine, verdict, changed }: Receipt): string {
    if (verdict === null) {
        return `${service} on ${machine}: no gate has ended\n`;
    }
    const { proved } = verdict;
    const rows: (readonly [string, string | number | undefined])[] = [
        ["generation", verdict.generation],
        ["said no", verdict.check === undefined ? undefined : `${verdict.check}: ${verdict.reason ?? ""}`],
        ["checks passed", verdict.passed],
        ["up after", seconds(verdict.upAfterSeconds)],
        ["tokens per second", verdict.tokensPerSecond],
        ["first token after", seconds(verdict.secondsToFirstToken)],
        ["from itself", distance(verdict.ownDistance)],
        ...Object.entries(verdict.oracleFigures ?? {}).map(
            ([name, value]) => [`oracle: ${name}`, distance(value)] as const,
        ),
        ["oracle", proved?.oracleSha256 && `sha256 ${proved.oracleSha256}`],
        ["release", proved?.release],
        ["build", proved?.build],
        ["weights", proved?.manifestDigest],
        ["settings", proved?.settingsDigest],
        ["arguments", proved && `sha256 ${proved.argumentsSha256}`],
        ["environment", proved && `sha256 ${proved.environmentSha256}`],
        ["GPUs", proved && gpusText(proved.machine)],
        ["driver", proved?.machine.driver],
        ["kernel", proved?.machine.kernel],
        ...changed.map((one) => ["no longer so", one] as const),
    ];
    const known = rows.flatMap(([name, value]) => (value === undefined ? [] : [[name, String(value)] as const]));
    return `${service} on ${machine}: gate ${verdict.verdict}\n${table(known)}`;
}

function seconds(value: number | undefined): string | undefined {
    return value === undefined ? undefined : `${value} s`;
}

function distance(value: number | undefined): string | undefined {
    return value === undefined ? undefined : shown(value);
}
