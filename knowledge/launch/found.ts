/** What is found in a text: the servers that it starts. */

/** GPUs that a launch says it uses: indices, ids, or how many. */
export type GpusUsed =
    | { readonly indices: readonly number[] }
    | { readonly ids: readonly string[] }
    | { readonly count: number };

/** A command line and what surrounds it. */
export interface Started {
    /** Words of the command, the program first. */
    readonly words: readonly string[];
    readonly environment: Readonly<Record<string, string>>;
    /** Container image, where it runs in one. */
    readonly image?: string | undefined;
    /** GPUs that the container or job is given. */
    readonly gpus?: GpusUsed | undefined;
    /** What is taken for granted or left out. */
    readonly notes: readonly string[];
}

/** One start of a server in a text. */
export interface Launch extends Started {
    /** What is started; absent where the text has flags alone, or an image starts it. */
    readonly program?: "sglang.launch_server" | "sglang serve" | undefined;
    /** Words after the program. */
    readonly options: readonly string[];
    /** Where it stands: a line, a service, a target. */
    readonly place: string;
    /** Conditions under which the script gets there. */
    readonly when: readonly string[];
}

/** What a text says. */
export interface Found {
    readonly launches: readonly Launch[];
    /** What could not be read. */
    readonly problems: readonly string[];
    /** What is taken for granted, with the value where it is one. */
    readonly assumed: readonly { readonly note: string; readonly value?: string | undefined }[];
    /** Files that the text writes itself, by path. */
    readonly files?: ReadonlyMap<string, string>;
    /** What stands in the place of a launch: what is started instead, and what to give. */
    readonly hints: readonly string[];
}

/** Reads a file that a text names; `undefined` where nobody has it. */
export type Companion = (path: string) => string | undefined;
