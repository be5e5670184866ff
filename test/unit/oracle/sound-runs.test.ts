/** No sound server is told "no": a thousand made-up runs with the distances that real sound servers have. */
import { expect, test } from "vitest";
import { compare } from "../../../knowledge/oracle/compare.ts";
import { readOracle } from "../../../knowledge/oracle/read.ts";
import type { Oracle, OracleEntry } from "../../../knowledge/records/oracle.ts";
import { eachAnswer, recorded } from "./recorded.ts";

/** Numbers from 0 to 1, the same each time (mulberry32). */
function numbersOf(seed: number): () => number {
    let state = seed;
    return () => {
        state = (state + 0x6d2b79f5) | 0;
        let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
        mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
        return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
    };
}

const read = (name: string) => readOracle(name, JSON.stringify(recorded(name)));
const reference = read("sound");

/** Every distance of a real server from the reference, by what it is of. */
function distancesOf(other: Oracle) {
    const of = (list: (entry: OracleEntry) => readonly (number | null)[]) =>
        reference.entries.flatMap((entry, index) =>
            list(entry).flatMap((value, place) => {
                const their = list(other.entries[index]!)[place];
                return value === null || their === null || their === undefined ? [] : [their - value];
            }),
        );
    return {
        logprobs: of((entry) => entry.logprobs),
        answerLogprobs: of((entry) => entry.answerLogprobs),
        topLogprobs: of((entry) => entry.topLogprobs.flat()),
    };
}

/** The reference with distances that are drawn from those of a real server. */
function drawn(other: Oracle, next: () => number): Oracle {
    const found = distancesOf(other);
    const moved = (values: readonly (number | null)[], from: readonly number[]) =>
        values.map((value) => value && Math.min(0, value + from[Math.floor(next() * from.length)]!));
    const entries = reference.entries.map((entry) => ({
        ...entry,
        logprobs: moved(entry.logprobs, found.logprobs),
        answerLogprobs: moved(entry.answerLogprobs, found.answerLogprobs),
        topLogprobs: entry.topLogprobs.map((place) => moved(place, found.topLogprobs)),
    }));
    return { ...reference, asked: other.asked, entries };
}

test.each(["sound-flashinfer", "sound-fp8-cache"])("a thousand runs like %s", (name) => {
    const [next, other] = [numbersOf(1), read(name)];
    const no = Array.from({ length: 1000 }, () => compare(reference, drawn(other, next)))
        .filter(({ verdict }) => verdict === "no")
        .map(({ decided }) => decided.reason);
    expect(no).toEqual([]);
});

test("forty runs of a large server, which is never twice the same", () => {
    const next = numbersOf(2);
    /** Nearly normal, of standard deviation 0.05: 6 times the limit of the mean. */
    const noise = () => 0.05 * (Array.from({ length: 12 }, next).reduce((sum, one) => sum + one) - 6);
    const large = () =>
        eachAnswer(recorded("sound"), (answer) => {
            for (const row of [...answer.input.slice(1), ...answer.output, ...answer.top.flat()]) {
                row[0] = Math.min(0, row[0] + noise());
            }
        });
    const known = readOracle("large", JSON.stringify(large()));
    const no = Array.from({ length: 40 }, large).flatMap((run) => {
        const other = readOracle("run", JSON.stringify(run));
        return compare(known, other).verdict === "no" ? [compare(known, other).decided.reason] : [];
    });
    expect(no).toEqual([]);
});
