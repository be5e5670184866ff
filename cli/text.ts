/** Columns of text for people. */
const width = 110;

/** A heading with a line below it; level 1 stands out more. */
export function heading(text: string, level: 1 | 2 = 2): string {
    return `${text}\n${(level === 1 ? "=" : "-").repeat(Math.min(text.length, width))}\n`;
}

/** Rows in aligned columns, indented by two. */
export function table(rows: readonly (readonly string[])[]): string {
    const columns = Math.max(0, ...rows.map((row) => row.length));
    const widths = Array.from({ length: columns }, (_, column) =>
        Math.max(...rows.map((row) => (row[column] ?? "").length)),
    );
    return rows
        .map((row) => `  ${row.map((cell, column) => cell.padEnd(widths[column]!)).join("  ")}`.trimEnd())
        .map((line) => `${line}\n`)
        .join("");
}

/** Text in lines of at most {@link width} columns, each indented. */
export function wrap(text: string, indent: number): string {
    const lines: string[] = [];
    let line = "";
    for (const word of text.split(/\s+/).filter(Boolean)) {
        if (line !== "" && indent + line.length + 1 + word.length > width) {
            lines.push(line);
            line = "";
        }
        line = line === "" ? word : `${line} ${word}`;
    }
    lines.push(line);
    return lines.map((each) => `${" ".repeat(indent)}${each}\n`).join("");
}

/** Breaks the lines that are too long; what follows stands below the second column of its line. */
export function fold(text: string): string {
    return text.replace(new RegExp(`^.{${width + 1},}$`, "gm"), (line) => {
        const [columns = ""] = /^ *\S+(?: \S+)* {2,}/.exec(line) ?? [];
        return columns + wrap(line.slice(columns.length), columns.length).trim();
    });
}

/** Bytes as people read them. */
export function size(bytes: number): string {
    return bytes < 1e8 ? `${(bytes / 1e6).toFixed(1)} MB` : `${(bytes / 1e9).toFixed(1)} GB`;
}

/** A number with its thousands apart. */
export function grouped(value: number): string {
    const [whole = "", part] = String(value).split(".");
    const spaced = whole.replace(/\B(?=(\d{3})+$)/g, ",");
    return part === undefined ? spaced : `${spaced}.${part}`;
}

/** A share of a whole as a bar of at most `columns` columns. */
export function bar(share: number, columns: number): string {
    return "█".repeat(Math.round(Math.max(0, Math.min(1, share)) * columns));
}
