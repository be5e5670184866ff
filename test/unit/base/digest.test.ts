import { expect, it } from "vitest";
import { canonicalJson, digestOf } from "../../../knowledge/base/digest.ts";

it("the same value is the same text, whatever the order of its keys", () => {
    expect(canonicalJson({ b: [{ d: 1, c: undefined }], a: null })).toBe('{"a":null,"b":[{"d":1}]}');
    expect(digestOf({ x: 1, y: 2 })).toBe(digestOf({ y: 2, x: 1 }));
    expect(digestOf({ x: 1 })).not.toBe(digestOf({ x: "1" }));
});
