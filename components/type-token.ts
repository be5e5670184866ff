/** Type token of a component, `sglang:index:<name>`: part of every URN, so it never changes. */
export function typeToken(component: string): string {
    return `sglang:index:${component}`;
}
