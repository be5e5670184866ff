import { hostKeyIsGiven } from "./checks/connection.ts";
import { imagesAreDigests, sourcesArePinned } from "./checks/pins.ts";
import { budgetsAreInOrder, needsNoSpareGpus } from "./checks/rollout.ts";
import { noSecretInTheOpen } from "./checks/secrets.ts";
import { rulesAreOverridden, settingsAreSafe } from "./checks/settings.ts";
import { weightsAreProtected } from "./checks/weights.ts";
import type { Check } from "./resource.ts";

/** A check with its name in reports and what a violation means. */
export interface SglangPolicy {
    readonly name: string;
    readonly description: string;
    readonly level: "mandatory" | "advisory";
    readonly check: Check;
}

/** Every policy of the pack, in the order in which it reports. */
export const policies: readonly SglangPolicy[] = [
    {
        name: "host-key-required",
        description: "Every SSH connection names the key of its host.",
        level: "mandatory",
        check: hostKeyIsGiven,
    },
    {
        name: "settings-safe-on-sm120",
        description: "No setting that is known to give NaN, garbage or a crash on compute capability 12.0.",
        level: "mandatory",
        check: settingsAreSafe,
    },
    {
        name: "rules-overridden",
        description: "Rules that a service overrides are named.",
        level: "advisory",
        check: rulesAreOverridden,
    },
    {
        name: "no-secret-in-the-open",
        description: "No token or key in arguments, variables or command texts.",
        level: "mandatory",
        check: noSecretInTheOpen,
    },
    {
        name: "sources-pinned",
        description: "Models and git sources are named by commit.",
        level: "mandatory",
        check: sourcesArePinned,
    },
    {
        name: "images-by-digest",
        description: "Images of GPU containers are named by digest.",
        level: "mandatory",
        check: imagesAreDigests,
    },
    {
        name: "weights-protected",
        description: "Claims that hold weights are protected from deletion and replacement.",
        level: "mandatory",
        check: weightsAreProtected,
    },
    {
        name: "startup-budgets",
        description: "Probe, deadline and timeout of a GPU server are long enough and in order.",
        level: "mandatory",
        check: budgetsAreInOrder,
    },
    {
        name: "no-spare-gpus-needed",
        description: "A rollout does not wait for GPUs that are not there.",
        level: "mandatory",
        check: needsNoSpareGpus,
    },
];
