/** The value of whole-number arithmetic; `undefined` for what is not understood, such as an assignment. Names are looked up by `value`. */
export function arithmetic(text: string, value: (name: string) => string | undefined): number | undefined {
    const tokens = text.match(/\d+|[A-Za-z_]\w*|&&|\|\||[<>=!]=|[-+*/%()<>!]|\S/g) ?? [];
    let at = 0;
    const levels: Readonly<Record<string, (a: number, b: number) => number>>[] = [
        { "||": (a, b) => Number(a !== 0 || b !== 0) },
        { "&&": (a, b) => Number(a !== 0 && b !== 0) },
        { "==": (a, b) => Number(a === b), "!=": (a, b) => Number(a !== b) },
        {
            "<": (a, b) => Number(a < b),
            ">": (a, b) => Number(a > b),
            "<=": (a, b) => Number(a <= b),
            ">=": (a, b) => Number(a >= b),
        },
        { "+": (a, b) => a + b, "-": (a, b) => a - b },
        { "*": (a, b) => a * b, "/": (a, b) => Math.trunc(a / b), "%": (a, b) => a % b },
    ];
    const read = (level: number): number => {
        const operators = levels[level];
        if (operators === undefined) {
            return single();
        }
        let left = read(level + 1);
        while (Object.hasOwn(operators, tokens[at] ?? "")) {
            left = operators[tokens[at++]!]!(left, read(level + 1));
        }
        return left;
    };
    const single = (): number => {
        const token = tokens[at++] ?? "";
        if (token === "-" || token === "!" || token === "+") {
            const of = single();
            return token === "-" ? -of : token === "!" ? Number(of === 0) : of;
        }
        if (token === "(") {
            const found = read(0);
            return tokens[at++] === ")" ? found : Number.NaN;
        }
        const text = /^[A-Za-z_]/.test(token) ? (value(token) ?? "?") : token;
        return /^-?\d+$/.test(text) ? Number(text) : text === "" ? 0 : Number.NaN;
    };
    const result = tokens.length === 0 || tokens.length > 200 ? Number.NaN : read(0);
    return at === tokens.length && Number.isInteger(result) ? result : undefined;
}
