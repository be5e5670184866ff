import type { LinkType } from "../../knowledge/topology/topology.ts";

/** The families of links with their colour (contrast of at least 4.5 with white) and meaning, near to far. */
export const FAMILIES = [
    { code: "NV#", colour: "#1e7145", meaning: "NVLink, # links together" },
    { code: "PIX", colour: "#1f5fa8", meaning: "one PCIe bridge or switch" },
    { code: "PXB", colour: "#6b4fa0", meaning: "several PCIe bridges, no host bridge" },
    { code: "PHB", colour: "#8a6100", meaning: "through one host bridge of the CPU" },
    { code: "NODE", colour: "#b05400", meaning: "between host bridges of one NUMA node" },
    { code: "SYS", colour: "#a83232", meaning: "between NUMA nodes" },
] as const;

/** Colour of a link. */
export function colourOf(type: LinkType): string {
    return FAMILIES.find(({ code }) => code === type)?.colour ?? FAMILIES[0].colour;
}

/** A rectangle of a picture. */
export interface Box {
    readonly x: number;
    readonly y: number;
    readonly width: number;
    readonly height: number;
}

/** Text that is safe inside XML. */
export function xml(text: string): string {
    return text.replace(/&/g, "&amp;").replace(/</g, "&lt;").replace(/>/g, "&gt;").replace(/"/g, "&quot;");
}

/** A rounded rectangle. */
export function rect(box: Box, style: string, radius = 6): string {
    return `<rect x="${box.x}" y="${box.y}" width="${box.width}" height="${box.height}" rx="${radius}" ${style}/>`;
}

/** A line of text. `anchor` defaults to its middle. */
export function label(x: number, y: number, text: string, style: string, anchor = "middle"): string {
    return `<text x="${x}" y="${y}" text-anchor="${anchor}" ${style}>${xml(text)}</text>`;
}

/** A word on a line: a pill with that text, its middle there. */
export function pill(x: number, y: number, text: string, colour: string): string[] {
    const width = textWidth(text, 13) + 20;
    const box = { x: x - width / 2, y: y - 11, width, height: 22 };
    return [
        rect(box, `fill="#ffffff" stroke="${colour}" stroke-width="1.5"`, 11),
        label(x, y + 4, text, `font-size="12" font-weight="600" fill="${colour}"`),
    ];
}

/** A straight line. */
export function line(x1: number, y1: number, x2: number, y2: number, colour: string, width = 3): string {
    return `<line x1="${x1}" y1="${y1}" x2="${x2}" y2="${y2}" stroke="${colour}" stroke-width="${width}" stroke-linecap="round"/>`;
}

/** Width that a text needs at a font size, roughly, on the safe side. */
export function textWidth(text: string, size: number): number {
    return Math.ceil(text.length * size * 0.6);
}
