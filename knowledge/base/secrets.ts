/** What is a secret, by its name or by its look. Such a value is refused where it would be written in clear, and never printed. */

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

/** Tokens of the hub, of API services and of code hosts, and a user name or password inside a web address. */
const value =
    /(?<![A-Za-z0-9])(hf_[A-Za-z0-9]{20,}|sk-[A-Za-z0-9_-]{20,}|gh[pousr]_[A-Za-z0-9]{20,})|(?<=https?:\/\/)[^/\s@]+(?=@)/g;

/** Whether a text holds a secret, by its look. */
export function holdsSecret(text: string): boolean {
    return text.search(value) !== -1;
}

/** A text for a message, its secrets replaced. */
export function withoutSecrets(text: string): string {
    return text.replaceAll(value, "(secret)");
}

/** What to do with a secret instead. */
export const secretAdvice =
    "is a secret, which is never written in clear: take it out here, and give a hub token as the model's `token`, " +
    "the key of the API as the service's `apiKey`, each by reference such as { config: NAME }";
