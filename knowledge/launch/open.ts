/**
 * Parts of a text that only the place where it runs knows: an output of a command, a variable of somebody's shell. Such a part
 * travels inside the text with its source and the reason, so that whatever is made from it can say what is missing.
 */

const begin = "\uE000";
const because = "\uE001";
const end = "\uE002";
const blank = "\uE003";
const part = new RegExp(`${begin}([^${begin}${end}]*)${because}([^${begin}${end}]*)${end}`, "g");

/** A part that is not known: how it is written, and why. */
export function open(source: string, reason: string): string {
    const kept = (text: string) => shown(text).replaceAll(/\s/g, blank);
    return `${begin}${kept(source)}${because}${kept(reason)}${end}`;
}

/** Whether a part of the text is not known. */
export function isOpen(text: string): boolean {
    return text.includes(begin);
}

/** Why parts are not known, a clause for each. */
export function reasons(text: string): string[] {
    return [...text.matchAll(part)].map((match) => match[2]!.replaceAll(blank, " "));
}

/** The text as it is written, for a message. */
export function shown(text: string): string {
    return text.replaceAll(part, (_, source: string) => source.replaceAll(blank, " "));
}

/** A text without the characters that mark such parts. */
export function withoutMarks(text: string): string {
    return text.replaceAll(/[\uE000-\uE003]/g, "");
}
