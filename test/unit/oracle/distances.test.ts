/** The agent has the same arithmetic: it is held to the file that is checked here. */
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { packageRoot } from "../../../knowledge/base/package-root.ts";
import { distance } from "../../../knowledge/oracle/figures.ts";
import { readOracle } from "../../../knowledge/oracle/read.ts";
import { recorded } from "./recorded.ts";

const file = join(packageRoot, "test/fixtures/oracle/distances.json");

test("distances between real servers are those that the agent finds too", () => {
    const entries = (name: string) => readOracle(name, JSON.stringify(recorded(name))).entries;
    const pairs = ["sound-flashinfer", "sound-fp8-cache", "noise05", "noise20"].map((other) => ({
        reference: "sound",
        other,
        figures: distance(entries("sound"), entries(other)).figures,
    }));
    if (process.env.RECORD_GOLDEN) {
        writeFileSync(file, `${JSON.stringify(pairs, null, 4)}\n`);
    }
    const known: typeof pairs = JSON.parse(readFileSync(file, "utf8"));
    for (const [index, { other, figures }] of pairs.entries()) {
        for (const [name, value] of Object.entries(figures)) {
            expect(known[index]!.figures[name as keyof typeof figures], `${name} of ${other}`).toBeCloseTo(value, 9);
        }
    }
});
