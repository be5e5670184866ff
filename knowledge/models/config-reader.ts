/** Reads fields of a model configuration and remembers every one that is missing, so that one error can name them all. */

type Fields = Readonly<Record<string, unknown>>;

/** A configuration that cannot be planned: names every field that is missing or not understood. */
export class ModelConfigError extends Error {
    /** One sentence per field. */
    readonly problems: readonly string[];

    constructor(repository: string, problems: readonly string[]) {
        super(
            `The configuration of ${repository} cannot be planned: ${problems.join("; ")}. ` +
                "Complete config.json, or name a profile with `model.profile`.",
        );
        this.name = "ModelConfigError";
        this.problems = problems;
    }
}

function isFields(value: unknown): value is Fields {
    return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** Fields of one configuration. The text model's own come first, then the outer ones. */
export class ConfigReader {
    private readonly outer: Fields;
    private readonly text: Fields;
    private readonly problems: string[] = [];

    constructor(config: unknown) {
        this.outer = isFields(config) ? config : {};
        if (!isFields(config)) {
            this.problems.push("config.json is not an object");
        }
        const nested = ["text_config", "llm_config", "language_config"].map((key) => this.outer[key]).find(isFields);
        this.text = nested ?? this.outer;
    }

    /** Value of the first of these names that is set, in the text model or outside; undefined when none is. */
    value(...names: string[]): unknown {
        for (const name of names) {
            const found = this.text[name] ?? this.outer[name];
            if (found !== undefined && found !== null) {
                return found;
            }
        }
        return undefined;
    }

    /** A number, or the fallback when none of the names is set. */
    optional(names: string | readonly string[], fallback: number): number {
        const value = this.value(...[names].flat());
        return typeof value === "number" ? value : fallback;
    }

    /** A number that must be there. Notes a problem and returns 0 when it is not. */
    required(names: string | readonly string[]): number {
        const list = [names].flat();
        const value = this.value(...list);
        if (typeof value === "number" && Number.isFinite(value) && value >= 0) {
            return value;
        }
        this.problem(`${list.join(" or ")} is ${value === undefined ? "missing" : "not a number"}`);
        return 0;
    }

    /** A list of texts, when it is one. */
    texts(name: string): readonly string[] | undefined {
        const value = this.value(name);
        return Array.isArray(value) && value.every((v) => typeof v === "string") ? value : undefined;
    }

    /** An object of the outer configuration. */
    object(name: string): Fields | undefined {
        const value = this.outer[name] ?? this.text[name];
        return isFields(value) ? value : undefined;
    }

    /** First architecture class. */
    architecture(): string {
        const list = this.outer.architectures;
        if (Array.isArray(list) && typeof list[0] === "string") {
            return list[0];
        }
        this.problem("architectures is missing");
        return "";
    }

    /** `model_type` of the whole model. */
    modelType(): string {
        return String(this.outer.model_type ?? this.text.model_type ?? "");
    }

    /** Whether the checkpoint brings its own Python. */
    hasRemoteCode(): boolean {
        return isFields(this.outer.auto_map);
    }

    /** Notes a problem. */
    problem(sentence: string): void {
        this.problems.push(sentence);
    }

    /** Throws one {@link ModelConfigError} when there was a problem. */
    finish(repository: string): void {
        if (this.problems.length > 0) {
            throw new ModelConfigError(repository, this.problems);
        }
    }
}
