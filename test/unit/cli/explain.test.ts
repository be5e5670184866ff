/** What `explain`, `models` and `patches` know: everything that a stack file, a launch or a plan can name. */
import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { explained } from "../../../cli/explain.ts";
import { deploymentSchema } from "../../../deployment/schema.ts";
import { patchSet, patchSets } from "../../../knowledge/artifacts/patches.ts";
import { packageRoot } from "../../../knowledge/base/package-root.ts";
import { allFields, fieldsOf } from "../../../knowledge/fields/walk.ts";
import { profiles } from "../../../knowledge/models/index.ts";
import { ruleIds } from "../../../knowledge/rules/index.ts";
import { newestRelease, release } from "../../../knowledge/sglang/index.ts";

const rowsOf = (name: string, kind: string) =>
    Object.fromEntries(explained(name).find((one) => one.kind === kind)?.rows ?? []);

describe("everything is explained", () => {
    test("each field has a type, and a unit, a default and a setting where it has them", () => {
        for (const { path, row, fields } of allFields(fieldsOf(deploymentSchema))) {
            const name = path.join(".");
            const [found] = explained(name).filter((one) => one.kind === "field");
            expect(found?.name, name).toBe(name);
            const rows = rowsOf(name, "field");
            expect(rows.type, name).toMatch(/\w/);
            expect(rows.unit, name).toBe(row?.unit);
            expect(rows.default !== undefined || fields.length > 0 || row?.examples, name).toBeTruthy();
            expect(rows.decides?.split(",")[0], name).toBe(row?.decides?.setting);
        }
    });

    test("each option of a release by any of its names, with what it takes", () => {
        for (const { names } of release(newestRelease()).options) {
            for (const name of names.filter((one) => one.startsWith("--"))) {
                expect(rowsOf(name, "setting").takes, name).toMatch(/text|number|JSON|switch/);
            }
        }
    });

    test("each rule, with its sources or how it is overridden", () => {
        for (const id of ruleIds) {
            const rows = rowsOf(id, "rule");
            expect(rows.sources ?? rows.override, id).toMatch(/\w/);
        }
    });

    test("the end of a path, an abbreviation and an option of another release do", () => {
        expect(explained("dtype").map(({ name }) => name)).toContain("services.*.kvCache.dtype");
        expect(explained("--tp").map(({ name }) => name)).toEqual(["tp-size"]);
        expect(rowsOf("nsa-decode-backend", "setting").until).toBe("0.5.19");
        expect(rowsOf("kvCache.dtype", "field")["one of"]).toContain("fp8_e4m3");
    });

    test.each([
        ["kvcahe", "kvCache"],
        ["fp4-cudn-nan", "fp4-cudnn-nan"],
        ["mem-fraction-sttic", "mem-fraction-static"],
    ])("of %s it asks for %s", (name, meant) => {
        expect(() => explained(name)).toThrow(`did you mean "${meant}"?`);
    });
});

describe("on the command line", () => {
    const sglang = (...words: string[]) =>
        spawnSync(process.execPath, [join(packageRoot, "cli/main.ts"), ...words], { encoding: "utf8" });

    test("models and patches list all that there are", () => {
        const models = sglang("models").stdout;
        for (const { id, checkpoints } of profiles()) {
            expect(models).toContain(`${id}\n---`);
            expect(models).toContain(checkpoints[0]!.repository);
        }
        const patches = sglang("patches").stdout;
        for (const name of patchSets()) {
            expect(patches).toContain(`SGLang ${name}\n---`);
            expect(patches).toContain(patchSet(name).patches[0]!.purpose.slice(0, 40));
        }
    });

    test.each([
        [["models", "gpt-oss-120"], /did you mean "gpt-oss-120b"\?/],
        [["patches", "0.5.22"], /has none; there are some for .*0\.5\.23/],
        [["explain", "nothng"], /is no field, setting, rule or tuning row/],
    ])("%j ends with 2 and says what there is", (words, message) => {
        const { status, stderr } = sglang(...words);
        expect(status).toBe(2);
        expect(stderr).toMatch(message);
    });

    test("explain takes an option with its dashes, and prints JSON", () => {
        const { status, stdout } = sglang("explain", "--tp-size", "--json");
        expect(status).toBe(0);
        expect(JSON.parse(stdout)[0]).toMatchObject({ kind: "setting", name: "tp-size" });
    });
});
