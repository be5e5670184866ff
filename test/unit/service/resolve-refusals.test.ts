import { describe, expect, it } from "vitest";
import { resolve } from "../../../knowledge/service/resolve.ts";
import { prevents } from "./prevented.ts";
import { fixture, serviceSpec } from "./service-spec.ts";

/** A launch that a release's own argument resolution refused for eight faked SM120 cards, with Transformers 5.12.1. */
interface Row {
    readonly version: string;
    readonly model: string;
    readonly tag: string;
    readonly flags: string;
    readonly error: string;
}

const rows = JSON.parse(fixture("resolve-refusals.json")) as Row[];

describe("what further releases refuse for further models, the plan refuses or corrects first", () => {
    it.each([...new Set(rows.map(({ version }) => version))])("%s", (version) => {
        for (const row of rows.filter((one) => one.version === version)) {
            const service = resolve(
                serviceSpec({
                    release: version,
                    versions: { transformers: "5.12.1" },
                    model: {
                        repository: `someone/${row.model}`,
                        config: JSON.parse(fixture(`model-configs/${row.model}.json`)),
                    },
                    fields: { launch: `sglang serve --model-path someone/${row.model} ${row.flags}` },
                }),
            );
            expect(prevents(service, row.error), `${row.model} ${row.tag} (${row.flags}): ${row.error}`).toBe(true);
        }
    });
});
