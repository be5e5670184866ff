/** Writes `docs/rules.md` from the rule table. */
import { mkdirSync, writeFileSync } from "node:fs";
import { rulesMarkdown } from "../knowledge/rules/render.ts";

const docs = new URL("../docs/", import.meta.url);
mkdirSync(docs, { recursive: true });
writeFileSync(new URL("rules.md", docs), rulesMarkdown());
