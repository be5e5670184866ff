import { expect, it } from "vitest";
import { canonicalJson, digestOf } from "../../../knowledge/base/digest.ts";
import { nearest } from "../../../knowledge/base/nearest.ts";

it("the same value is the same text, whatever the order of its keys", () => {
    expect(canonicalJson({ b: [{ d: 1, c: undefined }], a: null })).toBe('{"a":null,"b":[{"d":1}]}');
    expect(digestOf({ x: 1, y: 2 })).toBe(digestOf({ y: 2, x: 1 }));
    expect(digestOf({ x: 1 })).not.toBe(digestOf({ x: "1" }));
});

it("a name that is near is found, one that is far is not guessed", () => {
    expect(nearest("hostkey", ["hostKey", "address"])).toBe("hostKey");
    expect(nearest("xyz", ["hostKey", "address"])).toBeUndefined();
});
