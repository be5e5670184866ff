/** Which names stand for a secret. Values under such a name are refused where they would be written in clear, and never printed. */

const variable =
    /(^|_)(token|api_?key|access_?key|private_?key|secret|secret_?key|password|passwd|passphrase|credentials?)$/i;
const option = /(^|[-_])(api[-_]?key|password)$/i;

/** Whether an environment variable holds a secret, by its name: `HF_TOKEN`, `OPENAI_API_KEY`, `DB_PASSWORD`. */
export function isSecretVariable(name: string): boolean {
    return variable.test(name);
}

/** Whether an option of the server takes a secret, by its name in any spelling: `api-key`, `--admin_api_key`, `apiKey`. */
export function isSecretOption(name: string): boolean {
    return option.test(name);
}

/** What to do with a secret instead. */
export const secretAdvice =
    "is a secret, which is never written in clear: take it out here, and give a hub token as the model's `token`, " +
    "the key of the API as the service's `apiKey`, each by reference such as { config: NAME }";
