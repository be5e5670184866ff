/** What is quoted for a shell is read back as the same words: by shells, and by the reader of launch commands. */
import { spawnSync } from "node:child_process";
import fc from "fast-check";
import { expect, test } from "vitest";
import { shellQuoted } from "../../../knowledge/base/shell-quoted.ts";
import { runShell } from "../../../knowledge/launch/shell/run.ts";

const words = [
    ...[
        "",
        " ",
        "a b",
        "it's",
        '"',
        "\\",
        "$HOME",
        "`id`",
        "$(id)",
        "!",
        "it's!",
        "*",
        "?",
        "[%h]:%p",
        "~",
        "#",
        "a#b",
    ],
    ...[
        "{a,b}",
        "<|x|>",
        "a;b",
        "&",
        "|",
        "(",
        '{"a": "it\'s $HOME"}',
        "tab\there",
        "two\nlines",
        "ö",
        "-",
        "--",
        "=",
        "^",
    ],
];

test.each(["sh", "bash"])("%s reads every word as it was", (shell) => {
    const { stdout } = spawnSync(shell, ["-c", `printf '%s\\0' ${shellQuoted(words)}`], { encoding: "utf8" });
    expect(stdout.split("\0").slice(0, -1)).toEqual(words);
});

test("the reader of launch commands reads any words as they were", () => {
    const special = fc.constantFrom(..."'\"\\$`!#*?~ \t\n;&|<>(){}[]=,:a1-");
    // the reader takes the line ends and code fences of a pasted text away first
    const word = fc.oneof(fc.string(), fc.string({ unit: special })).filter((text) => !/\r|```/.test(text));
    fc.assert(
        fc.property(fc.array(word, { minLength: 1 }), (given) => {
            const runs = { origin: "this text", read: () => undefined };
            const { launches, problems } = runShell(`sglang.launch_server ${shellQuoted(given)}`, runs);
            expect(problems).toEqual([]);
            expect(launches.map(({ options }) => options)).toEqual([given]);
        }),
    );
});

test("a word that needs no quotes gets none", () => {
    const plain = "/opt/x:y --tp-size 8 host=127.0.0.1,::1 user@host 50% a+b nvidia/Qwen3.5-397B-A17B-NVFP4";
    expect(shellQuoted(plain.split(" "))).toBe(plain);
});
