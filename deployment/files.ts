import { parse as parseYaml } from "yaml";
import { below, yamlMistake, zodProblems } from "../knowledge/base/problems.ts";
import type { Problem } from "../knowledge/base/settings.ts";
import { type TensorIndex, tensorIndex } from "../knowledge/models/index.ts";
import { type PackedOracle, packedOracle } from "../knowledge/oracle/packed.ts";
import { type HostFacts, hostFactsSchema } from "../knowledge/records/facts.ts";
import { emptyLock, type Lock, lockSchema } from "../knowledge/records/lock.ts";

/** Reads a file named in the stack file; throws when there is none. */
export type FileReader = (path: string) => string;

/** The files that a stack file names. What cannot be read becomes a problem at the path of whoever names it. */
export class Files {
    readonly #read: FileReader;
    readonly #problems: Problem[];

    constructor(read: FileReader, problems: Problem[]) {
        this.#read = read;
        this.#problems = problems;
    }

    /** A file as it is; `undefined` when it cannot be read. */
    text(file: string, path: string): string | undefined {
        try {
            return this.#read(file);
        } catch (error) {
            const { code } = error as NodeJS.ErrnoException;
            const reason = code === "ENOENT" ? "there is no such file" : code;
            this.#problems.push({ path, message: `cannot read ${file}: ${reason}` });
            return undefined;
        }
    }

    /** A document beside a file, under the name that the end of the file's name becomes; `undefined` when there is none. */
    beside(file: string, end: RegExp, name: string): unknown {
        if (!end.test(file)) {
            return undefined;
        }
        try {
            return parseYaml(this.#read(file.replace(end, name)));
        } catch {
            return undefined;
        }
    }

    /** What the index of a checkpoint's files says, where it lies beside its configuration. */
    tensors(config: string): TensorIndex | undefined {
        if (!/config\.json$/.test(config)) {
            return undefined;
        }
        try {
            return tensorIndex(this.#read(config.replace(/config\.json$/, "model.safetensors.index.json")));
        } catch {
            return undefined;
        }
    }

    /** A YAML or JSON document. */
    document(file: string, path: string): unknown {
        const text = this.text(file, path);
        try {
            return text === undefined ? undefined : parseYaml(text);
        } catch (error) {
            const message = `${file} is not YAML or JSON: ${yamlMistake((error as Error).message)}`;
            this.#problems.push({ path, message });
            return undefined;
        }
    }

    /** The recorded facts of a host or of a pool's nodes. */
    facts(file: string, path: string): HostFacts | undefined {
        const document = this.document(file, path);
        const checked = document === undefined ? undefined : hostFactsSchema.safeParse(document);
        if (checked?.success === false) {
            this.#problems.push(...zodProblems(checked.error, hostFactsSchema, `${path} (${file})`));
        }
        return checked?.data;
    }

    /** The oracle of a gate, ready to travel. */
    oracle(file: string, path: string): PackedOracle | undefined {
        const text = this.text(file, path);
        const { found, problems } = text === undefined ? { problems: [] } : packedOracle(file, text);
        this.#problems.push(...below(`${path} (${file})`, problems));
        return found;
    }

    /** The lock file; a wrong one counts as none. */
    lock(text: string | undefined): Lock {
        if (text === undefined) {
            return emptyLock;
        }
        try {
            const result = lockSchema.safeParse(JSON.parse(text));
            if (result.success) {
                return result.data;
            }
            const [first] = zodProblems(result.error, lockSchema);
            this.#problems.push({ path: "lock file", message: `${first!.path} ${first!.message}; run pin again` });
        } catch (error) {
            const message = `is not JSON: ${(error as Error).message}; run pin again`;
            this.#problems.push({ path: "lock file", message });
        }
        return emptyLock;
    }
}
