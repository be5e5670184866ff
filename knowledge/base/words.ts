import { z } from "zod";

/** A text of a pattern, and the plain words for it that an error message gives after "expected". */
function text(pattern: RegExp, expected: string) {
    return z.string().regex(pattern, `must be ${expected}`).meta({ expected });
}

// Both sides match these from the first to the last character: each begins with ^ and ends with $.

export const word = text(/^[\s\S]+$/, "a text that is not empty");
export const oneLine = text(/^[^\0\n]*$/, "a text on one line");
export const slot = text(
    /^[a-z0-9]([a-z0-9-]{0,48}[a-z0-9])?$/,
    "a name of lower-case letters, digits and dashes (at most 50)",
);
export const owner = text(/^[^/\s]+\/[^/\s]+(\/[^/\s]+)?$/, "<project>/<stack>");
export const digest = text(/^[0-9a-z][0-9a-z._-]{3,127}$/, "a digest");
export const absolute = text(/^\/(?!.*(^|\/)\.\.(\/|$))[^\0\n]*$/, "an absolute path without ..");
export const relative = text(/^(?!\/)(?!.*(^|\/)\.\.(\/|$))[^\0\n]+$/, "a relative path without ..");
export const sha256 = text(/^[0-9a-f]{64}$/, "a sha256 of 64 hexadecimal digits");
export const sha1 = text(/^[0-9a-f]{40}$/, "40 hexadecimal digits");
export const packageHash = text(/^sha256:[0-9a-f]{64}$/, "sha256:<64 hexadecimal digits>");
export const account = text(/^[a-z_][a-z0-9_-]{0,30}$/, "a user name");
export const python = text(/^(3\.[0-9]+|\/[\s\S]+)$/, "a Python version such as 3.11, or an absolute path");
export const anyPython = text(
    /^(3(\.[0-9]+)?|\/[\s\S]+)$/,
    "a Python version such as 3.11, 3 for any, or an absolute path",
);
export const httpAddress = text(/^https?:\/\/[^\s]+$/, "an http(s) address");
export const repository = text(/^[A-Za-z0-9_.-]+\/[A-Za-z0-9_.-]+$/, "<owner>/<name>");
export const unit = text(
    /^(?=([\s\S]*\n)?\[Service\]\n)(?=([\s\S]*\n)?ExecStart=)[\s\S]*$/,
    "the text of a unit with [Service] and ExecStart=",
);
export const release = text(/^[0-9][0-9A-Za-z.+!-]*$/, "a release");
export const requirement = text(/^sglang==[0-9][0-9A-Za-z.+!-]*$/, "sglang==<version>");
export const version = text(/^[0-9][0-9a-z.]*$/, "a version");

/** Bytes, seconds or a count. */
export const natural = z.int().min(0);
export const positive = z.int().min(1);

/** Environment variables by name. */
export const environment = z.record(z.string().regex(/^[A-Za-z_][A-Za-z0-9_]*$/), oneLine);

/** A service's arguments in the release's spelling, without dashes. */
export const serverArguments = z.record(
    z.string().regex(/^[a-z0-9][a-z0-9-]*$/),
    z
        .union([z.string(), z.number(), z.boolean(), z.array(z.union([z.string(), z.number()]))])
        .meta({ expected: "a text, a number, true or false, or a list of texts and numbers" }),
);
