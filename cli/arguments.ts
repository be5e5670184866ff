import type { Command } from "commander";

/** Makes an action of what a verb does: the process ends with the exit status that it gives. */
export function ending<A extends unknown[]>(run: (...given: A) => number | Promise<number>) {
    return async (...given: A): Promise<void> => {
        process.exitCode = await run(...given);
    };
}

/** Makes it a mistake to give options of a verb without the one that they go with. Names are those of the values: `modelConfig`. */
export function onlyWith(verb: Command, needed: string, names: readonly string[]): void {
    const written = (name: string) => verb.options.find((option) => option.attributeName() === name)!.long!;
    verb.hook("preAction", () => {
        const given = names.filter((name) => verb.getOptionValue(name) !== undefined).map(written);
        if (given.length > 0 && verb.getOptionValue(needed) === undefined) {
            verb.error(`error: ${given.join(", ")} can be given with ${written(needed)} only`);
        }
    });
}
