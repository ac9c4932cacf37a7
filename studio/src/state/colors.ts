// Colours for numbers: viridis for quantities, well separated hues for kinds.
import type { Color } from "three";

const viridis = ["#440154", "#482878", "#3e4989", "#31688e", "#26828e", "#1f9e89", "#35b779", "#6ece58", "#b5de2b", "#fde725"];
const kinds = ["#4c8dff", "#f2a93b", "#35c28a", "#d1495b", "#9d7bff", "#2ec4d6", "#e377c2", "#b5bd3c"];

export interface Scale {
    min: number;
    max: number;
    isLog: boolean;
    isKind: boolean; // whole numbers that name something
}

export function shareOf(value: number, scale: Scale): number {
    const { min, max } = scale;
    if (!(max > min)) return 0;
    if (!scale.isLog) return Math.max(0, Math.min(1, (value - min) / (max - min)));
    const low = Math.max(min, max * 1e-6);
    return value <= low ? 0 : Math.min(1, Math.log(value / low) / Math.log(max / low));
}

export function colorAt(share: number): string {
    const at = Math.max(0, Math.min(1, share)) * (viridis.length - 1);
    const k = Math.min(viridis.length - 2, Math.floor(at));
    const mix = (offset: number) => {
        const [a, b] = [viridis[k] ?? "#000000", viridis[k + 1] ?? "#000000"].map((hex) => parseInt(hex.slice(offset, offset + 2), 16)) as [number, number];
        return Math.round(a + (b - a) * (at - k)).toString(16).padStart(2, "0");
    };
    return `#${mix(1)}${mix(3)}${mix(5)}`;
}

export const kindColor = (kind: number) => (kind < 0 ? "#6b7280" : (kinds[kind % kinds.length] ?? "#888888"));

export function paintValue(value: number, scale: Scale, out: Color): void {
    if (!Number.isFinite(value)) out.set("#808080");
    else out.set(scale.isKind ? kindColor(Math.round(value)) : colorAt(shareOf(value, scale)));
}
