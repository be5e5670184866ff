/** The option of the verbs that also print one document for programs. */
export const jsonOption = ["--json", "print one JSON document, for programs"] as const;

/** See {@link jsonOption}. */
export interface JsonOption {
    readonly json?: boolean;
}
