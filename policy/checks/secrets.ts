import { at, type Check, listAt, texts } from "../resource.ts";
import { containersOf } from "../workload.ts";

/** Names of variables that hold a secret. */
const secretName = /(^|_)(TOKEN|API_KEY|PASSWORD|SECRET|SECRET_KEY|ACCESS_KEY)$/;

/** Options of SGLang that take a secret (`server_args.py`). */
const secretOption = /--(?:admin-)?api-key(?:=|\s+)(?!\$)\S+/;

/** Texts that are tokens by their form: of the model hub, and keys in the style of OpenAI. */
const tokenForm = /\b(hf_[A-Za-z0-9]{20,}|sk-[A-Za-z0-9_-]{20,})\b/;

/** No secret in a process list, a manifest or a command's text: those are printed, stored and shown. */
export const noSecretInTheOpen: Check = (resource) => [
    ...containersOf(resource).flatMap(openInContainer),
    ...(resource.type.startsWith("command:") ? openInCommand(resource.props) : []),
];

function openInContainer(container: unknown): string[] {
    const name = String(at(container, "name"));
    const words = [...listAt(container, "command"), ...listAt(container, "args")].join(" ");
    const variables = listAt(container, "env").filter((variable) => {
        const value = at(variable, "value");
        return typeof value === "string" && value !== "" && isSecret(String(at(variable, "name")), value);
    });
    return [
        ...variables.map(
            (variable) =>
                `container ${name}: the variable ${at(variable, "name")} holds a secret in clear; use valueFrom.secretKeyRef`,
        ),
        ...(secretOption.test(words) || tokenForm.test(words)
            ? [`container ${name}: its arguments hold a secret in clear, which every process list shows`]
            : []),
    ];
}

function openInCommand(props: Readonly<Record<string, unknown>>): string[] {
    const inText = ["create", "update", "delete"].filter((key) => {
        const text = String(props[key] ?? "");
        return secretOption.test(text) || tokenForm.test(text);
    });
    const inEnvironment = texts(props.environment).filter(({ path, text }) => isSecret(path, text));
    return [
        ...inText.map((key) => `${key} holds a secret in clear: a failing command prints its text; send it on stdin`),
        ...inEnvironment.map(({ path }) => `environment.${path} holds a secret in clear; send it on stdin`),
    ];
}

function isSecret(name: string, value: string): boolean {
    return secretName.test(name) || tokenForm.test(value);
}
