import { holdsSecret, isSecretOption, isSecretVariable } from "../../knowledge/base/secrets.ts";
import { at, type Check, listAt, texts } from "../resource.ts";
import { containersOf } from "../workload.ts";

/** No secret in a process list, a manifest or a command's text: those are printed, stored and shown. */
export const noSecretInTheOpen: Check = (resource) => [
    ...containersOf(resource).flatMap(openInContainer),
    ...(resource.type.startsWith("command:") ? openInCommand(resource.props) : []),
];

function openInContainer(container: unknown): string[] {
    const name = String(at(container, "name"));
    const words = [...listAt(container, "command"), ...listAt(container, "args")].map(String);
    const variables = listAt(container, "env").filter((variable) => {
        const value = at(variable, "value");
        return typeof value === "string" && value !== "" && isSecret(String(at(variable, "name")), value);
    });
    return [
        ...variables.map(
            (variable) =>
                `container ${name}: the variable ${at(variable, "name")} holds a secret in clear; use valueFrom.secretKeyRef`,
        ),
        ...(secretInWords(words)
            ? [`container ${name}: its arguments hold a secret in clear, which every process list shows`]
            : []),
    ];
}

function openInCommand(props: Readonly<Record<string, unknown>>): string[] {
    const inText = ["create", "update", "delete"].filter((key) => {
        return secretInWords(knownText(props, key).split(/\s+/));
    });
    const inEnvironment = texts(props.environment).filter(({ path, text }) => isSecret(path, text));
    return [
        ...inText.map((key) => `${key} holds a secret in clear: a failing command prints its text; send it on stdin`),
        ...inEnvironment.map(({ path }) => `environment.${path} holds a secret in clear; send it on stdin`),
    ];
}

function isSecret(name: string, value: string): boolean {
    return isSecretVariable(name) || holdsSecret(value);
}

/** Whether words of a command hold a secret: by its look, or as the value of an option that takes one. A `$NAME` is filled in later. */
function secretInWords(words: readonly string[]): boolean {
    return words.some((word, index) => {
        const [, option = "", value = words[index + 1] ?? ""] = /^--?([A-Za-z][\w-]*)(?:=(.*))?$/s.exec(word) ?? [];
        const given = value !== "" && !value.startsWith("$") && !value.startsWith("-");
        return holdsSecret(word) || (option !== "" && isSecretOption(option) && given);
    });
}

/** A text input; empty where a preview cannot know it yet, which the update checks. */
function knownText(props: Readonly<Record<string, unknown>>, key: string): string {
    try {
        return String(props[key] ?? "");
    } catch {
        return "";
    }
}
