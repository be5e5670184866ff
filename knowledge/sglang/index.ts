/** What is known of SGLang's releases: their options, pins and model classes. */

export {
    completions,
    describeOptions,
    explainMissing,
    findOption,
    type NameHistory,
    nameHistory,
    nearestOption,
    type OptionDescription,
    optionName,
} from "./options.ts";
export { newestRelease, type Option, type Pins, type Release, release, releases } from "./releases.ts";
