// Plots as drawings of their own: panels below each other, axes with numbers, a line for each quantity.
import { showNumber } from "../panels/units";
import { showTime, ticks } from "../timeline/ticks";

export interface Panel {
    title: string;
    unit: string;
    x: { label: string; values: number[] };
    lines: { name: string; color: string; values: (number | null)[] }[];
}

const escaped = (text: string) => text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;").replaceAll('"', "&quot;");
const kWidth = 860;
const kHeight = 230;
const kLeft = 74;
const kTop = 34;
const kBottom = 36;

function range(values: (number | null)[]): [number, number] {
    const known = values.filter((v): v is number => v !== null && Number.isFinite(v));
    const low = known.reduce((a, b) => Math.min(a, b), Infinity);
    const high = known.reduce((a, b) => Math.max(a, b), -Infinity);
    if (low > high) return [0, 1];
    const pad = high > low ? 0.05 * (high - low) : Math.abs(high) * 0.05 || 1;
    return [low - pad, high + pad];
}

// Multiples of a round step within a range.
function marks(low: number, high: number, room: number, px: number): { at: number; text: string }[] {
    const steps = ticks(high - low, px, room);
    const step = (steps[1] ?? high - low) - (steps[0] ?? 0);
    const list: { at: number; text: string }[] = [];
    for (let k = Math.ceil(low / step); k * step <= high; ++k) list.push({ at: k * step, text: step >= 1e-6 && Math.abs(high) < 1e6 ? showTime(k * step, step) : showNumber(k * step) });
    return list;
}

function panelSvg(panel: Panel, top: number): string {
    const all = panel.lines.flatMap((line) => line.values);
    const [x0, x1] = range(panel.x.values);
    const [y0, y1] = range(all);
    const [w, h] = [kWidth - kLeft - 16, kHeight - kTop - kBottom];
    const px = (v: number) => kLeft + ((v - x0) / (x1 - x0)) * w;
    const py = (v: number) => top + kTop + h - ((v - y0) / (y1 - y0)) * h;
    const out: string[] = [];
    out.push(`<text x="${kLeft}" y="${top + 20}" font-weight="600">${escaped(panel.title)}${panel.unit ? ` (${escaped(panel.unit)})` : ""}</text>`);
    for (const m of marks(y0, y1, 34, h)) out.push(`<line x1="${kLeft}" x2="${kLeft + w}" y1="${py(m.at).toFixed(1)}" y2="${py(m.at).toFixed(1)}" stroke="#ddd"/><text x="${kLeft - 7}" y="${(py(m.at) + 4).toFixed(1)}" text-anchor="end" font-size="11">${m.text}</text>`);
    for (const m of marks(x0, x1, 90, w)) out.push(`<line x1="${px(m.at).toFixed(1)}" x2="${px(m.at).toFixed(1)}" y1="${top + kTop}" y2="${top + kTop + h}" stroke="#eee"/><text x="${px(m.at).toFixed(1)}" y="${top + kTop + h + 16}" text-anchor="middle" font-size="11">${m.text}</text>`);
    out.push(`<text x="${kLeft + w}" y="${top + kTop + h + 31}" text-anchor="end" font-size="11">${escaped(panel.x.label)}</text>`);
    panel.lines.forEach((line, n) => {
        let d = "";
        let isOn = false;
        line.values.forEach((v, k) => {
            const x = panel.x.values[k];
            if (v === null || x === undefined) return void (isOn = false);
            d += `${isOn ? "L" : "M"}${px(x).toFixed(1)} ${py(v).toFixed(1)}`;
            isOn = true;
        });
        out.push(`<path d="${d}" fill="none" stroke="${line.color}" stroke-width="1.6"/>`);
        out.push(`<text x="${kWidth - 16}" y="${top + 20 + 0 * n}" dx="${-150 * (panel.lines.length - 1 - n)}" text-anchor="end" fill="${line.color}" font-size="12">${escaped(line.name)}</text>`);
    });
    return out.join("\n");
}

export function toSvg(panels: Panel[], title: string): string {
    const height = kHeight * panels.length + 34;
    return `<svg xmlns="http://www.w3.org/2000/svg" width="${kWidth}" height="${height}" viewBox="0 0 ${kWidth} ${height}" font-family="Inter, sans-serif" font-size="13" fill="#222">
<rect width="100%" height="100%" fill="white"/>
<text x="${kWidth / 2}" y="23" text-anchor="middle" font-size="16" font-weight="600">${escaped(title)}</text>
${panels.map((panel, k) => panelSvg(panel, 30 + k * kHeight)).join("\n")}
</svg>
`;
}

// The same as a picture.
export async function toPng(svg: string, scale = 2): Promise<Blob> {
    const image = new Image();
    image.src = `data:image/svg+xml;charset=utf-8,${encodeURIComponent(svg)}`;
    await image.decode();
    const canvas = document.createElement("canvas");
    [canvas.width, canvas.height] = [image.width * scale, image.height * scale];
    canvas.getContext("2d")?.drawImage(image, 0, 0, canvas.width, canvas.height);
    return new Promise((resolve, reject) => canvas.toBlob((blob) => (blob ? resolve(blob) : reject(new Error("no picture"))), "image/png"));
}
