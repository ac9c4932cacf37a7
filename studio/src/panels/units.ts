// Numbers as people type them: with units ("20 cm", "45 deg") or as expressions of the scene's variables ("2*r").

const lengths: { [name: string]: number } = { m: 1, mm: 1e-3, cm: 1e-2, km: 1e3, in: 0.0254, ft: 0.3048 };
const factors: { [unit: string]: { [name: string]: number } } = {
    m: lengths,
    rad: { rad: 1, deg: Math.PI / 180, "°": Math.PI / 180 },
    kg: { kg: 1, g: 1e-3, mg: 1e-6, t: 1e3 },
    s: { s: 1, ms: 1e-3, min: 60 },
    "m/s": { "m/s": 1, "cm/s": 1e-2, "km/h": 1 / 3.6 },
    "rad/s": { "rad/s": 1, "deg/s": Math.PI / 180, rpm: Math.PI / 30 },
    "kg/m^3": { "kg/m^3": 1, "g/cm^3": 1000 },
    N: { N: 1, kN: 1e3, mN: 1e-3 },
};

const kNumber = /^\s*([-+]?(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?)\s*(\S.*)?$/;

// The value in `unit`; an expression as a string; null when it is nothing.
export function parseNumber(text: string, unit: string): number | string | null {
    const trimmed = text.trim();
    if (trimmed === "") return null;
    const match = kNumber.exec(trimmed);
    if (match) {
        const value = Number(match[1]);
        const suffix = match[2]?.trim();
        if (suffix === undefined) return value;
        const factor = factors[unit]?.[suffix];
        if (factor !== undefined) return value * factor;
    }
    return trimmed;
}

// As short as it can be said to seven digits.
export function showNumber(value: number): string {
    if (!Number.isFinite(value)) return "–";
    if (value === 0) return "0";
    const size = Math.abs(value);
    if (size < 1e-4 || size >= 1e7) return value.toExponential(4).replace(/\.?0+e/, "e").replace("e+", "e");
    return String(Number(value.toPrecision(7)));
}

// How far one step of dragging or of an arrow key goes.
export function stepOf(value: number): number {
    const size = Math.abs(value);
    return size < 1e-9 ? 0.1 : Math.pow(10, Math.floor(Math.log10(size)) - 1);
}
