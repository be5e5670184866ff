/** Writes the agent's side of the contract from its schemas. The unit tier fails while a file is of other schemas. */
import { writeFileSync } from "node:fs";
import { contractFiles } from "./contract-files.ts";

for (const { path, text } of contractFiles()) {
    writeFileSync(path, text);
}
