import { compareVersions } from "../../../knowledge/base/version.ts";
import { type Checkpoint, flagOf, type ModelProfile } from "../../../knowledge/models/index.ts";
import { findOption, release, releases } from "../../../knowledge/sglang/index.ts";

/** What is wrong with a profile by the tables of the releases that it is for: sentences that say what to do. */
export function profileProblems(profile: ModelProfile): string[] {
    const { id, architecture, since, checkpoints } = profile;
    if (since === undefined || !releases().includes(since)) {
        const first = releases().find((version) => missing(profile, version).length === 0);
        const advice = first ? `write since: "${first}"` : whyNever(profile);
        return [`${id}: \`since\` is ${since ?? "missing"}, no supported release: ${advice}.`];
    }
    const later = releases().filter((version) => compareVersions(version, since) >= 0);
    const before = releases()[releases().indexOf(since) - 1];
    return [
        ...later.flatMap((version) =>
            missing(profile, version).map(
                (what) => `${id}: SGLang ${version} has no ${what}; correct the name, or begin \`since\` later.`,
            ),
        ),
        ...(before !== undefined && missing(profile, before).length === 0
            ? [`${id}: SGLang ${before} has all that the profile names; begin \`since\` there.`]
            : []),
        ...checkpoints.flatMap((checkpoint) => checkpointProblems(profile, checkpoint)),
        ...provenReleases(profile)
            .filter((version) => !later.includes(version))
            .map((version) => `${id}: evidence says that it runs on ${version}, where ${architecture} is not for it.`),
    ];
}

/** What a release lacks of what the profile names. */
function missing({ architecture, parsers, drafts }: ModelProfile, version: string): string[] {
    const { architectures } = release(version);
    return [
        ...(architectures.includes(architecture) ? [] : [`model class ${architecture}`]),
        ...notChoices(version, "reasoning-parser", [parsers.reasoning]),
        ...notChoices(version, "tool-call-parser", [parsers.toolCall]),
        ...notChoices(
            version,
            "speculative-algorithm",
            drafts.map(({ algorithm }) => algorithm),
        ),
    ];
}

function checkpointProblems(profile: ModelProfile, { repository, method, since }: Checkpoint): string[] {
    const from = since ?? profile.since!;
    return releases()
        .filter((version) => compareVersions(version, from) >= 0)
        .flatMap((version) =>
            notChoices(version, "quantization", [flagOf(method)]).map((what) => [version, what] as const),
        )
        .map(
            ([version, what]) =>
                `${profile.id}: SGLang ${version} has no ${what}, which ${repository} needs; correct it, or give the checkpoint a later \`since\`.`,
        );
}

/** Values that an option of a release does not take. */
function notChoices(version: string, option: string, values: readonly (string | undefined)[]): string[] {
    const choices = findOption(version, option)?.choices;
    const wrong = values.filter((value) => value !== undefined && choices !== undefined && !choices.includes(value));
    return wrong.map((value) => `--${option} ${value}`);
}

/** Releases on which somebody ran it. */
function provenReleases({ evidence }: ModelProfile): string[] {
    const statements = evidence.filter(({ outcome }) => outcome === "runs").map(({ statement }) => statement);
    return statements
        .flatMap((statement) => statement.match(/\b0\.\d+\.\d+(\.post\d+)?\b(?! era)/g) ?? [])
        .filter((version) => releases().includes(version));
}

function whyNever(profile: ModelProfile): string {
    const newest = releases().at(-1)!;
    return `the newest has no ${missing(profile, newest).join(", no ")}, so correct that`;
}
