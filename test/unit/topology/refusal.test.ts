import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { parseNumactl, parseP2p, parseTopology, TopologyError } from "../../../knowledge/topology/index.ts";
import { fixture, readable } from "./fixture.ts";

/** The error that reading throws. */
function refused(read: () => unknown): TopologyError {
    try {
        read();
    } catch (error) {
        expect(error).toBeInstanceOf(TopologyError);
        return error as TopologyError;
    }
    throw new Error("was read");
}

/** Text with the line that starts with the device changed. */
const change = (text: string, device: string, edit: (line: string) => string) =>
    text.replace(new RegExp(`^${device}\\b.*$`, "m"), (line) => edit(line));

const whole = fixture("01");

describe("a table that cannot be read whole is refused with row and column", () => {
    test.each<[string, string, Partial<TopologyError>, RegExp]>([
        [
            "a dropped cell",
            change(whole, "GPU3", (l) => l.replace("\tPIX", "")),
            { row: "GPU3", column: "GPU2", line: 5 },
            /8 cells as in the header.*found 7: here "X"/,
        ],
        [
            "a dropped last cell",
            change(whole, "GPU1", (l) => l.replace("SYS\t0-", "0-")),
            { row: "GPU1", column: "GPU7", line: 3 },
            /8 cells as in the header.*"0-63,128-191"/,
        ],
        [
            "a cell too many",
            change(whole, "GPU5", (l) => l.replace("\t64-", "\tSYS\t64-")),
            { row: "GPU5", column: "end of row", line: 7 },
            /one more: "SYS"/,
        ],
        [
            "a row cut after three cells",
            change(whole, "GPU2", () => "GPU2\tNODE\tNODE\t X "),
            { row: "GPU2", column: "GPU3", line: 4 },
            /only 3/,
        ],
        [
            "two glued cells",
            change(whole, "GPU0", (l) => l.replace("NODE\tNODE", "NODENODE")),
            { row: "GPU0", column: "GPU2", line: 2 },
            /two cells glued: NODE and NODE/,
        ],
        [
            "two glued links at the end",
            change(whole, "GPU0", (l) => l.replace("SYS\tSYS\t0", "SYSSYS\t0")),
            { row: "GPU0", column: "GPU6", line: 2 },
            /glued: SYS and SYS/,
        ],
        [
            "a cell glued to the affinity",
            change(whole, "GPU0", (l) => l.replace("SYS\t0-", "SYS0-")),
            { row: "GPU0", column: "GPU7", line: 2 },
            /"SYS0-63,128-191"/,
        ],
        [
            "an unknown link",
            change(whole, "GPU6", (l) => l.replace("PIX", "PCI")),
            { row: "GPU6", column: "GPU7", line: 8 },
            /one of NV#, PIX, PXB, PHB, NODE, SYS/,
        ],
        [
            "a link in lower case",
            change(whole, "GPU6", (l) => l.replace("PIX", "pix")),
            { row: "GPU6", column: "GPU7", line: 8 },
            /"pix"/,
        ],
        [
            "NV without a number",
            change(fixture("18"), "GPU0", (l) => l.replace("NV12", "NV")),
            { row: "GPU0", column: "GPU1", line: 2 },
            /"NV"/,
        ],
        [
            "a pair that disagrees",
            change(whole, "GPU2", (l) => l.replace("PIX", "PXB")),
            { row: "GPU2", column: "GPU3", line: 4 },
            /the same as row GPU3, column GPU2: PIX, found PXB/,
        ],
        [
            "two swapped cells",
            change(whole, "GPU0", (l) => l.replace("NODE\tSYS", "SYS\tNODE")),
            { row: "GPU0", column: "GPU3", line: 2 },
            /NODE, found SYS/,
        ],
        [
            "an X that is not on the diagonal",
            change(whole, "GPU0", (l) => l.replace("PIX", "X")),
            { row: "GPU0", column: "GPU1", line: 2 },
            /found "X"/,
        ],
        [
            "a diagonal without X",
            change(whole, "GPU0", (l) => l.replace(" X ", "PIX")),
            { row: "GPU0", column: "GPU0", line: 2 },
            /X \(the device itself\)/,
        ],
        ["a missing row", whole.replace(/^GPU4\b.*\n/m, ""), { row: "GPU4", column: "start of row" }, /no row of GPU4/],
        [
            "a table cut in the middle",
            whole.split("\n").slice(0, 5).join("\n"),
            { row: "GPU4", column: "start of row" },
            /no row of GPU4/,
        ],
        [
            "a doubled row",
            change(whole, "GPU4", (l) => `${l}\n${l}`),
            { row: "GPU4", column: "start of row", line: 7 },
            /a second row of GPU4/,
        ],
        [
            "a row that the header lacks",
            `${whole.split("\n").slice(0, 9).join("\n")}\nGPU8${"\tSYS".repeat(8)}\n`,
            { row: "GPU8", column: "start of row", line: 10 },
            /a device of the header/,
        ],
        [
            "a header that lacks a device",
            whole.replace("\tGPU7\t", "\t"),
            { row: "GPU0", column: "end of row", line: 2 },
            /7 cells as in the header/,
        ],
        [
            "a doubled header column",
            whole.replace("GPU1\tGPU2", "GPU1\tGPU1"),
            { row: "header", column: "GPU1", line: 1 },
            /each once/,
        ],
        [
            "a glued header",
            whole.replace("GPU1\tGPU2", "GPU1GPU2"),
            { row: "header", column: "GPU1GPU2", line: 1 },
            /GPU#/,
        ],
        [
            "a glued affinity",
            change(whole, "GPU3", (l) => l.replace("191\t0\t\tN/A", "1910N/A")),
            { row: "GPU3", column: "CPU Affinity", line: 5 },
            /ascending list/,
        ],
        [
            "a range that goes down",
            change(whole, "GPU3", (l) => l.replace("0-63", "63-0")),
            { row: "GPU3", column: "CPU Affinity", line: 5 },
            /ascending list/,
        ],
        [
            "a missing adapter row",
            fixture("07").replace(/^NIC3\b.*\n/m, ""),
            { row: "NIC3", column: "start of row" },
            /no row of NIC3/,
        ],
        [
            "adapter columns cut off",
            fixture("43").replace(/ {2}NIC0: .*$/m, "  NIC0: mlx5_0\n  NIC1: mlx5_1"),
            { row: "header", column: "NIC1" },
            /a column for every adapter/,
        ],
        ["topo -mp, by its legend", fixture("48"), { row: "legend", column: "NV#" }, /hides NVLink/],
        [
            "topo -mp, by its command",
            `$ nvidia-smi topo -mp\n${fixture("06")}`,
            { row: "command", line: 1 },
            /hides NVLink/,
        ],
        ["a topo -p2p text", fixture("12b"), { row: "GPU0", line: 2 }, /topo -p2p/],
        [
            "the tables of two hosts",
            `${fixture("12")}\n${fixture("12")}`,
            { row: "GPU0", column: "start of row" },
            /a second table/,
        ],
        ["an empty text", "", { row: "text", column: "header", line: 1 }, /an empty text/],
        ["another text", fixture("01b"), { row: "text", column: "header", line: 1 }, /nvidia-smi topo -m/],
    ])("%s", (_, text, place, message) => {
        const error = refused(() => parseTopology(text));
        expect(error).toMatchObject(place);
        expect(error.message).toMatch(message);
        expect(error.message).toContain(`row ${error.row}, column ${error.column} (line ${error.line})`);
    });

    const tables = readable.filter((number) => !["17", "32", "35", "39", "44"].includes(number));
    test.each(tables)("%s: any one link cell dropped, doubled or changed", (number) => {
        const lines = fixture(number).split(/\r?\n/);
        const cells = /(?<=[\s]|^)(?:X|NV\d+|PIX|PXB|PHB|NODE|SYS|SOC)(?=\s|$)/g;
        for (const [at, line] of lines.entries()) {
            if (line.startsWith("Legend")) {
                break;
            }
            if (!/^[\s#]*(?:GPU|NIC|mlx5_(?:bond_)?)\d+\s+(?:X|NV|PIX|PXB|PHB|NODE|SYS|SOC)/.test(line)) {
                continue;
            }
            for (const match of line.matchAll(cells)) {
                const [start, end] = [match.index, match.index + match[0].length];
                const other = match[0] === "PHB" ? "PXB" : "PHB";
                for (const put of ["", `${match[0]} ${match[0]}`, other]) {
                    const mutated = lines.with(at, line.slice(0, start) + put + line.slice(end)).join("\n");
                    const error = refused(() => parseTopology(mutated));
                    expect([error.line, put, error.message.length > 0]).toEqual([expect.any(Number), put, true]);
                }
            }
        }
    });
});

describe("rubbish", () => {
    const words = fc.constantFrom(
        ..."GPU0 GPU1 GPU2 NIC0 mlx5_0 X PIX SYS NODE NV18 OK GNS CPU Affinity NUMA ID N/A 0-63 0 1 Legend: NIC0: node cpus: available: 2 nodes (0-1) distances: 10 32".split(
            " ",
        ),
    );
    const gap = fc.constantFrom(" ", "\t", "\n", "\n\n", "  ", "|", "\u001b[4m", "\r\n", "");
    const text = fc.oneof(
        fc.string({ unit: "binary", maxLength: 200 }),
        fc.array(fc.tuple(words, gap), { maxLength: 40 }).map((pairs) => pairs.flat().join("")),
    );

    test.each([
        ["parseTopology", parseTopology],
        ["parseP2p", parseP2p],
        ["parseNumactl", parseNumactl],
    ])("%s throws nothing but a TopologyError", (_, parse) => {
        fc.assert(
            fc.property(text, (rubbish) => {
                try {
                    parse(rubbish);
                } catch (error) {
                    expect(error).toBeInstanceOf(TopologyError);
                }
            }),
            { numRuns: 2000, seed: 7 },
        );
    });

    test("a good text with characters taken out is read or refused, and never read with fewer links", () => {
        const good = fixture("10");
        const links = parseTopology(good).links.length;
        fc.assert(
            fc.property(fc.nat(good.indexOf("Legend")), fc.integer({ min: 1, max: 12 }), (at, length) => {
                try {
                    expect(parseTopology(good.slice(0, at) + good.slice(at + length)).links).toHaveLength(links);
                } catch (error) {
                    expect(error).toBeInstanceOf(TopologyError);
                }
            }),
            { numRuns: 2000, seed: 11 },
        );
    });
});
