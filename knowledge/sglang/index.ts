/** What is known of SGLang's releases: their options, pins and model classes. */

export { type LaunchArgument, type LaunchCommand, parseLaunchCommand } from "../launch/launch-command.ts";
export { argvOf, type LaunchArguments, launchArguments } from "./arguments.ts";
export { type LaunchNote, type LaunchSettings, settingsFromLaunch } from "./launch-settings.ts";
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
export { canonicalSettings, spelling } from "./spelling.ts";
