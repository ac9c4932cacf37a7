// What is drawn over the bodies: the grid of the ground, contact points with their forces, velocities, trails,
// boxes, centres of mass, the outline of what is selected.
import {
    BackSide,
    BufferAttribute,
    BufferGeometry,
    Color,
    ConeGeometry,
    Group,
    InstancedMesh,
    LineBasicMaterial,
    LineSegments,
    Matrix4,
    Mesh,
    MeshBasicMaterial,
    Quaternion,
    SphereGeometry,
    Vector3,
} from "three";
import { mergeVertices } from "three/addons/utils/BufferGeometryUtils.js";
import { contactsOf, type FramePacket } from "../protocol/packets";

const kMostContacts = 4000;
const up = new Vector3(0, 1, 0);

// Lines in the plane y = 0 that fade away from the middle; each tenth is stronger.
export function makeGrid(cell: number, cells: number, color: string): LineSegments {
    const points: number[] = [];
    const colors: number[] = [];
    const rgb = new Color(color);
    const half = cells * cell;
    const pieces = 16;
    const alpha = (x: number, z: number, isStrong: boolean) =>
        Math.max(0, 1 - Math.hypot(x, z) / half) ** 2 * (isStrong ? 0.42 : 0.15);
    for (let k = -cells; k <= cells; ++k) {
        const isStrong = k % 10 === 0;
        for (let p = 0; p < pieces; ++p) {
            const from = -half + (2 * half * p) / pieces;
            const to = -half + (2 * half * (p + 1)) / pieces;
            for (const [x, z] of [
                [k * cell, from],
                [k * cell, to],
                [from, k * cell],
                [to, k * cell],
            ] as const) {
                points.push(x, 0, z);
                colors.push(rgb.r, rgb.g, rgb.b, alpha(x, z, isStrong));
            }
        }
    }
    const geometry = new BufferGeometry();
    geometry.setAttribute("position", new BufferAttribute(new Float32Array(points), 3));
    geometry.setAttribute("color", new BufferAttribute(new Float32Array(colors), 4));
    const grid = new LineSegments(geometry, new LineBasicMaterial({ vertexColors: true, transparent: true, depthWrite: false }));
    grid.frustumCulled = false;
    return grid;
}

// One, two or five times a power of ten, at least as large.
export function niceStep(length: number): number {
    const power = Math.pow(10, Math.floor(Math.log10(length)));
    const rest = length / power;
    return power * (rest <= 1 ? 1 : rest <= 2 ? 2 : rest <= 5 ? 5 : 10);
}

export class ContactMarks {
    readonly group = new Group();
    private points: InstancedMesh;
    private heads: InstancedMesh;
    private lines: LineSegments;
    private largest = 0; // N, for the length of arrows

    constructor() {
        const paint = (color: string) => new MeshBasicMaterial({ color, depthTest: false, transparent: true, opacity: 0.95 });
        this.points = new InstancedMesh(new SphereGeometry(1, 10, 8), paint("#ffd23f"), kMostContacts);
        this.heads = new InstancedMesh(new ConeGeometry(1, 2.6, 12).translate(0, -1.3, 0), paint("#ff4d6d"), kMostContacts);
        const geometry = new BufferGeometry();
        geometry.setAttribute("position", new BufferAttribute(new Float32Array(kMostContacts * 6), 3));
        this.lines = new LineSegments(geometry, new LineBasicMaterial({ color: "#ff4d6d", depthTest: false, transparent: true }));
        this.group.add(this.lines, this.heads, this.points);
        this.group.children.forEach((child, k) => {
            child.frustumCulled = false;
            child.renderOrder = 10 + k;
        });
    }

    forget(): void {
        this.largest = 0;
    }

    // Arrows: the largest force that was seen is a fifth of the scene's size long.
    apply(frame: FramePacket, size: number): void {
        const contacts = contactsOf(frame).slice(0, kMostContacts);
        const position = this.lines.geometry.getAttribute("position") as BufferAttribute;
        const matrix = new Matrix4();
        const from = new Vector3();
        const along = new Vector3();
        const turn = new Quaternion();
        const scale = new Vector3();
        let arrows = 0;
        let marks = 0;
        for (const contact of contacts) this.largest = Math.max(this.largest, Math.hypot(...contact.force));
        for (const contact of contacts) {
            const force = Math.hypot(...contact.force);
            if (force <= 1e-9 * this.largest) continue;
            from.set(...contact.point);
            matrix.compose(from, turn.identity(), scale.setScalar(0.0035 * size));
            this.points.setMatrixAt(marks++, matrix);
            along.set(...contact.force).divideScalar(force);
            // A root: small forces stay visible beside large ones.
            const length = 0.2 * size * Math.sqrt(force / this.largest);
            const to = from.clone().addScaledVector(along, length);
            position.setXYZ(2 * arrows, from.x, from.y, from.z);
            position.setXYZ(2 * arrows + 1, to.x, to.y, to.z);
            matrix.compose(to, turn.setFromUnitVectors(up, along), scale.setScalar(Math.min(0.006 * size, length / 3)));
            this.heads.setMatrixAt(arrows++, matrix);
        }
        this.points.count = marks;
        this.heads.count = arrows;
        this.lines.geometry.setDrawRange(0, 2 * arrows);
        position.needsUpdate = this.points.instanceMatrix.needsUpdate = this.heads.instanceMatrix.needsUpdate = true;
    }
}

// Arrows from places, such as velocities: the longest that was seen is a fifth of the scene's size long.
export class Arrows {
    readonly group = new Group();
    private heads: InstancedMesh;
    private lines: LineSegments;
    private largest = 0;

    constructor(color: string) {
        this.heads = new InstancedMesh(new ConeGeometry(1, 2.6, 12).translate(0, -1.3, 0), new MeshBasicMaterial({ color, depthTest: false, transparent: true, opacity: 0.95 }), kMostContacts);
        const geometry = new BufferGeometry();
        geometry.setAttribute("position", new BufferAttribute(new Float32Array(kMostContacts * 6), 3));
        this.lines = new LineSegments(geometry, new LineBasicMaterial({ color, depthTest: false, transparent: true }));
        this.group.add(this.lines, this.heads);
        for (const child of this.group.children) {
            child.frustumCulled = false;
            child.renderOrder = 10;
        }
    }

    forget(): void {
        this.largest = 0;
    }

    set(places: ArrayLike<number>, vectors: ArrayLike<number>, size: number): void {
        const position = this.lines.geometry.getAttribute("position") as BufferAttribute;
        const count = Math.min(kMostContacts, vectors.length / 3);
        const [from, along, matrix, turn, scale] = [new Vector3(), new Vector3(), new Matrix4(), new Quaternion(), new Vector3()];
        for (let k = 0; k < count; ++k) {
            const length = Math.hypot(vectors[3 * k] ?? 0, vectors[3 * k + 1] ?? 0, vectors[3 * k + 2] ?? 0);
            if (Number.isFinite(length)) this.largest = Math.max(this.largest, length);
        }
        let shown = 0;
        for (let k = 0; k < count; ++k) {
            from.fromArray(places as number[], 3 * k);
            along.fromArray(vectors as number[], 3 * k);
            const value = along.length();
            if (!(value > 1e-6 * this.largest)) continue;
            const length = (0.2 * size * value) / this.largest;
            const to = from.clone().addScaledVector(along.divideScalar(value), length);
            position.setXYZ(2 * shown, from.x, from.y, from.z);
            position.setXYZ(2 * shown + 1, to.x, to.y, to.z);
            matrix.compose(to, turn.setFromUnitVectors(up, along), scale.setScalar(Math.min(0.006 * size, length / 3)));
            this.heads.setMatrixAt(shown++, matrix);
        }
        this.heads.count = shown;
        this.lines.geometry.setDrawRange(0, 2 * shown);
        position.needsUpdate = this.heads.instanceMatrix.needsUpdate = true;
    }
}

// Lines through given points, in pairs, such as trails and boxes.
export class Wires {
    readonly group = new Group();
    private lines: LineSegments | null = null;

    constructor(
        private color: string,
        private opacity: number,
        private depthTest = true,
    ) {}

    set(points: Float32Array): void {
        if (!this.lines || (this.lines.geometry.getAttribute("position") as BufferAttribute).array.length < points.length) {
            this.lines?.geometry.dispose();
            this.group.clear();
            const geometry = new BufferGeometry().setAttribute("position", new BufferAttribute(new Float32Array(Math.max(600, 2 * points.length)), 3));
            this.lines = new LineSegments(geometry, new LineBasicMaterial({ color: this.color, transparent: true, opacity: this.opacity, depthTest: this.depthTest }));
            this.lines.frustumCulled = false;
            this.lines.renderOrder = 7;
            this.group.add(this.lines);
        }
        const position = this.lines.geometry.getAttribute("position") as BufferAttribute;
        (position.array as Float32Array).set(points);
        position.needsUpdate = true;
        this.lines.geometry.setDrawRange(0, points.length / 3);
    }
}

// Dots at given places, such as centres of mass.
export class Dots {
    readonly group = new Group();
    private mesh = new InstancedMesh(new SphereGeometry(1, 14, 10), new MeshBasicMaterial({ color: "#ffffff", depthTest: false, transparent: true, opacity: 0.9 }), kMostContacts);
    private rims = new InstancedMesh(new SphereGeometry(1.5, 14, 10), new MeshBasicMaterial({ color: "#20262f", depthTest: false, transparent: true, opacity: 0.9 }), kMostContacts);

    constructor() {
        this.group.add(this.rims, this.mesh);
        this.group.children.forEach((child, k) => {
            child.frustumCulled = false;
            child.renderOrder = 11 + k;
        });
    }

    set(places: number[], radius: number): void {
        const count = Math.min(kMostContacts, places.length / 3);
        const matrix = new Matrix4();
        for (let k = 0; k < count; ++k) {
            matrix.makeScale(radius, radius, radius).setPosition(places[3 * k] ?? 0, places[3 * k + 1] ?? 0, places[3 * k + 2] ?? 0);
            this.mesh.setMatrixAt(k, matrix);
            this.rims.setMatrixAt(k, matrix);
        }
        this.mesh.count = this.rims.count = count;
        this.mesh.instanceMatrix.needsUpdate = this.rims.instanceMatrix.needsUpdate = true;
    }
}

// A rim around a body: its surface once more, pushed out by three pixels, seen from behind.
export class Outline {
    readonly group = new Group();
    private mesh: Mesh;
    private push = { value: new Vector3() };
    private rims = new WeakMap<BufferGeometry, BufferGeometry>();

    constructor(color: string) {
        const material = new MeshBasicMaterial({ color, side: BackSide, depthWrite: false });
        material.onBeforeCompile = (shader) => {
            shader.uniforms.push = this.push;
            shader.vertexShader = shader.vertexShader
                .replace("#include <common>", "#include <common>\nuniform vec3 push;")
                .replace("#include <begin_vertex>", "vec3 transformed = position + normal * push;");
        };
        this.mesh = new Mesh(new BufferGeometry(), material);
        this.mesh.matrixAutoUpdate = false;
        this.mesh.frustumCulled = false;
        this.mesh.renderOrder = 5; // after all bodies and planes
        this.group.add(this.mesh);
        this.group.visible = false;
    }

    hide(): void {
        this.group.visible = false;
    }

    // `matrix` places and sizes the body.
    show(geometry: BufferGeometry, matrix: Matrix4, pixelAt: (place: Vector3) => number): void {
        const position = new Vector3();
        const scale = new Vector3();
        matrix.decompose(position, new Quaternion(), scale);
        const pixel = pixelAt(position);
        this.push.value.set(3 * pixel, 3 * pixel, 3 * pixel).divide(scale);
        this.mesh.geometry = this.rimOf(geometry);
        this.mesh.matrix.copy(matrix);
        this.group.visible = true;
    }

    // The same surface with one normal a corner, so that it does not tear at edges.
    private rimOf(geometry: BufferGeometry): BufferGeometry {
        const known = this.rims.get(geometry);
        if (known) return known;
        const bare = new BufferGeometry().setAttribute("position", geometry.getAttribute("position"));
        if (geometry.index) bare.setIndex(geometry.index);
        const rim = mergeVertices(bare, 1e-6);
        rim.computeVertexNormals();
        this.rims.set(geometry, rim);
        return rim;
    }
}
