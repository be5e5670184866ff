/**
 * Numbers of a list as Linux and `nvidia-smi` write it (`0-63,128-191`, `3`, `0,2-17`), in order; `undefined` when the text is
 * no such list, or when it does not ascend.
 */
export function parseNumberList(text: string): number[] | undefined {
    if (!/^\d{1,5}(?:-\d{1,5})?(?:,\d{1,5}(?:-\d{1,5})?)*$/.test(text)) {
        return undefined;
    }
    const numbers: number[] = [];
    for (const part of text.split(",")) {
        const [first, last] = part.split("-").map(Number);
        for (let n = first!; n <= (last ?? first!); n++) {
            numbers.push(n);
        }
        if ((last ?? first!) < first!) {
            return undefined;
        }
    }
    const ascending = numbers.every((n, i) => i === 0 || n > numbers[i - 1]!);
    return ascending ? numbers : undefined;
}

/** The shortest list of ranges for the numbers: `[0, 1, 2, 5]` is `0-2,5`. */
export function formatNumberList(numbers: readonly number[]): string {
    const sorted = [...new Set(numbers)].sort((a, b) => a - b);
    const ranges: string[] = [];
    for (let i = 0; i < sorted.length; ) {
        let end = i;
        while (sorted[end + 1] === sorted[end]! + 1) {
            end++;
        }
        ranges.push(end === i ? `${sorted[i]}` : `${sorted[i]}-${sorted[end]}`);
        i = end + 1;
    }
    return ranges.join(",");
}
