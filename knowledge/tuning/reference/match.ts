import { compareVersions, isVersion } from "../../base/version.ts";
import type { ServedModel } from "../../rules/model-traits.ts";
import type { Reference } from "./row.ts";
import { references } from "./table.ts";

/** A public figure, and in what it differs from the service at hand. */
export interface NearReference extends Reference {
    /** Each difference in words; none for the same model, cards, release and kind of decoding. */
    readonly differs: readonly string[];
}

/** What a service is compared by. */
export interface Compared {
    readonly model: ServedModel;
    readonly release: string;
    readonly stock: boolean;
    readonly cards: number;
    readonly speculation: boolean;
}

/** Figures that are shown of one model. */
const shown = 3;

/** The nearest public figures of the same model in the same format, nearest first; none where nobody published one. */
export function nearReferences(service: Compared): readonly NearReference[] {
    const { profile, checkpoint } = service.model;
    const formats = checkpoint.formats.experts ?? checkpoint.formats.denseMlp ?? [];
    return references
        .filter((row) => row.profile === profile.id && formats.includes(row.format))
        .map((row) => ({ row, differences: differencesOf(row, service) }))
        .toSorted((a, b) => distance(a.differences) - distance(b.differences))
        .slice(0, shown)
        .map(({ row, differences }) => ({ ...row, differs: differences.map(({ says }) => says) }));
}

interface Difference {
    readonly says: string;
    readonly weight: number;
}

function distance(differences: readonly Difference[]): number {
    return differences.reduce((sum, { weight }) => sum + weight, 0);
}

/** The number of cards tells most, then the engine, then drafts, then the release. */
function differencesOf(row: Reference, { cards, release, stock, speculation }: Compared): Difference[] {
    const found: Difference[] = [];
    if (row.cards !== cards) {
        found.push({ says: `${row.cards} cards, not ${cards}`, weight: 8 * Math.abs(Math.log2(row.cards / cards)) });
    }
    if (row.engine === "vLLM" || (row.engine === "SGLang fork") === stock) {
        found.push({ says: `${row.engine}, not ${stock ? "the published SGLang" : "this build"}`, weight: 4 });
    }
    if (row.speculation !== speculation) {
        found.push({ says: `${row.speculation ? "with" : "without"} speculative decoding`, weight: 3 });
    }
    if (row.engine === "SGLang" && row.version !== release) {
        found.push({ says: `${row.version}, not ${release}`, weight: olderBy(row.version, release) });
    }
    return found;
}

function olderBy(version: string, release: string): number {
    return isVersion(version) && isVersion(release) && compareVersions(version, release) > 0 ? 1 : 2;
}
