/** Asks the argument parser of real SGLang wheels. Needs Python 3.11 or newer with pip, and the package index for wheels that are not cached yet. */

import { runParser, wheelPackage } from "../../scripts/read-wheel.ts";

/** What a release's parser says of one command line. */
export interface ParserVerdict {
    /** It starts the server with this. */
    readonly ok: boolean;
    /** Every argument that it refuses, with its own words. */
    readonly problems: readonly { readonly argument: string | null; readonly message: string }[];
}

/** Verdicts of a release's own parser, abbreviations off, on many command lines at once (about 1 s a call, whatever their number). */
export function checkArguments(version: string, argvs: readonly (readonly string[])[]): ParserVerdict[] {
    return runParser<ParserVerdict[]>("check", wheelPackage(version), JSON.stringify(argvs));
}
