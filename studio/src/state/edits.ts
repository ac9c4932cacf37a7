// What edits make of the scene's JSON: names that are free, copies, groups, scaled shapes. Nothing here asks the server.
import type { Json, JsonObject } from "../protocol/types";

export const listNames = ["bodies", "joints", "forces"] as const;
export type ListName = (typeof listNames)[number];
export type Things = { [list in ListName]?: JsonObject[] };

// "ball", "ball 2", "ball 3", …
export function freeName(wanted: string, taken: Set<string>): string {
    if (!taken.has(wanted)) return wanted;
    const base = wanted.replace(/ ?\d+$/, "") || "thing";
    for (let k = 2; ; ++k) if (!taken.has(`${base} ${k}`)) return `${base} ${k}`;
}

// With new names, also where they name each other; bodies and points are shifted when all is numbers.
export function renamed(things: Things, taken: Set<string>, shift: [number, number, number] | null): Things {
    const all = new Set(taken);
    const names = new Map<string, string>();
    const copies = structuredClone(things);
    for (const list of listNames) {
        for (const thing of copies[list] ?? []) {
            const old = typeof thing.name === "string" ? thing.name : "";
            thing.name = freeName(old || list.slice(0, -1).replace("bodie", "body"), all);
            all.add(thing.name);
            if (list === "bodies" && old) names.set(old, thing.name);
        }
    }
    for (const link of [...(copies.joints ?? []), ...(copies.forces ?? [])])
        for (const end of ["a", "b", "frame"]) if (typeof link[end] === "string") link[end] = names.get(link[end] as string) ?? (link[end] as string);
    if (!shift) return copies;
    for (const body of copies.bodies ?? []) body.position = shifted(body.position ?? [0, 0, 0], shift);
    for (const link of [...(copies.joints ?? []), ...(copies.forces ?? [])])
        for (const key of Object.keys(link)) if (/^(anchor|wheel|target)/.test(key)) link[key] = shifted(link[key] as Json, shift);
    return copies;
}

function shifted(value: Json, shift: [number, number, number]): Json {
    if (!Array.isArray(value) || value.length !== 3) return value;
    return value.map((part, k) => {
        const by = shift[k] ?? 0;
        if (typeof part === "number") return Number((part + by).toPrecision(9));
        return typeof part === "string" && by !== 0 ? `(${part}) + ${by}` : part;
    });
}

const times = (value: Json, factor: number): Json => (typeof value === "number" ? Number((value * factor).toPrecision(9)) : typeof value === "string" ? `(${value}) * ${Number(factor.toPrecision(6))}` : value);

// A shape larger by factors along its axes; where it has no such axes, by the one that differs most from 1.
export function scaledShape(shape: JsonObject, factor: [number, number, number]): JsonObject {
    const most = factor.reduce((a, b) => (Math.abs(Math.log(Math.abs(b) || 1)) > Math.abs(Math.log(Math.abs(a) || 1)) ? b : a), 1);
    const [fx, fy, fz] = factor;
    const across = Math.abs(fx - 1) > Math.abs(fz - 1) ? fx : fz;
    const out: JsonObject = { ...shape };
    const set = (key: string, by: number) => {
        if (out[key] !== undefined) out[key] = times(out[key] as Json, by);
    };
    switch (shape.type) {
        case "box":
            out.size = ((shape.size as Json[] | undefined) ?? [1, 1, 1]).map((v, k) => times(v, factor[k] ?? 1));
            return out;
        case "ellipsoid":
            out.radii = (shape.radii as Json[]).map((v, k) => times(v, factor[k] ?? 1));
            return out;
        case "cylinder":
        case "cone":
        case "capsule":
            set("radius", across);
            set("height", fy);
            set("length", fy);
            return out;
    }
    for (const key of ["radius", "height", "length", "tube", "thickness", "neck", "spacing", "scale"]) set(key, most);
    for (const key of ["points", "vertices"]) if (Array.isArray(out[key])) out[key] = (out[key] as Json[][]).map((p) => p.map((v) => times(v, most)));
    if (Array.isArray(out.heights)) out.heights = out.heights.map((v) => times(v, most));
    if (Array.isArray(out.parts))
        out.parts = (out.parts as JsonObject[]).map((part) => ({ ...scaledShape(part, [most, most, most]), ...(Array.isArray(part.position) ? { position: part.position.map((v) => times(v, most)) } : {}) }));
    return out;
}

type Vec = [number, number, number];
type Quat = [number, number, number, number]; // w, x, y, z
export interface Pose {
    position: Vec;
    rotation: Quat;
}

export function rotate([w, x, y, z]: Quat, [a, b, c]: Vec): Vec {
    const tx = 2 * (y * c - z * b);
    const ty = 2 * (z * a - x * c);
    const tz = 2 * (x * b - y * a);
    return [a + w * tx + y * tz - z * ty, b + w * ty + z * tx - x * tz, c + w * tz + x * ty - y * tx];
}
const conjugate = ([w, x, y, z]: Quat): Quat => [w, -x, -y, -z];
const product = ([a, b, c, d]: Quat, [e, f, g, h]: Quat): Quat => [a * e - b * f - c * g - d * h, a * f + b * e + c * h - d * g, a * g - b * h + c * e + d * f, a * h + b * g - c * f + d * e];
const minus = (a: Vec, b: Vec): Vec => [a[0] - b[0], a[1] - b[1], a[2] - b[2]];
const plus = (a: Vec, b: Vec): Vec => [a[0] + b[0], a[1] + b[1], a[2] + b[2]];
const round = (values: number[]) => values.map((v) => Number(v.toPrecision(10)) + 0);

// One body whose parts are those of several, in the frame of the first.
export function grouped(bodies: JsonObject[], poses: Pose[], name: string): JsonObject {
    const frame = poses[0] ?? { position: [0, 0, 0], rotation: [1, 0, 0, 0] };
    const inverse = conjugate(frame.rotation);
    const parts = bodies.map((body, k) => {
        const pose = poses[k] ?? frame;
        const part: JsonObject = { ...((body.shape as JsonObject) ?? {}) };
        part.position = round(rotate(inverse, minus(pose.position, frame.position)));
        part.orientation = round(product(inverse, pose.rotation));
        return part;
    });
    const { shape: _, orientation: __, position: ___, mass: ____, inertia: _____, center_of_mass: ______, ...rest } = bodies[0] ?? {};
    return { ...rest, name, shape: { type: "compound", parts }, position: round(frame.position), orientation: round(frame.rotation) };
}

// Its parts as bodies of their own.
export function ungrouped(body: JsonObject, pose: Pose, taken: Set<string>): JsonObject[] {
    const names = new Set(taken);
    const { shape, mass: _, inertia: __, center_of_mass: ___, ...rest } = body;
    return ((shape as JsonObject).parts as JsonObject[]).map((part) => {
        const { position, orientation, ...own } = part;
        const name = freeName(`${String(body.name ?? "part")} part`, names);
        names.add(name);
        const at = (Array.isArray(position) ? position : [0, 0, 0]) as Vec;
        const turn = (Array.isArray(orientation) ? orientation : [1, 0, 0, 0]) as Quat;
        return { ...rest, name, shape: own, position: round(plus(pose.position, rotate(pose.rotation, at))), orientation: round(product(pose.rotation, turn)) };
    });
}

// A copy of `thing` with the value at a path, such as "shape.radius".
export function withValue(thing: JsonObject, path: string, value: Json): JsonObject {
    const copy = structuredClone(thing);
    const parts = path.split(".");
    let at: JsonObject = copy;
    for (const part of parts.slice(0, -1)) at = (at[part] ??= {}) as JsonObject;
    at[parts.at(-1) ?? ""] = value;
    return copy;
}

// Triangles of an OBJ or STL file, each corner once.
export function readMesh(name: string, bytes: ArrayBuffer): { vertices: number[][]; triangles: number[][] } {
    const places = new Map<string, number>();
    const vertices: number[][] = [];
    const triangles: number[][] = [];
    const vertex = (p: number[]) => {
        const key = p.join();
        let k = places.get(key);
        if (k === undefined) {
            k = vertices.length;
            places.set(key, k);
            vertices.push(p);
        }
        return k;
    };
    const add = (corners: number[]) => {
        if (new Set(corners).size === 3) triangles.push(corners);
    };
    const text = () => new TextDecoder().decode(bytes);
    if (/\.obj$/i.test(name)) {
        const points: number[][] = [];
        for (const line of text().split(/\r?\n/)) {
            const [kind, ...rest] = line.trim().split(/\s+/);
            if (kind === "v") points.push(rest.slice(0, 3).map(Number));
            if (kind !== "f") continue;
            const corners = rest.map((word) => {
                const k = parseInt(word, 10);
                return vertex(points[k < 0 ? points.length + k : k - 1] ?? [NaN, 0, 0]);
            });
            for (let k = 2; k < corners.length; ++k) add([corners[0] ?? 0, corners[k - 1] ?? 0, corners[k] ?? 0]);
        }
    } else {
        const view = new DataView(bytes);
        const count = bytes.byteLength > 84 ? view.getUint32(80, true) : 0;
        if (bytes.byteLength === 84 + 50 * count && count > 0) {
            for (let k = 0; k < count; ++k) {
                const corner = (c: number) => vertex([0, 4, 8].map((o) => view.getFloat32(84 + 50 * k + 12 + 12 * c + o, true)));
                add([corner(0), corner(1), corner(2)]);
            }
        } else {
            const found = [...text().matchAll(/vertex\s+(\S+)\s+(\S+)\s+(\S+)/g)].map((m) => vertex([Number(m[1]), Number(m[2]), Number(m[3])]));
            for (let k = 0; k + 2 < found.length; k += 3) add([found[k] ?? 0, found[k + 1] ?? 0, found[k + 2] ?? 0]);
        }
    }
    if (triangles.length === 0 || vertices.some((p) => p.some((v) => !Number.isFinite(v)))) throw new Error(`${name}: there are no triangles in it`);
    return { vertices, triangles };
}
