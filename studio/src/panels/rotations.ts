// Rotations as three angles in degrees about x, y, z (turned in that order about fixed axes), and as scenes write them.
import type { Json } from "../protocol/types";

export type Quat = [number, number, number, number]; // w, x, y, z

export function normalized(q: Quat): Quat {
    const size = Math.hypot(...q) || 1;
    return q.map((part) => part / size) as Quat;
}

// Null for what holds expressions.
export function readRotation(value: Json | undefined): Quat | null {
    if (value === undefined || value === null) return [1, 0, 0, 0];
    if (Array.isArray(value)) return value.length === 4 && value.every((v) => typeof v === "number") ? normalized(value as Quat) : null;
    if (typeof value !== "object") return null;
    const { axis, angle } = value;
    if (!Array.isArray(axis) || !axis.every((v) => typeof v === "number") || typeof angle !== "number") return null;
    const size = Math.hypot(...(axis as number[]));
    if (size === 0) return null;
    const s = Math.sin(angle / 2) / size;
    return [Math.cos(angle / 2), s * (axis[0] as number), s * (axis[1] as number), s * (axis[2] as number)];
}

// R = Rz Ry Rx.
export function toAngles(q: Quat): [number, number, number] {
    const [w, x, y, z] = normalized(q);
    const sine = Math.max(-1, Math.min(1, 2 * (w * y - z * x)));
    const angles =
        Math.abs(sine) > 0.9999999
            ? [2 * Math.atan2(x, w), Math.asin(sine), 0]
            : [Math.atan2(2 * (w * x + y * z), 1 - 2 * (x * x + y * y)), Math.asin(sine), Math.atan2(2 * (w * z + x * y), 1 - 2 * (y * y + z * z))];
    return angles.map((a) => Number(((a * 180) / Math.PI).toFixed(6)) + 0) as [number, number, number];
}

export function fromAngles(degrees: [number, number, number]): Quat {
    const [a, b, c] = degrees.map((d) => (d * Math.PI) / 360) as [number, number, number];
    const [ca, sa, cb, sb, cc, sc] = [Math.cos(a), Math.sin(a), Math.cos(b), Math.sin(b), Math.cos(c), Math.sin(c)];
    return [
        ca * cb * cc + sa * sb * sc,
        sa * cb * cc - ca * sb * sc,
        ca * sb * cc + sa * cb * sc,
        ca * cb * sc - sa * sb * cc,
    ];
}
