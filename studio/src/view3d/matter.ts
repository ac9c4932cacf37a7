// What a frame holds beside bodies, drawn by what its blocks say of themselves, whoever made them: things of a few kinds
// at their places, dots, triangles with a number as colour. Particles of bodies are drawn by the bodies (skin.ts).
import {
    Box3,
    BufferAttribute,
    BufferGeometry,
    Color,
    DoubleSide,
    DynamicDrawUsage,
    Group,
    InstancedMesh,
    Matrix4,
    Mesh,
    MeshBasicMaterial,
    OctahedronGeometry,
    Quaternion,
    SRGBColorSpace,
    Vector3,
    type Material,
} from "three";
import { numbersOf, readPlaced, type Block, type FramePacket, type SurfacePacket } from "../protocol/packets";
import type { KindInfo, Structure } from "../protocol/types";
import { colorAt } from "../state/colors";
import { makeMaterial, setStyle, type Style } from "./looks";
import type { Quality } from "./quality";
import { surfaceGeometry } from "./shapes";

const kDot = 0.004; // of the scene's size

// What the colours of a group of triangles mean.
export interface Range {
    name: string;
    max: number;
}

interface Things {
    meshes: InstancedMesh[]; // one for each kind
    room: number; // entries that each mesh has room for
}

export class Matter {
    readonly group = new Group();
    private things = new Map<string, Things>();
    private areas = new Map<string, Mesh>();
    private surfaces = new Map<number, SurfacePacket>();
    private kinds: { [group: string]: KindInfo[] } = {};
    private size = 1;
    private style: Style = "shaded";
    private found: Range[] = [];
    private color = new Color();

    constructor(private quality: Quality) {}

    // The largest numbers of the triangles in the frame that is shown.
    get ranges(): Range[] {
        return this.found;
    }

    addSurface(surface: SurfacePacket): void {
        this.surfaces.set(surface.number, surface);
    }

    set(structure: Structure, size: number): void {
        this.size = size;
        this.kinds = structure.kinds ?? {};
        for (const { meshes } of this.things.values()) for (const mesh of meshes) this.drop(mesh);
        for (const mesh of this.areas.values()) this.drop(mesh);
        this.things.clear();
        this.areas.clear();
    }

    private drop(mesh: Mesh): void {
        this.group.remove(mesh);
        mesh.geometry.dispose();
        (mesh.material as Material).dispose();
        if (mesh instanceof InstancedMesh) mesh.dispose();
    }

    setStyle(style: Style): void {
        if (style === this.style) return;
        this.style = style;
        for (const { meshes } of this.things.values()) for (const mesh of meshes) setStyle(mesh.material as Material, style);
    }

    apply(frame: FramePacket): void {
        this.found = [];
        for (const child of this.group.children) child.visible = false;
        for (const block of frame.matter) {
            if (block.as === "triangles") this.showTriangles(frame, block);
            else if (block.name !== "particles") this.showThings(frame, block);
        }
    }

    // ---- many things of a few kinds

    private makeThings(block: Block): Things {
        const known = this.things.get(block.name);
        if (known && known.room >= block.count) return known;
        for (const mesh of known?.meshes ?? []) this.drop(mesh);
        const room = Math.ceil(1.5 * block.count) + 16;
        const kinds = block.as === "poses" ? (this.kinds[block.name] ?? []) : [];
        const meshes = kinds.map((kind) => {
            const geometry = surfaceGeometry(this.surfaces.get(kind.surface));
            const material = makeMaterial("plain", this.quality, false, false);
            return this.addThings(new InstancedMesh(geometry, material, room), kind.color);
        });
        if (meshes.length === 0) meshes.push(this.addThings(new InstancedMesh(new OctahedronGeometry(kDot * this.size, 1), makeMaterial("plain", this.quality, false, false), room), [0.75, 0.78, 0.85]));
        const things = { meshes, room };
        this.things.set(block.name, things);
        return things;
    }
    // Neighbours differ a little, so that one sees them apart.
    private addThings(mesh: InstancedMesh, [r, g, b]: [number, number, number]): InstancedMesh {
        for (let k = 0; k < mesh.instanceMatrix.count; ++k) {
            const shade = 0.86 + 0.28 * (((k * 2654435761) >>> 0) / 2 ** 32);
            mesh.setColorAt(k, this.color.setRGB(Math.min(1, r * shade), Math.min(1, g * shade), Math.min(1, b * shade), SRGBColorSpace));
        }
        mesh.instanceMatrix.setUsage(DynamicDrawUsage);
        mesh.frustumCulled = false;
        mesh.castShadow = mesh.receiveShadow = this.quality.shadows;
        setStyle(mesh.material as Material, this.style);
        this.group.add(mesh);
        return mesh;
    }

    private showThings(frame: FramePacket, block: Block): void {
        const { meshes } = this.makeThings(block);
        const counts = meshes.map(() => 0);
        const place = [0, 0, 0, 0, 0, 0, 1, 1];
        const [matrix, position, rotation, scale] = [new Matrix4(), new Vector3(), new Quaternion(), new Vector3()];
        const points = block.as === "points" ? numbersOf(frame, block) : null;
        for (let k = 0; k < block.count; ++k) {
            let kind = 0;
            if (points) for (let i = 0; i < 3; ++i) place[i] = points[3 * k + i] ?? 0;
            else kind = readPlaced(frame, block, k, place);
            const mesh = meshes[kind] ?? meshes[0];
            if (!mesh) continue;
            position.fromArray(place);
            rotation.fromArray(place, 3).normalize();
            const which = meshes[kind] ? kind : 0;
            const slot = counts[which] ?? 0;
            counts[which] = slot + 1;
            mesh.setMatrixAt(slot, matrix.compose(position, rotation, scale.setScalar(place[7] ?? 1)));
        }
        meshes.forEach((mesh, k) => {
            mesh.count = counts[k] ?? 0;
            mesh.visible = mesh.count > 0;
            mesh.instanceMatrix.needsUpdate = true;
        });
    }

    // ---- triangles with a number

    private makeArea(block: Block): Mesh {
        const known = this.areas.get(block.name);
        if (known && known.geometry.getAttribute("position").count >= 3 * block.count) return known;
        if (known) this.drop(known);
        const geometry = new BufferGeometry();
        const room = 3 * (Math.ceil(1.5 * block.count) + 16);
        for (const name of ["position", "color"]) geometry.setAttribute(name, new BufferAttribute(new Float32Array(3 * room), 3).setUsage(DynamicDrawUsage));
        // They lie between bodies, so they shine through.
        const material = new MeshBasicMaterial({ vertexColors: true, side: DoubleSide, depthTest: false, transparent: true, opacity: 0.92 });
        const mesh = new Mesh(geometry, material);
        mesh.frustumCulled = false;
        mesh.renderOrder = 6;
        this.areas.set(block.name, mesh);
        this.group.add(mesh);
        return mesh;
    }

    private showTriangles(frame: FramePacket, block: Block): void {
        const mesh = this.makeArea(block);
        const numbers = numbersOf(frame, block);
        let max = 0;
        for (let k = 0; k < block.count; ++k) max = Math.max(max, numbers[10 * k + 9] || 0);
        const position = mesh.geometry.getAttribute("position") as BufferAttribute;
        const color = mesh.geometry.getAttribute("color") as BufferAttribute;
        for (let k = 0; k < block.count; ++k) {
            this.color.set(colorAt(max > 0 ? (numbers[10 * k + 9] || 0) / max : 0));
            for (let corner = 0; corner < 3; ++corner) {
                const at = 10 * k + 3 * corner;
                position.setXYZ(3 * k + corner, numbers[at] ?? 0, numbers[at + 1] ?? 0, numbers[at + 2] ?? 0);
                color.setXYZ(3 * k + corner, this.color.r, this.color.g, this.color.b);
            }
        }
        position.needsUpdate = color.needsUpdate = true;
        mesh.geometry.setDrawRange(0, 3 * block.count);
        mesh.visible = block.count > 0;
        if (max > 0) this.found.push({ name: block.name, max });
    }

    // Around all that has a place in a frame, but for the particles of bodies.
    extent(frame: FramePacket): Box3 {
        const box = new Box3();
        const point = new Vector3();
        const place = [0, 0, 0, 0, 0, 0, 1, 1];
        for (const block of frame.matter) {
            if (block.name === "particles" || block.as === "triangles") continue;
            const points = block.as === "points" ? numbersOf(frame, block) : null;
            for (let k = 0; k < block.count; ++k) {
                if (points) point.fromArray(points, 3 * k);
                else readPlaced(frame, block, k, place);
                if (!points) point.fromArray(place);
                if (Number.isFinite(point.x + point.y + point.z)) box.expandByPoint(point);
            }
        }
        return box;
    }
}
