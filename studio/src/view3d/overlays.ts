// What is drawn over the bodies: the grid of the ground, contact points with their forces, joints, the outline of what
// is selected.
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
    Object3D,
    Quaternion,
    SphereGeometry,
    Vector3,
    type Camera,
    type PerspectiveCamera,
} from "three";
import { mergeVertices } from "three/addons/utils/BufferGeometryUtils.js";
import { contactsOf, readPose, type FramePacket } from "../protocol/packets";
import type { Structure } from "../protocol/types";

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

// Joints as drawn symbols: points and axes, carried along by body b.
export class JointMarks {
    readonly group = new Group();
    private carried: { holder: Object3D; body: number }[] = [];
    private pose = new Float64Array(7);

    set(structure: Structure, start: FramePacket, size: number): void {
        for (const child of this.group.children) child.traverse((o) => (o as Mesh).geometry?.dispose());
        this.group.clear();
        this.carried = [];
        const dot = new SphereGeometry(0.0045 * size, 12, 8);
        const paint = new MeshBasicMaterial({ color: "#4cc9f0", depthTest: false, transparent: true, opacity: 0.9 });
        const ink = new LineBasicMaterial({ color: "#4cc9f0", depthTest: false, transparent: true, opacity: 0.75 });
        structure.joints.forEach((joint, k) => {
            const body = joint.b >= 0 ? joint.b : joint.a;
            if (body < 0 || body >= start.bodies) return;
            const holder = new Group();
            readPose(start, body, this.pose);
            const inverse = new Matrix4().compose(new Vector3(this.pose[0], this.pose[1], this.pose[2]), this.rotation(), new Vector3(1, 1, 1)).invert();
            const points = joint.points.map((p) => new Vector3(...p).applyMatrix4(inverse));
            for (const point of points) {
                const mark = new Mesh(dot, paint);
                mark.position.copy(point);
                mark.userData.joint = k;
                mark.renderOrder = 9;
                holder.add(mark);
            }
            const first = points[0];
            const ends: Vector3[] = [];
            if (first && points[1]) ends.push(first, points[1]);
            // A ball joint turns about all axes; those that it names are where its angles count from.
            for (const axis of joint.type === "ball" ? [] : joint.axes) {
                const along = new Vector3(...axis).transformDirection(inverse).multiplyScalar(0.06 * size);
                if (first && along.lengthSq() > 0) ends.push(first.clone().sub(along), first.clone().add(along));
            }
            if (ends.length > 0) {
                const line = new LineSegments(new BufferGeometry().setFromPoints(ends), ink);
                line.renderOrder = 8;
                holder.add(line);
            }
            this.group.add(holder);
            this.carried.push({ holder, body });
        });
        this.apply(start);
    }

    private rotation(): Quaternion {
        return new Quaternion(this.pose[3], this.pose[4], this.pose[5], this.pose[6]);
    }

    apply(frame: FramePacket): void {
        for (const { holder, body } of this.carried) {
            if (body >= frame.bodies) continue;
            readPose(frame, body, this.pose);
            holder.position.set(this.pose[0] ?? 0, this.pose[1] ?? 0, this.pose[2] ?? 0);
            holder.quaternion.copy(this.rotation());
        }
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
    show(geometry: BufferGeometry, matrix: Matrix4, camera: Camera, height: number): void {
        const position = new Vector3();
        const scale = new Vector3();
        matrix.decompose(position, new Quaternion(), scale);
        const distance = camera.getWorldPosition(new Vector3()).distanceTo(position);
        const pixel = (2 * distance * Math.tan((((camera as PerspectiveCamera).fov ?? 40) * Math.PI) / 360)) / height;
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
