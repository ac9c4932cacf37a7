// The bodies of a structure, drawn by instances: one draw call for all that share a surface.
import {
    SRGBColorSpace,
    Box3,
    BufferGeometry,
    Color,
    DynamicDrawUsage,
    Group,
    InstancedMesh,
    Matrix4,
    Mesh,
    MeshBasicMaterial,
    type MeshLambertMaterial,
    type MeshStandardMaterial,
    PlaneGeometry,
    Quaternion,
    Vector3,
    type Intersection,
    type Material,
    type Raycaster,
} from "three";
import { numbersOf, readPose, type FramePacket, type SurfacePacket } from "../protocol/packets";
import type { BodyInfo, Structure } from "../protocol/types";
import { lookOf, makeMaterial, setStyle, type LookName, type Style } from "./looks";
import { Skin } from "./skin";
import { drawnAs, makeGeometry, type Drawn } from "./shapes";
import type { Quality } from "./quality";

interface Place {
    mesh: InstancedMesh | Mesh;
    slot: number;
    drawn: Drawn | null;
    skin?: Skin;
}

const kPoint = 0.012; // of the scene's size

const ghostMaterial = () => new MeshBasicMaterial({ color: "#9d7bff", transparent: true, opacity: 0.3, depthWrite: false });

export class Bodies {
    readonly group = new Group();
    private places: Place[] = [];
    private infos: BodyInfo[] = [];
    private geometries = new Map<string, BufferGeometry>();
    private surfaces = new Map<number, SurfacePacket>();
    private pose = new Float64Array(7);
    private matrix = new Matrix4();
    private position = new Vector3();
    private rotation = new Quaternion();
    private scale = new Vector3();
    private size = 1;
    private skins: Skin[] = []; // in the order of bodies, which is that of their particles
    private planes: { material: MeshLambertMaterial | MeshStandardMaterial; color: Color }[] = [];

    private style: Style = "shaded";
    private isPainted = false;

    // A ghost is drawn in one faint colour, beside the bodies themselves.
    constructor(
        private quality: Quality,
        private isGhost = false,
    ) {}

    addSurface(surface: SurfacePacket): void {
        this.surfaces.set(surface.number, surface);
        this.geometries.get(`surface ${surface.number}`)?.dispose();
        this.geometries.delete(`surface ${surface.number}`);
    }

    // `size` is how large the scene is, for what has no size of its own.
    set(structure: Structure, size: number): void {
        this.clear();
        this.infos = structure.bodies;
        this.size = size;
        const groups = new Map<string, number[]>();
        structure.bodies.forEach((body, k) => {
            const drawn = drawnAs(body.shape, kPoint * size);
            this.places.push({ mesh: null as unknown as Mesh, slot: 0, drawn });
            if (!drawn && this.isGhost) return;
            const key = body.shape.particles ? `particles ${k}` : drawn ? `${lookOf(body.material, body.sensor)}|${drawn.key}` : `plane ${k}`;
            groups.set(key, [...(groups.get(key) ?? []), k]);
        });
        for (const [key, members] of groups) this.makeGroup(key, members);
    }

    private makeGroup(key: string, members: number[]): void {
        const first = this.places[members[0] ?? 0];
        if (!first?.drawn) {
            this.makePlane(members[0] ?? 0);
            return;
        }
        if (first.drawn.key === "particles") {
            this.makeSkin(members[0] ?? 0);
            return;
        }
        const shape = first.drawn.key;
        let geometry = this.geometries.get(shape);
        if (!geometry) {
            geometry = makeGeometry(shape, this.surfaces, this.quality.name === "software" || members.length > 500);
            this.geometries.set(shape, geometry);
        }
        const look = key.split("|")[0] as LookName;
        const material = this.isGhost ? ghostMaterial() : makeMaterial(look, this.quality, shape.startsWith("surface"), geometry.hasAttribute("uv"));
        const mesh = new InstancedMesh(geometry, material, members.length);
        mesh.instanceMatrix.setUsage(DynamicDrawUsage);
        mesh.frustumCulled = false;
        mesh.castShadow = mesh.receiveShadow = this.quality.shadows && !this.isGhost && look !== "sensor" && look !== "glass";
        mesh.renderOrder = look === "sensor" || look === "glass" ? 2 : 0;
        const color = new Color();
        members.forEach((k, slot) => {
            const place = this.places[k];
            const rgb = this.infos[k]?.color ?? [0.7, 0.7, 0.7];
            if (place) [place.mesh, place.slot] = [mesh, slot];
            if (!this.isGhost) mesh.setColorAt(slot, color.setRGB(rgb[0], rgb[1], rgb[2], SRGBColorSpace));
        });
        if (!this.isGhost) setStyle(material, this.style);
        mesh.userData.members = members;
        this.group.add(mesh);
    }

    // What is made of particles has a surface that changes with every frame, in the coordinates of the world.
    private makeSkin(k: number): void {
        const { shape, color, material: name } = this.infos[k] ?? {};
        const place = this.places[k];
        if (!shape?.particles || !color || !place) return;
        const before = this.skins.reduce((sum, skin) => sum + skin.count, 0);
        const skin = new Skin(shape.particles, before);
        const look = lookOf(name ?? "", false);
        const material = this.isGhost ? ghostMaterial() : makeMaterial(look, this.quality, true, false);
        if (!this.isGhost) (material as MeshLambertMaterial).color.setRGB(color[0], color[1], color[2], SRGBColorSpace);
        if (!this.isGhost) setStyle(material, this.style);
        const mesh = new Mesh(skin.geometry, material);
        mesh.frustumCulled = false;
        mesh.matrixAutoUpdate = false;
        mesh.castShadow = mesh.receiveShadow = this.quality.shadows && !this.isGhost;
        mesh.userData.members = [k];
        this.skins.push(skin);
        place.mesh = mesh;
        place.skin = skin;
        this.group.add(mesh);
    }

    private makePlane(k: number): void {
        const rgb = this.infos[k]?.color ?? [0.7, 0.7, 0.7];
        const geometry = new PlaneGeometry(1, 1).rotateX(-Math.PI / 2);
        const material = makeMaterial("plain", this.quality, true, false) as MeshStandardMaterial;
        this.planes.push({ material, color: new Color().setRGB(rgb[0], rgb[1], rgb[2], SRGBColorSpace) });
        material.polygonOffset = true;
        material.polygonOffsetFactor = material.polygonOffsetUnits = 1;
        const mesh = new Mesh(geometry, material);
        mesh.receiveShadow = this.quality.shadows;
        mesh.matrixAutoUpdate = false;
        mesh.userData.members = [k];
        const place = this.places[k];
        if (place) place.mesh = mesh;
        this.group.add(mesh);
    }

    // Endless floors would outshine everything else in the dark.
    dimPlanes(factor: number): void {
        for (const { material, color } of this.planes) material.color.copy(color).multiplyScalar(factor);
    }

    setStyle(style: Style): void {
        if (style === this.style) return;
        this.style = style;
        for (const child of this.group.children) if (child instanceof InstancedMesh) setStyle(child.material as Material, style);
        for (const place of this.places) if (place.skin) setStyle(place.mesh.material as Material, style);
    }

    // Every body in the colour that `of` gives; null: its own.
    paint(of: ((body: number, out: Color) => void) | null): void {
        if (!of && !this.isPainted) return;
        this.isPainted = of !== null;
        const color = new Color();
        this.places.forEach((place, k) => {
            if (!(place.mesh instanceof InstancedMesh) && !place.skin) return;
            const rgb = this.infos[k]?.color ?? [0.7, 0.7, 0.7];
            if (of) of(k, color);
            else color.setRGB(rgb[0], rgb[1], rgb[2], SRGBColorSpace);
            if (!(place.mesh instanceof InstancedMesh)) (place.mesh.material as MeshLambertMaterial).color.copy(color);
            else place.mesh.setColorAt(place.slot, color);
        });
        for (const mesh of this.group.children) if (mesh instanceof InstancedMesh && mesh.instanceColor) mesh.instanceColor.needsUpdate = true;
    }

    apply(frame: FramePacket): void {
        const count = Math.min(frame.bodies, this.places.length);
        for (let k = 0; k < count; ++k) {
            readPose(frame, k, this.pose);
            this.setPose(k, this.pose);
        }
        const points = frame.matter.find((block) => block.name === "particles");
        if (points && this.skins.length > 0) for (const skin of this.skins) skin.set(numbersOf(frame, points));
        this.finish();
    }

    setPose(k: number, pose: ArrayLike<number>): void {
        const place = this.places[k];
        if (!place?.mesh || place.skin) return;
        this.matrixAt(place, pose);
        if (place.mesh instanceof InstancedMesh) place.mesh.setMatrixAt(place.slot, this.matrix);
        else place.mesh.matrix.copy(this.matrix);
    }

    finish(): void {
        for (const mesh of this.group.children) {
            if (!(mesh instanceof InstancedMesh)) continue;
            mesh.instanceMatrix.needsUpdate = true;
            mesh.boundingSphere = null;
        }
    }

    private matrixAt(place: Place, pose: ArrayLike<number>): void {
        this.position.set(pose[0] ?? 0, pose[1] ?? 0, pose[2] ?? 0);
        this.rotation.set(pose[3] ?? 0, pose[4] ?? 0, pose[5] ?? 0, pose[6] ?? 1);
        if (place.drawn) this.scale.set(...place.drawn.scale);
        else this.scale.setScalar(this.size * 60);
        this.matrix.compose(this.position, this.rotation, this.scale);
    }

    // Where a body is drawn now, with its size.
    matrixOf(k: number, out: Matrix4): boolean {
        const place = this.places[k];
        if (!place?.mesh) return false;
        if (place.mesh instanceof InstancedMesh) place.mesh.getMatrixAt(place.slot, out);
        else out.copy(place.mesh.matrix);
        return true;
    }

    geometryOf(k: number): BufferGeometry | null {
        const place = this.places[k];
        return place?.drawn ? place.mesh.geometry : null;
    }

    pick(ray: Raycaster): { body: number; at: Intersection } | null {
        const hits = ray.intersectObjects(this.group.children, false);
        for (const at of hits) {
            const members = at.object.userData.members as number[];
            const body = members[members.length > 1 ? (at.instanceId ?? 0) : 0];
            if (body !== undefined) return { body, at };
        }
        return null;
    }

    // The box around a body as it is drawn now, along the axes of the world.
    boxOf(k: number, out: Box3): boolean {
        const geometry = this.geometryOf(k);
        if (!geometry || !this.matrixOf(k, this.matrix)) return false;
        if (!geometry.boundingBox || this.places[k]?.skin) geometry.computeBoundingBox();
        if (!geometry.boundingBox) return false;
        out.copy(geometry.boundingBox).applyMatrix4(this.matrix);
        return true;
    }

    get count(): number {
        return this.places.length;
    }

    // Around all bodies; of planes no more than lies below or above the others.
    extent(frame: FramePacket): Box3 {
        const box = new Box3();
        const one = new Box3();
        for (let k = 0; k < Math.min(frame.bodies, this.places.length); ++k) {
            const place = this.places[k];
            if (!place?.drawn) continue;
            if (place.skin) {
                if (place.skin.boxIn(frame, one)) box.union(one);
                continue;
            }
            readPose(frame, k, this.pose);
            const center = new Vector3(this.pose[0], this.pose[1], this.pose[2]);
            let radius = place.drawn.radius;
            if (radius === 0) {
                place.mesh.geometry.computeBoundingSphere();
                const sphere = place.mesh.geometry.boundingSphere;
                radius = (sphere?.radius ?? 0) + (sphere?.center.length() ?? 0);
            }
            if (!Number.isFinite(center.x + center.y + center.z + radius)) continue;
            box.expandByPoint(center.clone().addScalar(radius)).expandByPoint(center.clone().subScalar(radius));
        }
        const middle = box.getCenter(new Vector3());
        const size = box.getSize(new Vector3()).length();
        for (let k = 0; k < Math.min(frame.bodies, this.places.length) && !box.isEmpty(); ++k) {
            if (this.places[k]?.drawn) continue;
            readPose(frame, k, this.pose);
            const height = this.pose[1] ?? 0;
            if (Math.abs(height - middle.y) < 10 * size) box.expandByPoint(new Vector3(middle.x, height, middle.z));
        }
        return box;
    }

    private clear(): void {
        for (const mesh of this.group.children as (Mesh | InstancedMesh)[]) {
            (mesh.material as Material).dispose();
            if (mesh instanceof InstancedMesh) mesh.dispose();
            else mesh.geometry.dispose();
        }
        this.skins = [];
        this.group.clear();
        this.places = [];
        this.planes = [];
        for (const [key, geometry] of this.geometries) {
            if (key.startsWith("surface")) {
                geometry.dispose();
                this.geometries.delete(key);
            }
        }
    }
}
