/** Chooses one of several. */
export type Pick = <T>(choices: readonly T[]) => T;

/** Mulberry32: the same choices for the same seed. */
export function picker(seed: number): Pick {
    let state = seed;
    return (choices) => {
        state = (state + 0x6d2b79f5) | 0;
        let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
        mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
        return choices[((mixed ^ (mixed >>> 14)) >>> 0) % choices.length]!;
    };
}
