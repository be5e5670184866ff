import type { SettingValue } from "../base/settings.ts";
import type { VersionWindow } from "../base/version.ts";
import type { Method, NumberFormat } from "../models/formats.ts";
import type { Part } from "../models/modules.ts";
import type { AttentionKind } from "../models/profile.ts";
import type { ModelTrait } from "./model-traits.ts";
import type { PredicateName } from "./predicates.ts";

/** What is asked of one setting or variable. `unset` also matches the value `auto`, which leaves the choice to SGLang. */
export type ValueTest<T> =
    | { readonly in: readonly T[] }
    | { readonly notIn: readonly T[] }
    | { readonly set: true }
    | { readonly unset: true }
    | { readonly above: number }
    | { readonly below: number };

/** One of several settings; `notIn` matches only one that is set. */
export type SettingTest = { readonly setting: string | readonly string[] } & ValueTest<SettingValue>;

/** An environment variable of the server. */
export type VariableTest = { readonly variable: string } & ValueTest<string>;

/**
 * When a rule applies: a small declarative language, so that a rule is data from end to end.
 *
 * An answer may be "not known", which is neither yes nor no: a rule applies only where the answer is yes, and `not` of what is not known
 * is not known either.
 *
 * What the language cannot say is a named predicate (`predicates.ts`), whose description is printed with the table.
 */
export type Condition =
    | { readonly all: readonly Condition[] }
    | { readonly any: readonly Condition[] }
    | { readonly not: Condition }
    | SettingTest
    | VariableTest
    /** SGLang release, for a part of a condition; the window of the rule is for the whole. */
    | { readonly release: VersionWindow }
    /** Who wrote the checkpoint: what flags are compared with. */
    | { readonly method: readonly Method[] }
    /** What numbers the checkpoint holds, anywhere or in one part: what kernels depend on. */
    | { readonly format: readonly NumberFormat[]; readonly of?: Part }
    /** Algorithms by the name that the quantization configuration gives them. */
    | { readonly algorithm: readonly string[] }
    | { readonly attention: readonly AttentionKind[] }
    | { readonly architecture: readonly string[] }
    | { readonly model: ModelTrait }
    | { readonly placement: "hosts" | "pool" }
    /** Whether the build is a published release, perhaps patched, and not a fork or a special image. */
    | { readonly stock: boolean }
    /** Whether the build has the patch, by name. */
    | { readonly patched: string }
    /** Whether the user pinned the package in `build.versions`. */
    | { readonly pinned: string }
    /** Number of GPUs in one tensor parallel group, pipeline stages, expert groups, nodes, or GPUs in all. */
    | {
          readonly count: "tensor" | "expert" | "data" | "nodes" | "gpus";
          readonly above?: number;
          readonly below?: number;
      }
    | { readonly predicate: PredicateName };
