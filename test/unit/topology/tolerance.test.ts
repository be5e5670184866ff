import { describe, expect, test } from "vitest";
import { parseTopology, TopologyError } from "../../../knowledge/topology/index.ts";
import { expandTabs } from "../../../knowledge/topology/table-header.ts";
import { fixture, readable } from "./fixture.ts";

/** What terminals, chats and editors do to a text without changing what it says. */
const handling: Record<string, (text: string) => string> = {
    "CRLF line ends": (text) => text.replace(/\r?\n/g, "\r\n"),
    "tabs as a terminal shows them": (text) => text.split("\n").map(expandTabs).join("\n"),
    "an indent": (text) => text.replace(/^/gm, "    "),
    "no space at either end of a line": (text) => text.replace(/^[ \t]+|[ \t]+$/gm, ""),
    "spaces at the end of every line": (text) => text.replace(/\r?$/gm, "   "),
    "a prompt and its command above": (text) => `user@host:~$ nvidia-smi topo -m\n${text}`,
    "a prompt below": (text) => `${text}\nuser@host:~$ `,
    "a Markdown fence": (text) => `Here is my topology:\n\n\`\`\`text\n${text}\n\`\`\`\n`,
    "quoted as in a mail": (text) => text.replace(/^/gm, "> "),
    "a comment in a script": (text) => text.replace(/^/gm, "# "),
    "no-break spaces": (text) => text.replace(/ /g, "\u00a0"),
    "a byte order mark": (text) => `\ufeff${text}`,
    "a coloured header": (text) => text.replace(/GPU0/, "\u001b[1;32mGPU0\u001b[0m"),
    "a blank line between all lines": (text) => text.replace(/\n/g, "\n\n"),
};

/** Fixtures whose own damage does not survive a second one. */
const excluded: Record<string, string[]> = {
    "a blank line between all lines": ["39"],
    "tabs as a terminal shows them": ["44"],
};

describe.each(Object.entries(handling))("a text with %s", (name, handle) => {
    test.each(readable.filter((number) => !excluded[name]?.includes(number)))("%s says the same", (number) => {
        const whole = parseTopology(fixture(number));
        const handled = parseTopology(handle(fixture(number)));
        expect({ ...handled, notes: [] }).toEqual({ ...whole, notes: [] });
    });
});

describe("a legend that was cut in an edited text", () => {
    const cut = (text: string) => text.replace(/^[ \t]+/gm, "").replace(/^NV#[^\n]*\n?/m, "");

    test.each(["02", "03", "04", "12"])("%s is read, and the doubt is noted", (number) => {
        const text = cut(fixture(number));
        const { notes, ...said } = parseTopology(text);
        const { notes: _, ...whole } = parseTopology(fixture(number));
        expect(said).toEqual(whole);
        expect(notes.some((note) => /no NV#/.test(note))).toBe(/^PIX\s*=/m.test(text));
    });

    test("one of a text as the tool prints it is that of topo -mp", () => {
        expect(() => parseTopology(fixture("48"))).toThrow(TopologyError);
    });
});

describe("a text that a narrow terminal broke", () => {
    const wrap = (text: string, width: number) =>
        text
            .split("\n")
            .flatMap((line) => expandTabs(line).match(new RegExp(`.{1,${width}}`, "g")) ?? [""])
            .join("\n");

    test.each(readable)("%s is read as before or refused, at any width", (number) => {
        const whole = parseTopology(fixture(number));
        let read = 0;
        for (let width = 30; width <= 240; width += 7) {
            try {
                const { gpus, links, nics } = parseTopology(wrap(fixture(number), width));
                expect({ width, gpus, links, nics }).toEqual({
                    width,
                    gpus: whole.gpus,
                    links: whole.links,
                    nics: whole.nics,
                });
                read++;
            } catch (error) {
                expect(error).toBeInstanceOf(TopologyError);
            }
        }
        expect(read).toBeGreaterThan(18);
    });

    test.each([
        ["01", 80],
        ["07", 80],
        ["07", 120],
        ["38", 80],
        ["10", 80],
    ])("%s is read at %i columns", (number, width) => {
        expect(parseTopology(wrap(fixture(number), width)).links).toEqual(parseTopology(fixture(number)).links);
    });
});

describe("single spaces instead of tabs", () => {
    const squeezed = (text: string) => text.replace(/[ \t]+/g, " ");

    test.each(readable.filter((number) => number !== "35"))("%s says the same", (number) => {
        const { links, numa, nics } = parseTopology(fixture(number));
        expect(parseTopology(squeezed(fixture(number)))).toMatchObject({ links, numa, nics });
    });
});
