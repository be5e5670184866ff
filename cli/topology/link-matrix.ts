import type { Topology } from "../../knowledge/topology/topology.ts";
import { linkOf } from "../../knowledge/topology/topology-groups.ts";
import { colourOf, FAMILIES, label, rect, textWidth } from "./shapes.ts";

const CELL = { width: 46, height: 24 };

/** The matrix of links as coloured cells, from a point to the right and down. */
export function drawMatrix(topology: Topology, x: number, y: number) {
    const names = [...topology.gpus.map((gpu) => gpu.name), ...topology.nics.map((nic) => nic.name)];
    const parts: string[] = [];
    const turn = names.some((name) => name.length > 5);
    const head = Math.max(...names.map((name) => textWidth(name, 12))) + 16;
    const top = turn ? y + head * 0.8 : y + CELL.height;
    for (const [i, name] of names.entries()) {
        const column = x + head + i * CELL.width + CELL.width / 2;
        const turned = turn ? ` transform="rotate(-50 ${column} ${top - 8})"` : "";
        parts.push(label(column, top - 8, name, `font-size="12" fill="#243b53"${turned}`, turn ? "start" : "middle"));
        parts.push(label(x + head - 8, top + i * CELL.height + 16, name, 'font-size="12" fill="#243b53"', "end"));
        for (const [j, other] of names.entries()) {
            const box = {
                x: x + head + j * CELL.width + 1,
                y: top + i * CELL.height + 1,
                width: CELL.width - 2,
                height: CELL.height - 2,
            };
            const type = i === j ? undefined : linkOf(topology, name, other);
            parts.push(rect(box, `fill="${type ? colourOf(type) : "#e4e7eb"}"`, 3));
            if (type) {
                parts.push(label(box.x + box.width / 2, box.y + 15, type, 'font-size="11" fill="#ffffff"'));
            }
        }
    }
    return { parts, right: x + head + names.length * CELL.width, bottom: top + names.length * CELL.height };
}

/** The meaning of the colours, one line each. */
export function drawLegend(x: number, y: number) {
    const parts = FAMILIES.flatMap(({ code, colour, meaning }, i) => {
        const top = y + i * 26;
        return [
            rect({ x, y: top, width: 46, height: 20 }, `fill="${colour}"`, 3),
            label(x + 23, top + 14, code, 'font-size="11" fill="#ffffff"'),
            label(x + 56, top + 15, meaning, 'font-size="12" fill="#323f4b"', "start"),
        ];
    });
    return { parts, right: x + 310, bottom: y + FAMILIES.length * 26 };
}
