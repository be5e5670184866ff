import type { Plan, PlannedService } from "../../deployment/plan.ts";
import type { Finding, Problem, SettingValue } from "../../knowledge/base/settings.ts";
import { shellQuoted } from "../../knowledge/base/shell-quoted.ts";
import { memoryReport } from "../../knowledge/memory/index.ts";
import { askedText } from "../../knowledge/oracle/report.ts";
import { expectation } from "../../knowledge/service/expect.ts";
import { fold, heading, size, table, wrap } from "../text.ts";
import { expectText } from "./expect-text.ts";
import { tuningText } from "./tuning-text.ts";

/** The plan as text for people: everything that will be on the machines, and who decided it. `read` is what was taken for granted in a launch. */
export function renderPlan(plan: Plan, read: readonly string[] = []): string {
    const sections = plan.services.map(renderService);
    if (read.length > 0) {
        sections.push(heading("How the launch was read", 1) + read.map((note) => wrap(note, 2)).join(""));
    }
    if (plan.problems.length > 0) {
        sections.push(heading("Wrong in the file", 1) + problemLines(plan.problems));
    }
    if (plan.notReady.length > 0) {
        sections.push(heading("Before `pulumi up`", 1) + problemLines(plan.notReady));
    }
    sections.push(closing(plan));
    return `${sections.join("\n")}`;
}

function closing({ refused, services }: Plan): string {
    const [first] = services.flatMap(({ resolved }) => resolved.findings.filter(({ verdict }) => verdict === "refuse"));
    if (refused) {
        const override = first
            ? wrap(
                  `A rule that is wrong here is overridden in its service: accept: [{ rule: ${first.rule}, reason: WHY }].`,
                  0,
              )
            : "";
        return `Refused: nothing would be deployed.\n${override}`;
    }
    return services.length === 0
        ? "It has no services: there is nothing to plan.\n"
        : "Nothing stands against these settings.\n";
}

function renderService(planned: PlannedService): string {
    const { resolved, spec, placed } = planned;
    const where = spec.nodes.map(({ name, gpus }) => `${name} (GPU ${gpus.join(",")})`).join(", ");
    const parts = [
        heading(`${resolved.name}: ${spec.model.repository} on SGLang ${resolved.release}`, 1) + `${where}\n`,
        heading("Settings, and who decided them") + settingsTable(planned),
    ];
    if (resolved.findings.length > 0) {
        parts.push(heading("Findings") + findingsText(resolved.findings));
    }
    if (resolved.tuning.length > 0) {
        parts.push(heading("For speed") + tuningText(resolved.tuning));
    }
    const expected = expectation(spec, resolved);
    const rank = spec.nodes.length > 1 ? ` on ${spec.nodes[0]!.name}, rank 0 of ${spec.nodes.length}` : "";
    parts.push(
        heading(`Launch command${rank}`) + launchText(placed.argv),
        heading("Environment") + environmentTable(planned),
        heading("Memory") + (resolved.memory ? fold(indent(memoryReport(resolved.memory))) : "  cannot be planned\n"),
        heading("What to expect") + (expected ? expectText(expected) : "  cannot be told\n"),
        heading("Build") + buildText(planned),
        heading("Weights") + weightsText(planned),
        heading("Proof after each start") + gateText(planned),
        heading(placed.listing.title) + indent(placed.listing.text),
    );
    return parts.join("\n");
}

function settingsTable({ resolved }: PlannedService): string {
    const rows = Object.entries(resolved.settings).map(([name, { value, origin, rule }]) => [
        name,
        Array.isArray(value) ? value.join(" ") : String(value),
        rule === undefined ? origin : `${origin} ${rule}`,
    ]);
    return table(rows);
}

/** Findings with the same rule and message are one, with every setting that they touch. */
function findingsText(findings: readonly Finding[]): string {
    const groups = Map.groupBy(findings, ({ rule, message }) => `${rule} ${message}`);
    return [...groups.values()].map(findingText).join("");
}

function findingText(group: readonly Finding[]): string {
    const { verdict, rule, message, sources } = group[0]!;
    const changes = group.flatMap(({ setting, from, to }) =>
        verdict !== "fix" || setting === undefined ? [] : [`${setting}: ${shown(from)} → ${shown(to)}`],
    );
    return [
        `  ${verdict.padEnd(6)} ${rule}\n`,
        ...changes.map((change) => `         ${change}\n`),
        wrap(message, 9),
        sources.length === 0 ? "" : wrap(sources.join(", "), 9),
    ].join("");
}

function shown(value: SettingValue | undefined): string {
    return value === undefined ? "(not set)" : String(value);
}

/** The command as a shell takes it, an option a line. */
function launchText(argv: readonly string[]): string {
    const lines: string[][] = [];
    for (const word of argv) {
        if (lines.length === 0 || word.startsWith("--")) {
            lines.push([]);
        }
        lines.at(-1)!.push(word);
    }
    return `${lines.map((words) => `  ${shellQuoted(words)}`).join(" \\\n")}\n`;
}

function environmentTable({ resolved, placed: { environment } }: PlannedService): string {
    const reasons = new Map(resolved.environment.map(({ name, reason }) => [name, reason]));
    return Object.keys(environment)
        .sort()
        .map((name) => {
            const reason = reasons.get(name);
            return `  ${name}=${environment[name]}\n${reason === undefined ? "" : wrap(reason, 6)}`;
        })
        .join("");
}

/** Where it comes from, its patches, and what the place adds. */
function buildText({ build, placed: { buildDigest, buildRows } }: PlannedService): string {
    const patches = build.patches.map(({ name, sha256, lines }) => [`patch ${name}`, `${lines}, sha256 ${sha256}`]);
    return table([["digest", buildDigest], ...buildRows.before, ...patches, ...buildRows.after]);
}

function weightsText({ request, model }: PlannedService): string {
    return table([
        ["repository", request.model.repository],
        ["revision", model.revision],
        ["path", model.path],
        ["to download", model.bytes === undefined ? "not pinned: run pin" : size(model.bytes)],
    ]);
}

function gateText({ request, resolved }: PlannedService): string {
    const {
        greedy,
        sampled,
        concurrency,
        toolCall,
        reasoning,
        longCharacters,
        itself,
        oracle,
        structured,
        timeoutSeconds,
    } = resolved.gate;
    const checks = [
        `${greedy.length} known questions greedily, token ids and log-probabilities looked at`,
        `${sampled.requests} sampled requests at temperature ${sampled.temperature}`,
        `${concurrency.requests} requests at once with mixed lengths`,
        ...(reasoning ? ["reasoning content parsed"] : []),
        ...(toolCall ? ["a tool call parsed"] : []),
        ...(structured ? ["an answer in the form of a JSON schema"] : []),
        ...(longCharacters === undefined ? [] : [`a known question behind ${longCharacters} characters`]),
        "a streamed answer",
        ...(itself
            ? [`held against itself: its prefix cached, and ${itself.crowds.join(" and ")} requests at once`]
            : []),
        ...(oracle && request.oracle
            ? [
                  `held against the oracle of sha256 ${oracle.sha256.slice(0, 12)}, alone and at once: ${askedText(request.oracle.oracle)}`,
              ]
            : []),
        `all within ${timeoutSeconds} s; on "no" the previous generation serves again`,
    ];
    return checks.map((check) => `  - ${check}\n`).join("");
}

function problemLines(problems: readonly Problem[]): string {
    return problems.map(({ path, message }) => `  ${path}\n${wrap(message, 6)}`).join("");
}

function indent(text: string): string {
    return text.replace(/^(?=.)/gm, "  ");
}
