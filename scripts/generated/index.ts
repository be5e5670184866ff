import { tuningMarkdown } from "../../knowledge/tuning/render.ts";
import { catalogueFolder, catalogueIndex } from "./catalogue-index.ts";
import { serviceSettingsText } from "./service-settings.ts";
import { editorSchema, stackFilePage } from "./stack-file.ts";

/** Every file that is made from what the project knows: its path, and its text. */
export const generated: Readonly<Record<string, () => string>> = {
    "components/service-settings.ts": serviceSettingsText,
    [`${catalogueFolder}/index.ts`]: catalogueIndex,
    "docs/tuning.md": tuningMarkdown,
    "docs/stack-file.md": stackFilePage,
    "docs/stack-file.schema.json": editorSchema,
};
