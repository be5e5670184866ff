import { readdirSync, readFileSync } from "node:fs";

const folder = new URL("../../fixtures/topology/", import.meta.url);

/** Text of the fixture whose name starts with the number, such as `01` or `12b`. */
export function fixture(number: string): string {
    const name = readdirSync(folder).find((file) => file.startsWith(`${number}-`));
    if (name === undefined) {
        throw new Error(`no fixture ${number}`);
    }
    return readFileSync(new URL(name, folder), "utf8");
}

/** Numbers of all fixtures that hold a `topo -m` table that must be read. */
export const readable = readdirSync(folder)
    .map((file) => file.split("-")[0]!)
    .filter((number) => /^\d+$/.test(number) && number !== "48")
    .sort();
