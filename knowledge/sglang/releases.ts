/**
 * What each supported SGLang release is: its options, its dependency pins, its model classes.
 *
 * The data was read from the published wheels by `scripts/add-release.ts`: the options by SGLang's own argument
 * parser, the pins from the wheel's metadata, the model classes from `EntryClass` in `sglang/srt/models`.
 */

import { packageJson } from "../base/package-root.ts";
import { compareVersions, isVersion } from "../base/version.ts";
import { type Span, spanAt } from "./history.ts";

/** Folder of the generated tables, from the root of the package. */
export const dataFolder = "knowledge/sglang/data";

/** One option of one release, as the release's own parser declares it. */
export interface Option {
    /** Canonical setting name: the first name of the option in the newest release that has it, without dashes. */
    readonly setting: string;
    /** Every name, with dashes, in the release's order: `["--tp-size", "--tensor-parallel-size"]`. */
    readonly names: readonly string[];
    /** Attribute of the server's arguments that it sets, such as `fp4_gemm_runner_backend`. */
    readonly dest: string;
    /** What follows it: nothing, one value, any number of values, or at least one. */
    readonly takes: "nothing" | "one" | "any" | "some";
    /** What a value must be, by the name of the parser's own type: `str`, `int`, `float`, `loads` (JSON) and a few more. Absent for an option without value. */
    readonly type?: string;
    /** The values that the parser accepts, sorted. Absent: any of the type. */
    readonly choices?: readonly (string | number)[];
    /** Value when it is not given. Absent: `False` for an option without value, else `None`, which mostly means that the server decides. */
    readonly default?: string | number | boolean | readonly (string | number)[];
    /** The server cannot start without it. Defaults to false. */
    readonly required?: true;
    /** The release says that it is going away. Defaults to false. */
    readonly deprecated?: true;
    /** The release accepts it and does nothing with it. Defaults to false. */
    readonly ignored?: true;
    /** What the release says to use in its place, as it writes it: `--cuda-graph-backend-prefill=disabled`. */
    readonly replacedBy?: string;
}

/** Which versions of its dependencies a release was published for. */
export interface Pins {
    /** Python versions, such as `>=3.10`. */
    readonly python: string;
    /** Version of torch, such as `2.11.0`. */
    readonly torch: string;
    /** Version of transformers. */
    readonly transformers: string;
    /** Version of FlashInfer (`flashinfer_python`). */
    readonly flashinfer: string;
    /** SGLang's own kernels: the package was renamed from `sgl-kernel` to `sglang-kernel` at 0.5.10. */
    readonly kernel: { readonly name: "sgl-kernel" | "sglang-kernel"; readonly version: string };
    /** Major version of CUDA that its packages are built for, from `cuda-python`: 12 or 13. */
    readonly cuda: 12 | 13;
    /** Every requirement outside extras, by normalized name: `{ "xgrammar": "==0.2.1" }`. */
    readonly requirements: Readonly<Record<string, string>>;
}

/** One release of SGLang. */
export interface Release {
    /** Its version, such as `0.5.17`. */
    readonly version: string;
    /** Its options by setting name, sorted. */
    readonly options: readonly Option[];
    /** What it depends on. */
    readonly pins: Pins;
    /** Model classes it can load, sorted: the names in `architectures` of a model's configuration. */
    readonly architectures: readonly string[];
}

/** `data/releases.json`: requirements by release, oldest first. */
export type ReleaseData = Record<string, { python: string; requirements: Record<string, string> }>;
/** `data/options.json`: how each option changed, by setting name. */
export type OptionData = Record<string, (Omit<Option, "setting"> & Span)[]>;
/** `data/architectures.json`: which releases have a model class. */
export type ArchitectureData = Record<string, Span[]>;

const releaseData = packageJson<ReleaseData>(`${dataFolder}/releases.json`);
const architectureData = packageJson<ArchitectureData>(`${dataFolder}/architectures.json`);
const known: readonly string[] = Object.keys(releaseData);
const loaded = new Map<string, Release>();

/** How each option changed, by setting name. */
export const optionHistory: Readonly<OptionData> = packageJson<OptionData>(`${dataFolder}/options.json`);

/** Every supported release, oldest first. */
export function releases(): readonly string[] {
    return known;
}

/** The newest supported release. */
export function newestRelease(): string {
    return known.at(-1)!;
}

/** One release. Throws a RangeError that lists the supported ones and the nearest for any other version. */
export function release(version: string): Release {
    const own = releaseData[version];
    if (!own || !known.includes(version)) {
        throw new RangeError(unsupported(version));
    }
    const found = loaded.get(version) ?? {
        version,
        options: Object.entries(optionHistory).flatMap(([setting, history]) => {
            const span = spanAt(known, history, version);
            return span ? [optionOf(setting, span)] : [];
        }),
        pins: pinsOf(own.python, own.requirements),
        architectures: Object.keys(architectureData).filter((name) => spanAt(known, architectureData[name]!, version)),
    };
    loaded.set(version, found);
    return found;
}

function optionOf(setting: string, { since: _, until: __, ...option }: Omit<Option, "setting"> & Span): Option {
    return { setting, ...option };
}

function pinsOf(python: string, requirements: Record<string, string>): Pins {
    const exact = (name: string) => requirements[name]!.replace(/^==/, "");
    const kernel = requirements["sglang-kernel"] ? "sglang-kernel" : "sgl-kernel";
    return {
        python,
        torch: exact("torch"),
        transformers: exact("transformers"),
        flashinfer: exact("flashinfer-python"),
        kernel: { name: kernel, version: exact(kernel) },
        cuda: /^[^\d]*13/.test(requirements["cuda-python"]!) ? 13 : 12,
        requirements,
    };
}

/** Why a version is not supported: what is, and which one is nearest. */
function unsupported(version: string): string {
    const list = `Supported: ${known.join(", ")}.`;
    if (!isVersion(version)) {
        return `${JSON.stringify(version)} is not a release of SGLang. ${list}`;
    }
    const older = known.filter((candidate) => compareVersions(candidate, version) < 0).at(-1);
    return `SGLang ${version} is not supported; the nearest that is: ${older ?? known[0]}. ${list}`;
}
