import { expect, it } from "vitest";
import { didYouMean, nearest } from "../../../knowledge/base/nearest.ts";

const known = ["hostKey", "address", "port", "user"];

it.each([
    ["hostkey", "hostKey"],
    ["adress", "address"],
    ["prot", "port"],
    ["pört", "port"],
    ["addresses", "address"],
    ["xyz", undefined],
    ["", undefined],
    ["po", undefined],
    ["timetable", undefined],
])("%s is meant as %s", (text, meant) => {
    expect(nearest(text, known)).toBe(meant);
});

it("the first of those that are equally near is meant, and nobody asks for what there is not", () => {
    expect(nearest("node3", ["node1", "node2"])).toBe("node1");
    expect(nearest("node3", [])).toBeUndefined();
    expect(didYouMean("prot", known)).toBe('; did you mean "port"?');
    expect(didYouMean("timetable", known)).toBe("");
});
