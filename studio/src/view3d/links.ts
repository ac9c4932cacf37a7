// What holds bodies together or acts on them, drawn: springs as coils, dampers as cylinders, rods and cables as lines,
// joints as symbols of their kind with axes and limits, forces as arrows. Each end is carried along by its body.
import {
    BoxGeometry,
    BufferAttribute,
    BufferGeometry,
    CircleGeometry,
    ConeGeometry,
    CylinderGeometry,
    Curve,
    DoubleSide,
    Group,
    LineBasicMaterial,
    LineSegments,
    Matrix4,
    Mesh,
    MeshBasicMaterial,
    MeshLambertMaterial,
    Object3D,
    Quaternion,
    SphereGeometry,
    TorusGeometry,
    TubeGeometry,
    Vector3,
    type Material,
    type Raycaster,
} from "three";
import { mergeGeometries } from "three/addons/utils/BufferGeometryUtils.js";
import { readPose, type FramePacket } from "../protocol/packets";
import type { ForceInfo, JointInfo, Structure, Vec } from "../protocol/types";

export type LinkKind = "joint" | "force";
interface Carried {
    object: Object3D;
    kind: LinkKind;
    index: number;
    update(poses: Poses): void;
}

// Poses of bodies in one frame; -1 is the world.
class Poses {
    private pose = new Float64Array(7);
    constructor(private frame: FramePacket) {}
    matrix(body: number, out: Matrix4): Matrix4 {
        if (body < 0 || body >= this.frame.bodies) return out.identity();
        readPose(this.frame, body, this.pose);
        const [x, y, z, a, b, c, w] = this.pose as unknown as [number, number, number, number, number, number, number];
        return out.compose(new Vector3(x, y, z), new Quaternion(a, b, c, w), new Vector3(1, 1, 1));
    }
}

class Helix extends Curve<Vector3> {
    constructor() {
        super();
    }
    override getPoint(t: number, out = new Vector3()): Vector3 {
        const inner = Math.max(0, Math.min(1, (t - 0.08) / 0.84));
        const radius = t < 0.05 || t > 0.95 ? 0 : 1;
        const angle = inner * 9 * 2 * Math.PI;
        return out.set(radius * Math.cos(angle), t, radius * Math.sin(angle));
    }
}

// All of unit length along +y from the origin, unit radius.
const coil = () => new TubeGeometry(new Helix(), 260, 0.16, 6);
const bar = () => new CylinderGeometry(1, 1, 1, 14).translate(0, 0.5, 0);
const damper = () =>
    mergeGeometries([
        new CylinderGeometry(1, 1, 0.5, 20).translate(0, 0.35, 0),
        new CylinderGeometry(0.32, 0.32, 0.62, 12).translate(0, 0.69, 0),
        new CylinderGeometry(0.32, 0.32, 0.12, 12).translate(0, 0.05, 0),
    ]);
const arrow = () => mergeGeometries([new CylinderGeometry(0.3, 0.3, 0.78, 12).translate(0, 0.39, 0), new ConeGeometry(1, 0.24, 16).translate(0, 0.88, 0)]);

const up = new Vector3(0, 1, 0);
const colors = { joint: "#35c3f0", spring: "#f2a93b", damper: "#8c9bb5", rod: "#b8c0cc", force: "#ff4d6d", limit: "#35c3f0", hold: "#d8a657" };

export class Links {
    readonly group = new Group();
    private all: Carried[] = [];
    private geometries: { [name: string]: BufferGeometry } = {};
    private materials: { [name: string]: Material } = {};
    private chosen = { joint: new Set<number>(), force: new Set<number>() };

    private geometry(name: string, make: () => BufferGeometry): BufferGeometry {
        return (this.geometries[name] ??= make());
    }
    private solid(color: string): Material {
        return (this.materials[color] ??= new MeshLambertMaterial({ color }));
    }
    private sign(color: string): Material {
        return (this.materials[`sign ${color}`] ??= new MeshBasicMaterial({ color, depthTest: false, transparent: true, opacity: 0.9 }));
    }
    private ink(color: string): LineBasicMaterial {
        return (this.materials[`ink ${color}`] ??= new LineBasicMaterial({ color, depthTest: false, transparent: true, opacity: 0.8 })) as LineBasicMaterial;
    }

    set(structure: Structure, start: FramePacket, size: number): void {
        for (const one of this.all) one.object.traverse((o) => o.userData.isOwn && (o as Mesh).geometry.dispose());
        this.group.clear();
        this.all = [];
        // The start of descriptions, where points are given, is that of the world: this is only called with its first frame.
        const poses = new Poses(start);
        structure.joints.forEach((joint, k) => this.addJoint(joint, k, poses, size));
        structure.forces.forEach((force, k) => this.addForce(force, k, poses, size));
        this.apply(start);
    }

    // A point of a body, given in the world at the start, wherever the body is.
    private follow(point: Vec, body: number, poses: Poses): (now: Poses, out: Vector3) => Vector3 {
        const local = new Vector3(...point).applyMatrix4(poses.matrix(body, new Matrix4()).invert());
        const matrix = new Matrix4();
        return (now, out) => out.copy(local).applyMatrix4(now.matrix(body, matrix));
    }

    // From one moving point to another.
    private between(mesh: Mesh, radius: number, a: ReturnType<Links["follow"]>, b: ReturnType<Links["follow"]>): (poses: Poses) => void {
        const from = new Vector3();
        const to = new Vector3();
        return (poses) => {
            a(poses, from);
            b(poses, to);
            const length = from.distanceTo(to);
            mesh.visible = length > 1e-9 && Number.isFinite(length);
            if (!mesh.visible) return;
            mesh.position.copy(from);
            mesh.quaternion.setFromUnitVectors(up, to.sub(from).divideScalar(length));
            mesh.scale.set(radius, length, radius);
        };
    }

    private add(kind: LinkKind, index: number, object: Object3D, update: (poses: Poses) => void): void {
        object.traverse((o) => {
            o.userData.link = { kind, index };
            o.frustumCulled = false;
        });
        this.group.add(object);
        this.all.push({ object, kind, index, update });
    }

    // Carried by a body as it is at the start.
    private mount(kind: LinkKind, index: number, object: Object3D, body: number, poses: Poses): void {
        const holder = new Group();
        holder.matrixAutoUpdate = false;
        const inverse = poses.matrix(body, new Matrix4()).invert();
        object.updateMatrix();
        object.applyMatrix4(inverse);
        holder.add(object);
        this.add(kind, index, holder, (now) => now.matrix(body, holder.matrix));
    }

    private addJoint(joint: JointInfo, k: number, poses: Poses, size: number): void {
        const carrier = joint.b >= 0 ? joint.b : joint.a;
        const [first, second] = joint.points;
        const axis = new Vector3(...(joint.axes[0] ?? [0, 1, 0])).normalize();
        const r = 0.007 * size;
        if (first && second && joint.a !== joint.b) {
            const rod = new Mesh(this.geometry("bar", bar), this.solid(colors.rod));
            this.add("joint", k, rod, this.between(rod, 0.35 * r, this.follow(first, joint.a, poses), this.follow(second, joint.b, poses)));
        }
        joint.points.forEach((point, n) => {
            const body = n === 0 && joint.points.length > 1 ? joint.a : carrier;
            const isTurning = /hinge|universal|cylindrical|screw|rotation/.test(joint.type);
            const isSliding = /slider|line|plane|planar|rack/.test(joint.type);
            const shape = isTurning ? "hinge" : isSliding ? "slide" : joint.type === "fixed" ? "fixed" : "ball";
            const geometry = this.geometry(shape, () =>
                shape === "hinge" ? new CylinderGeometry(0.55, 0.55, 3.4, 20) : shape === "slide" ? new BoxGeometry(1, 4.4, 1) : shape === "fixed" ? new BoxGeometry(1.5, 1.5, 1.5) : new SphereGeometry(1, 18, 12),
            );
            const mark = new Mesh(geometry, this.sign(colors.joint));
            mark.renderOrder = 9;
            mark.position.set(...point);
            if (shape === "hinge" || shape === "slide") mark.quaternion.setFromUnitVectors(up, axis);
            mark.scale.setScalar(0.75 * r);
            this.mount("joint", k, mark, body, poses);
        });
        if (!first) return;
        const ends: Vector3[] = [];
        const anchor = new Vector3(...first);
        for (const one of joint.type === "ball" && !joint.limits ? [] : joint.axes) {
            const along = new Vector3(...one).normalize().multiplyScalar(0.055 * size);
            ends.push(anchor.clone().sub(along), anchor.clone().add(along));
        }
        if (ends.length > 0) this.mount("joint", k, this.line(ends, colors.joint), carrier, poses);
        for (const limit of joint.limits ?? []) this.addLimit(joint, k, limit, anchor, axis, poses, size);
    }

    // Angles as a wedge that a carries with a needle that b carries; ways as a line between the ends.
    private addLimit(joint: JointInfo, k: number, limit: { axis: string; lower?: number; upper?: number }, anchor: Vector3, axis: Vector3, poses: Poses, size: number): void {
        if (/slide|suspension|^[xyz]$|length/.test(limit.axis)) {
            const ends = [limit.lower, limit.upper].flatMap((v) => (v === undefined ? [] : [anchor.clone().addScaledVector(axis, v)]));
            const tick = new Vector3().crossVectors(axis, Math.abs(axis.y) < 0.9 ? up : new Vector3(1, 0, 0)).normalize().multiplyScalar(0.02 * size);
            const points = ends.flatMap((p) => [p.clone().sub(tick), p.clone().add(tick)]);
            if (ends[0] && ends[1]) points.push(ends[0], ends[1]);
            this.mount("joint", k, this.line(points, colors.limit), joint.a, poses);
            return;
        }
        const at = new Vector3().setFromMatrixPosition(poses.matrix(joint.b, new Matrix4())).sub(anchor);
        const zero = at.addScaledVector(axis, -at.dot(axis));
        if (zero.length() < 1e-6 * size) zero.crossVectors(axis, Math.abs(axis.y) < 0.9 ? up : new Vector3(1, 0, 0));
        zero.normalize();
        const from = Math.max(-Math.PI, limit.lower ?? -Math.PI);
        const to = Math.min(Math.PI, limit.upper ?? Math.PI);
        const wedge = new Mesh(
            new CircleGeometry(0.075 * size, 40, from, to - from),
            (this.materials.wedge ??= new MeshBasicMaterial({ color: colors.limit, transparent: true, opacity: 0.22, side: DoubleSide, depthWrite: false })),
        );
        wedge.userData.isOwn = true;
        wedge.position.copy(anchor);
        wedge.quaternion.setFromRotationMatrix(new Matrix4().makeBasis(zero, new Vector3().crossVectors(axis, zero), axis));
        this.mount("joint", k, wedge, joint.a, poses);
        this.mount("joint", k, this.line([anchor, anchor.clone().addScaledVector(zero, 0.085 * size)], colors.limit), joint.b, poses);
    }

    private addForce(force: ForceInfo, k: number, poses: Poses, size: number): void {
        const [first, second] = force.points;
        const r = 0.012 * size;
        if (first && second && force.type !== "drag") {
            const a = this.follow(first, force.type === "grab" ? force.b : force.a, poses);
            const b = this.follow(second, force.type === "grab" ? -1 : force.b, poses);
            if (force.way && force.way.length > 0) return this.addCable(force, k, a, b);
            const [geometry, color, radius] =
                force.type === "spring"
                    ? [this.geometry("coil", coil), colors.spring, r]
                    : force.type === "damper"
                      ? [this.geometry("damper", damper), colors.damper, 0.8 * r]
                      : [this.geometry("bar", bar), force.type === "rod" ? colors.rod : colors.hold, 0.28 * r];
            const mesh = new Mesh(geometry, this.solid(color));
            this.add("force", k, mesh, this.between(mesh, radius, a, b));
            return;
        }
        const vector = Object.values(force.vectors ?? {})[0];
        if (!vector || force.b < 0) return;
        const direction = new Vector3(...vector);
        if (direction.lengthSq() === 0) return;
        direction.normalize();
        const anchor = first ?? ([0, 1, 2].map((i) => poses.matrix(force.b, new Matrix4()).elements[12 + i] ?? 0) as unknown as Vec);
        const isTorque = force.type.includes("torque");
        const mesh = isTorque ? new Mesh(this.geometry("ring", () => new TorusGeometry(1, 0.07, 8, 40, 1.6 * Math.PI).rotateX(Math.PI / 2)), this.sign(colors.force)) : new Mesh(this.geometry("arrow", arrow), this.sign(colors.force));
        mesh.renderOrder = 9;
        const at = this.follow(anchor, force.b, poses);
        const start = new Quaternion().setFromRotationMatrix(poses.matrix(force.b, new Matrix4()));
        const matrix = new Matrix4();
        this.add("force", k, mesh, (now) => {
            at(now, mesh.position);
            const along = direction.clone();
            if (force.turns) along.applyQuaternion(start.clone().invert()).applyQuaternion(new Quaternion().setFromRotationMatrix(now.matrix(force.b, matrix)));
            mesh.quaternion.setFromUnitVectors(up, along);
            if (isTorque) mesh.scale.setScalar(0.06 * size);
            else mesh.scale.set(0.9 * r, 0.16 * size, 0.9 * r);
        });
    }

    private addCable(force: ForceInfo, k: number, a: ReturnType<Links["follow"]>, b: ReturnType<Links["follow"]>): void {
        const eyes = (force.way ?? []).map((p) => new Vector3(...p));
        const line = this.line(new Array(2 * (eyes.length + 1)).fill(null).map(() => new Vector3()), colors.hold);
        const place = line.geometry.getAttribute("position") as BufferAttribute;
        this.add("force", k, line, (now) => {
            const points = [a(now, new Vector3()), ...eyes, b(now, new Vector3())];
            for (let i = 0; i + 1 < points.length; ++i) {
                const [p, q] = [points[i], points[i + 1]];
                if (!p || !q) continue;
                place.setXYZ(2 * i, p.x, p.y, p.z);
                place.setXYZ(2 * i + 1, q.x, q.y, q.z);
            }
            place.needsUpdate = true;
        });
    }

    private line(points: Vector3[], color: string): LineSegments {
        const line = new LineSegments(new BufferGeometry().setFromPoints(points), this.ink(color));
        line.userData.isOwn = true;
        line.renderOrder = 8;
        return line;
    }

    apply(frame: FramePacket): void {
        const poses = new Poses(frame);
        for (const one of this.all) one.update(poses);
    }

    // What is selected is drawn in the colour of selections; forces that do not act now are faint.
    mark(kind: LinkKind, chosen: number[]): void {
        const now = new Set(chosen);
        if (now.size === this.chosen[kind].size && chosen.every((k) => this.chosen[kind].has(k))) return;
        this.chosen[kind] = now;
        for (const one of this.all) {
            if (one.kind !== kind) continue;
            one.object.traverse((o) => {
                const mesh = o as Mesh;
                if (!mesh.isMesh) return;
                mesh.userData.plain ??= mesh.material;
                mesh.material = now.has(one.index) ? this.sign("#ffa62b") : mesh.userData.plain;
            });
        }
    }

    pick(ray: Raycaster): { kind: LinkKind; index: number; distance: number } | null {
        const hit = ray.intersectObject(this.group, true).find((h) => (h.object as Mesh).isMesh && h.object.visible);
        const link = hit?.object.userData.link as { kind: LinkKind; index: number } | undefined;
        return hit && link ? { ...link, distance: hit.distance } : null;
    }
}
