import { join } from "node:path";
import { packageRoot } from "../knowledge/base/package-root.ts";
import { agentContract } from "../knowledge/contract/json-schema.ts";
import { pythonTypes } from "./python-types.ts";

/** Path and text of the files that are made from the contract. */
export function contractFiles(): readonly { readonly path: string; readonly text: string }[] {
    const contract = agentContract();
    const { documents, answers, ...rest } = contract;
    const lines = (schemas: object) =>
        Object.entries(schemas).map(([name, schema]) => `${JSON.stringify(name)}: ${JSON.stringify(schema)}`);
    const text = `{${JSON.stringify(rest).slice(1, -1)},
"documents": {
${lines(documents).join(",\n")}
},
"answers": {
${lines(answers).join(",\n")}
}}
`;
    const folder = join(packageRoot, "agent", "sglang_agent");
    return [
        { path: join(folder, "contract.json"), text },
        { path: join(folder, "documents.py"), text: pythonTypes(contract) },
    ];
}
