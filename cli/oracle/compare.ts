import { type Command, InvalidArgumentError } from "commander";
import { ProblemsError } from "../../knowledge/base/problems.ts";
import { compare, differentPrompts, gaps } from "../../knowledge/oracle/compare.ts";
import { readOracle } from "../../knowledge/oracle/read.ts";
import { reportOf } from "../../knowledge/oracle/report.ts";
import type { Oracle } from "../../knowledge/records/oracle.ts";
import { ending } from "../arguments.ts";
import { type JsonOption, jsonOption } from "../json-option.ts";
import { fileText } from "./file-text.ts";

interface CompareOptions extends JsonOption {
    readonly tolerance: number;
}

/** Declares `oracle compare`. */
export function declareCompare(verb: Command): void {
    verb.command("compare")
        .description("whether two recordings are of servers that compute the same; exit 1 when not")
        .argument("<REFERENCE>", "oracle file, or recording of /generate, of a server that is trusted")
        .argument("<OTHER>", "the same of the server in question")
        .option("--tolerance <FACTOR>", "factor of every limit", factor, 1)
        .option(...jsonOption)
        .action(ending(runCompare));
}

/** `oracle compare REFERENCE OTHER`: exit 0 for yes, 1 for no, 2 for files that cannot be compared. */
function runCompare(referenceFile: string, otherFile: string, values: CompareOptions): number {
    const reference = read(referenceFile);
    const other = read(otherFile);
    const unusable = gaps(reference);
    if (unusable.length > 0) {
        throw new ProblemsError(`${referenceFile} cannot be a reference:`, unusable);
    }
    const different = differentPrompts(reference, other);
    if (different.length > 0) {
        throw new ProblemsError(`${referenceFile} and ${otherFile} cannot be compared:`, different);
    }
    const found = compare(reference, other, values.tolerance);
    process.stdout.write(values.json ? `${JSON.stringify(found, null, 4)}\n` : reportOf(found));
    return found.verdict === "yes" ? 0 : 1;
}

function read(file: string): Oracle {
    return readOracle(file, fileText("An oracle cannot be read:", file));
}

function factor(text: string): number {
    const value = Number(text);
    if (!(value > 0) || !Number.isFinite(value)) {
        throw new InvalidArgumentError("It is a number above 0.");
    }
    return value;
}
