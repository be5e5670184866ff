import { sentenceOf } from "../../knowledge/fields/field.ts";
import { fallbackOf } from "../../knowledge/fields/plain-type.ts";
import { serviceFieldsSchema } from "../../knowledge/fields/service.ts";
import { fieldsOf, type PlacedField } from "../../knowledge/fields/walk.ts";
import { typescriptType } from "./type-text.ts";

/** The declarations of a service's settings that users of the library see. */

const backends = "./backends.ts";

/** Text of `components/service-settings.ts`. */
export function serviceSettingsText(): string {
    const fields = fieldsOf(serviceFieldsSchema);
    const interfaces = [
        ...fields.flatMap(interfacesOf),
        interfaceText(
            "ServiceSettings",
            "Everything that decides how a server runs; the same on a host and in a pool.",
            fields,
        ),
    ];
    const text = interfaces.join("\n");
    const imported = [...new Set(text.match(/\b\w+(Backend|Dtype)\b(?=;)/g) ?? [])].toSorted();
    return [
        "// Generated from the rows in knowledge/fields by `npm run generate`; do not edit.",
        "",
        `import type {\n${imported.map((name) => `    ${name},\n`).join("")}} from "${backends}";`,
        "",
        text,
    ].join("\n");
}

/** The declaration of a group, after those of the groups in it. */
function interfacesOf({ row, fields }: PlacedField): string[] {
    if (fields.length === 0) {
        return [];
    }
    return [...fields.flatMap(interfacesOf), interfaceText(row!.declared!, `${row!.says}.`, fields)];
}

function interfaceText(name: string, sentence: string, fields: readonly PlacedField[]): string {
    const lines = fields.map(({ path, schema, row, required }) =>
        [
            `    /** ${sentenceOf(row!, fallbackOf(schema))} */`,
            `    ${path.at(-1)}${required ? "" : "?"}: ${typescriptType(schema)};`,
        ].join("\n"),
    );
    return `/** ${sentence} */\nexport interface ${name} {\n${lines.join("\n")}\n}\n`;
}
