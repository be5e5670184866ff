import type { Command } from "commander";
import { buildPlan } from "../knowledge/artifacts/build-plan.ts";
import { ProblemsError } from "../knowledge/base/problems.ts";
import type { Answer } from "../knowledge/contract/answers.ts";
import { statusOf } from "../placements/asking.ts";
import { ending } from "./arguments.ts";
import { type JsonOption, jsonOption } from "./json-option.ts";
import { namedServices } from "./service-names.ts";
import { declareStack, type StackOptions, stackFileOf } from "./stack-option.ts";

/** Declares `drift [SERVICE …]`. */
export function declare(verb: Command): void {
    declareStack(verb)
        .argument("[SERVICE...]", "services on hosts by name (default: all)")
        .option(...jsonOption)
        .action(ending(run));
}

/** `drift`: what a stack file asks for against what its hosts run, host by host. Exit 1 when they differ. */
function run(names: readonly string[], values: StackOptions & JsonOption): number {
    const file = stackFileOf(values);
    const { services, parts } = namedServices(file, names);
    const onHosts = services.filter(({ request }) => request.target.kind === "hosts");
    if (onHosts.length === 0) {
        const message = "none of them is on hosts; of a pool, `pulumi preview --refresh` tells what differs";
        throw new ProblemsError(`${file} cannot be followed:`, [{ path: "services", message }]);
    }
    const rows = onHosts.flatMap(({ request: { name, target, build }, resolved }) => {
        const expected = [
            ["settingsDigest", resolved.settingsDigest],
            ["build", buildPlan(build).digest],
        ] as const;
        return statusOf(target)
            .status(name, target, parts)
            .map(({ machine, answer }) => ({
                service: name,
                host: machine,
                differences: differences(answer as Answer<"status">, expected),
            }));
    });
    const text = rows.map(({ service, host, differences }) => {
        const said = differences.length === 0 ? "as the stack file asks" : differences.join("; ");
        return `${service} on ${host}: ${said}\n`;
    });
    process.stdout.write(values.json ? `${JSON.stringify(rows, null, 4)}\n` : text.join(""));
    return rows.every(({ differences }) => differences.length === 0) ? 0 : 1;
}

function differences(
    answer: Answer<"status">,
    expected: readonly (readonly ["settingsDigest" | "build", string])[],
): string[] {
    return [
        ...(answer.active ? [] : [`the unit is ${answer.unitState}`]),
        ...expected.flatMap(([name, value]) =>
            answer[name] === value
                ? []
                : [`${name} is ${answer[name] ?? "not there"}, the stack file asks for ${value}`],
        ),
    ];
}
