// Surfaces of shapes. Bodies whose surfaces differ by scaling alone share one: a ball of any radius is the unit ball.
import {
    BoxGeometry,
    BufferAttribute,
    BufferGeometry,
    CapsuleGeometry,
    ConeGeometry,
    CylinderGeometry,
    IcosahedronGeometry,
    SphereGeometry,
} from "three";
import type { SurfacePacket } from "../protocol/packets";
import type { ShapeInfo, Vec } from "../protocol/types";

export interface Drawn {
    key: string; // bodies with the same key share a surface
    scale: Vec;
    radius: number; // of a ball around it, in metres
}

// Null for shapes that are not drawn as bodies are (planes have no end).
export function drawnAs(shape: ShapeInfo, sizeOfPoint: number): Drawn | null {
    if (shape.particles) return { key: "particles", scale: [1, 1, 1], radius: 0 };
    const size = shape.size ?? [1, 1, 1];
    const [a, b, c] = size;
    switch (shape.type) {
        case "sphere":
        case "ellipsoid":
            return { key: "ball", scale: size, radius: Math.max(a, b, c) };
        case "box":
            return { key: "box", scale: size, radius: Math.hypot(a, b, c) / 2 };
        case "cylinder":
        case "cone":
            return { key: shape.type, scale: size, radius: Math.hypot(a, b / 2) };
        case "capsule":
            return { key: `capsule ${(b / a).toPrecision(6)}`, scale: [a, a, a], radius: a + b / 2 };
        case "plane":
            return null;
        case "point":
            return { key: "point", scale: [sizeOfPoint, sizeOfPoint, sizeOfPoint], radius: sizeOfPoint };
        default:
            return { key: `surface ${shape.surface}`, scale: [1, 1, 1], radius: 0 };
    }
}

export function makeGeometry(key: string, surfaces: Map<number, SurfacePacket>, isCoarse: boolean): BufferGeometry {
    const around = isCoarse ? 24 : 48;
    const [kind, detail] = key.split(" ");
    switch (kind) {
        case "ball":
            return new SphereGeometry(1, around, around / 2);
        case "box":
            return new BoxGeometry(1, 1, 1);
        case "cylinder":
            return new CylinderGeometry(1, 1, 1, around);
        case "cone":
            return new ConeGeometry(1, 1, around);
        case "capsule":
            return new CapsuleGeometry(1, Number(detail), around / 4, around);
        case "point":
            return new IcosahedronGeometry(1, 0);
        default:
            return surfaceGeometry(surfaces.get(Number(detail)));
    }
}

// Flat faces: every triangle has corners of its own.
export function surfaceGeometry(surface: SurfacePacket | undefined): BufferGeometry {
    const geometry = new BufferGeometry();
    if (!surface) return geometry.setAttribute("position", new BufferAttribute(new Float32Array(9), 3));
    const positions = new Float32Array(surface.triangles.length * 3);
    surface.triangles.forEach((corner, k) => {
        for (let i = 0; i < 3; ++i) positions[3 * k + i] = surface.positions[3 * corner + i] ?? 0;
    });
    geometry.setAttribute("position", new BufferAttribute(positions, 3));
    geometry.computeVertexNormals();
    return geometry;
}
