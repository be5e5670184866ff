/** A script is worked out as bash does it: the same words and environment reach the server. Bash runs each with stand-ins for `python3` and `sglang`. */
import { spawnSync } from "node:child_process";
import { chmodSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { runShell } from "../../../knowledge/launch/shell/run.ts";

let folder: string;
beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), "launch-"));
    // nothing of the machine is on the PATH but these
    for (const tool of ["bash", "cat", "env", "tee", "grep", "basename", "dirname", "sh"]) {
        symlinkSync(
            spawnSync("sh", ["-c", `command -v ${tool}`], { encoding: "utf8" }).stdout.trim(),
            join(folder, tool),
        );
    }
    const record =
        '#!/bin/bash\nprintf "%s\\0" "$(basename "$0")" "$@" >> "$RECORD"; printf "\\1" >> "$RECORD"; env -0 >> "$RECORD"; printf "\\2" >> "$RECORD"\n';
    for (const name of ["python3", "sglang", "numactl"]) {
        writeFileSync(join(folder, name), record);
        chmodSync(join(folder, name), 0o755);
    }
});
afterAll(() => rmSync(folder, { recursive: true }));

/** What bash starts: words and variables, each start apart. */
function byBash(script: string): { words: string[]; environment: Record<string, string> }[] {
    const file = join(folder, "record");
    writeFileSync(file, "");
    const env = { PATH: folder, RECORD: file };
    spawnSync("/bin/bash", ["--norc", "-c", `${script}\nwait`], {
        env,
        cwd: folder,
        encoding: "utf8",
        timeout: 10_000,
    });
    return readFileSync(file, "utf8")
        .split("\x02")
        .slice(0, -1)
        .map((start) => {
            const [words = "", variables = ""] = start.split("\x01");
            const pairs = variables
                .split("\0")
                .filter(Boolean)
                .map((each) => [each.slice(0, each.indexOf("=")), each.slice(each.indexOf("=") + 1)]);
            return {
                words: words.split("\0").slice(0, -1),
                environment: Object.fromEntries(pairs.filter(([name]) => /^([A-Z]|CUDA_VISIBLE_DEVICES)$/.test(name!))),
            };
        });
}

function here(script: string) {
    const { launches, problems } = runShell(script, { origin: "this text", read: () => undefined });
    expect(problems).toEqual([]);
    return launches.map(({ words, options, environment }) => ({ words: [...words, ...options], environment }));
}

const serve = "python3 -m sglang.launch_server";

describe("the same as bash", () => {
    test.each([
        ["the last assignment counts", `MODEL=a\nMODEL=b\n${serve} --model-path $MODEL`],
        ["a default that is not needed", `MODEL=a\n${serve} --model-path \${MODEL:-b} --port \${PORT:-30000}`],
        ["a default that is assigned", `: "\${TP:=4}"\n${serve} --tp $TP`],
        ["an alternative", `X=1\n${serve} \${X:+--enable-metrics} \${Y:+--skip}`],
        [
            "a list",
            `ARGS=(--model-path a # why\n  --tp 2\n  --json-model-override-args '{"a": 1}')\n${serve} "\${ARGS[@]}"`,
        ],
        [
            "a list that grows",
            `ARGS=(--model-path a)\nARGS+=(--tp 2)\nif true; then ARGS+=(--port 1); fi\n${serve} "\${ARGS[@]}"`,
        ],
        ["an empty list", `EXTRA=()\n${serve} --tp 1 "\${EXTRA[@]}" --port 2`],
        ["entries of lists", `P=(10 20)\n${serve} --port \${P[1]} --tp \${#P[@]} --dp \${P[-1]}`],
        ["keys", `declare -A M=([a]=x [b]=y)\nK=b\n${serve} --model-path \${M[$K]} --port \${#M[@]}`],
        ["words of an unquoted variable", `A="--tp 2 --port 3"\n${serve} $A --x "$A"`],
        ["words that grow", `A="--tp 2"\nA+=" --port 3"\n${serve} $A`],
        ["exports and what is not exported", `A=1\nB=2\nexport B C=3\nD=4 ${serve} --tp $A`],
        ["what is exported later", `A=1\nexport A\nA=2\nunset B\nexport -n C=1\n${serve} --tp 1`],
        ["all is exported", `set -a\nA=1\nset +a\nB=2\n${serve} --tp 1`],
        ["a variable in front of a command that uses it", `A=1\nA=2 ${serve} --tp $A`],
        ["a function that wraps", `run() { CUDA_VISIBLE_DEVICES=$1 "\${@:2}"; }\nrun 0,1 ${serve} --tp 2`],
        [
            "a function with arguments",
            `start() {\n  local port=$1; shift\n  ${serve} --port "$port" "$@"\n}\nstart 7 --tp 2 --x "a b"`,
        ],
        ["a function written the other way", `function go { ${serve} --tp $1 && return 0; ${serve} --tp 9; }\ngo 3`],
        ["a case", `CARD=b\ncase "$CARD" in\n a) M=x;;\n b|c) M=y ;;\n *) M=z\nesac\n${serve} --model-path $M`],
        [
            "a case with a pattern",
            `M=nvidia/Qwen-NVFP4\ncase $M in *FP8*) Q=fp8 ;; *NVFP4*) Q=modelopt_fp4 ;; esac\n${serve} --quantization $Q`,
        ],
        [
            "conditions",
            `N=8\nif [ "$N" -gt 4 ] && [[ $N != 9 ]]; then T=$N; elif [ $N = 4 ]; then T=1; else T=2; fi\n${serve} --tp $T`,
        ],
        ["a condition with a pattern", `M=a-FP8\nif [[ $M == *FP8 && ! -z $M ]]; then E=--x; fi\n${serve} $E`],
        ["a regular expression", `M=Qwen3\n[[ $M =~ ^Qwen[0-9]$ ]] && E=--x || E=--y\n${serve} $E`],
        [
            "arithmetic",
            `N=2\nP=$((30000 + N * 2))\n((N++))\nlet "K = N * 2"\n${serve} --port $P --tp $N --dp $((K - 1)) --pp $(( (N + 1) / 2 ))`,
        ],
        ["a loop", `for i in 0 1 2; do\n  ${serve} --port $((30000 + i)) --base-gpu-id $i\ndone`],
        ["a counted loop", `for ((i = 0; i < 2; i++)); do ${serve} --port $i; done`],
        ["a range", `for i in {1..2}; do ${serve} --port $i; done`],
        ["a while loop", `i=0\nA=\nwhile [ $i -lt 2 ]; do A="$A --x $i"; i=$((i+1)); done\n${serve} $A`],
        [
            "what echo says",
            `NAME=$(true; basename /models/qwen)\n${serve} --served-model-name "$NAME" --dir $(dirname /a/b) --v \`echo 1\``,
        ],
        ["what a function says", `f() { echo "m-$1"; }\n${serve} --model-path "$(f x)"`],
        [
            "edited names",
            `M=/models/Qwen/Qwen3-8B.bin\n${serve} --n \${M##*/} --d \${M%/*} --e \${M%.bin} --f \${M#/} --g \${M//Qwen/q} --h \${M/Qwen/q}`,
        ],
        ["letters and parts", `M=Qwen\n${serve} --a \${M,,} --b \${M^^} --c \${M:1:2} --d \${#M} --e \${M:1}`],
        ["a variable by name", `A=1\nN=A\n${serve} --tp \${!N}`],
        [
            "quotes in quotes",
            `J='{"a": "b c"}'\n${serve} --json "$J" --t '<|x|>' --e "a\\"b" --f a\\ b --g "it's \\$5"`,
        ],
        ["a continued line", `${serve} \\\n  --tp 2 \\\n  --port 1 # why\necho done`],
        ["a word over two lines", `${serve} --served-model-name a\\\nb`],
        ["a subshell keeps to itself", `A=1\n(A=2; export B=3; ${serve} --tp $A)\n${serve} --tp $A`],
        ["a group", `{ A=2; }\n${serve} --tp $A 2>&1 | tee log >/dev/null &`],
        ["an inner shell", `export A=1\nB=2\nbash -c "C=3 ${serve} --tp $B --dp \\$A --x '\\$A'"`],
        ["an inner shell with arguments", `bash -c '${serve} --tp "$1" "\${@:2}"' x 4 --port 2`],
        ["eval", `CMD="${serve} --served-model-name 'a b'"\neval "$CMD --tp 2"`],
        ["a command in a variable", `CMD="${serve} --tp 2"\n$CMD --port 1`],
        ["a command in a list", `CMD=(${serve} --n "a b")\n"\${CMD[@]}" --port 1`],
        ["exec ends the script", `exec ${serve} --tp 1\n${serve} --tp 2`],
        ["exit ends the script", `${serve} --tp 1\nexit 0\n${serve} --tp 2`],
        [
            "false and true",
            `false && ${serve} --tp 1\ntrue || ${serve} --tp 2\nfalse || ${serve} --tp 3\n! false && ${serve} --tp 4`,
        ],
        [
            "a file of variables",
            `cat > env.txt <<'EOF'\nA=1\nB="x y"\nEOF\nset -a; source env.txt; set +a\n${serve} --tp $A --n "$B"`,
        ],
        ["a script from a here-document", `P=5\nbash <<EOF\n${serve} --port $P --x '\\$A'\nEOF`],
        ["a script that it writes", `cat > run.sh <<EOF\n${serve} --port 9 "\\$@"\nEOF\nbash run.sh --tp 2`],
        ["a here-document that goes elsewhere", `cat <<EOF\n${serve} --port 1\nEOF\n${serve} --port 2`],
        ["words about a server", `echo "${serve} --tp 1"\ngrep -c sglang.launch_server /dev/null\n${serve} --tp 2`],
        ["a comment is none inside a word", `${serve} --n a#b --tp 1 # ${serve}`],
        ["a dollar sign alone", `${serve} --n a$ --m '$A' --o "\\$A"`],
        ["sglang serve", `A=1 sglang serve some/model --tp 2`],
        [
            "true as a variable",
            `USE=true\nif $USE; then X=--x; fi\nif [ "$USE" = true ] ; then X="$X --y"; fi\n${serve} $X`,
        ],
        ["printf", `N=$(printf '%s-%s' a b)\n${serve} --n $N`],
    ])("%s", (_, script) => {
        const real = byBash(script);
        expect(real.length).toBeGreaterThan(0);
        expect(here(script)).toEqual(real);
    });

    test("for any words and variables", () => {
        const text = fc.string({ unit: fc.constantFrom(..."ab1 -=/{}[]*?:,.#~!'\"\\$") });
        const quoted = (word: string) => `'${word.replaceAll("'", "'\\''")}'`;
        fc.assert(
            fc.property(fc.array(text, { maxLength: 4 }), text, (words, value) => {
                const script = `V=${quoted(value)}\nL=(${words.map(quoted).join(" ")})\nexport E="$V"\n${serve} "\${L[@]}" "$V" "\${#L[@]}" "\${V/a/b}" "\${V%b*}" "\${V##*a}"`;
                expect(here(script)).toEqual(byBash(script));
            }),
            { numRuns: 40 },
        );
    });
});

test("a bracket that is no function is said not to be understood, and what follows is read on", () => {
    const { launches, problems } = runShell(`start (one)\n${serve} --tp 4`, {
        origin: "this text",
        read: () => undefined,
    });
    expect(JSON.stringify(problems)).toContain('\\"(\\" in line 1 is not understood');
    expect(launches.map(({ options }) => options)).toEqual([["--tp", "4"]]);
});
