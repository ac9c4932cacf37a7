// The 3D view: draws frames when something has changed, in one view or four, picks, and moves what is selected. The
// page's state is elsewhere; this is told by it (View) and tells what the mouse did (Hooks).
import CameraControls from "camera-controls";
import {
    AmbientLight,
    Box3,
    CanvasTexture,
    Clock,
    Color,
    DirectionalLight,
    Fog,
    HemisphereLight,
    MathUtils,
    Matrix3,
    Matrix4,
    NeutralToneMapping,
    Object3D,
    PCFSoftShadowMap,
    PerspectiveCamera,
    Plane,
    PMREMGenerator,
    Quaternion,
    Raycaster,
    Scene,
    Sphere,
    Spherical,
    SRGBColorSpace,
    Vector2,
    Vector3,
    Vector4,
    WebGLRenderer,
    type LineSegments,
    type Material,
    type Texture,
} from "three";
import { TransformControls } from "three/addons/controls/TransformControls.js";
import { RoomEnvironment } from "three/addons/environments/RoomEnvironment.js";
import type { FramePacket, SurfacePacket } from "../protocol/packets";
import { readPose } from "../protocol/packets";
import type { Structure, Vec } from "../protocol/types";
import { Bodies } from "./bodies";
import { Links, type LinkKind } from "./links";
import { Matter, type Range } from "./matter";
import { Arrows, ContactMarks, Dots, makeGrid, niceStep, Outline, Wires } from "./overlays";
import { Pane, type PaneName } from "./panes";
import { qualityOf, rendererName, type Quality } from "./quality";
import { drawRulers } from "./rulers";
import type { Style } from "./looks";
import { Stereo, type StereoSettings } from "./stereo";

const THREE = { Box3, Matrix4, Quaternion, Raycaster, Sphere, Spherical, Vector2, Vector3, Vector4, Matrix3, MathUtils };
CameraControls.install({ THREE: THREE as never });

export type CameraMode = "orbit" | "fly" | "follow" | "attached";

export interface Look {
    theme: "dark" | "light";
    contacts: boolean;
    joints: boolean;
    grid: boolean;
    shadows: boolean;
    velocities: boolean;
    trails: boolean;
    centers: boolean;
    boxes: boolean;
    style: Style;
    stereo: StereoSettings;
    tool: "select" | "move" | "rotate" | "scale" | "hand" | "link";
    bodies: number[]; // selected, the one that leads first
    joints_: number[];
    forces: number[];
    canMove: boolean;
    layout: "single" | "four";
    camera: CameraMode;
}

export type Rotation = [number, number, number, number]; // w, x, y, z
export interface Placed {
    body: number;
    position: Vec;
    rotation: Rotation;
}
export interface Hit {
    kind: "body" | LinkKind;
    index: number;
    point: Vec;
    normal: Vec;
}

export interface Hooks {
    look(): Look;
    picked(hit: Hit | null, isMore: boolean): void;
    boxed(bodies: number[], isMore: boolean): void;
    framed(box: { left: number; top: number; width: number; height: number } | null): void;
    hovered(name: Hit | null, x: number, y: number): void;
    dragStarted(): void;
    dragged(placed: Placed[], isDone: boolean): void;
    scaled(factor: Vec): void;
    grabbed(body: number, point: Vec, target: Vec | null): void;
    turned(camera: Quaternion): void;
    drawn(frame: FramePacket): void;
    // What the colours of areas mean now.
    ranged(ranges: Range[]): void;
    // Colour of bodies by a column; null: their own.
    paint(): ((body: number, out: Color) => void) | null;
    velocities(): Float32Array | null;
    centers(): Map<number, Vec>;
    trail(body: number): Float32Array;
}

const kFog = { dark: "#262c37", light: "#dfe6ee" };
const kSky = { dark: ["#161a21", "#262c37", "#1d222b"], light: ["#c9d6e4", "#e6ecf2", "#dde3ea"] };
const kPlain = { dark: "#1b2028", light: "#eef2f6" }; // behind views in parallel projection
const kGridInk = { dark: "#aab4c5", light: "#4a5568" };
const kInk = { dark: "#98a2b3", light: "#566074" };
const kMostTrails = 60;

interface Press {
    pane: Pane;
    x: number;
    y: number;
    isMore: boolean;
    what: "click" | "box" | "grab";
    body: number;
    point: Vec;
    plane: Plane;
}

export class Viewer {
    readonly quality: Quality;
    private renderer: WebGLRenderer;
    private scene = new Scene();
    private panes: Pane[];
    private active: Pane;
    private gizmos = new Map<Pane, TransformControls>();
    private handle = new Object3D();
    private bodies: Bodies;
    private ghost: Bodies;
    private matter: Matter;
    private links = new Links();
    private contacts = new ContactMarks();
    private velocities = new Arrows("#5ad1a0");
    private trails = new Wires("#ffd23f", 0.8);
    private boxes = new Wires("#9fb3d1", 0.55);
    private centers = new Dots();
    private outlines: Outline[] = [];
    private hoverRim = new Outline("#8fb8ff");
    private sun = new DirectionalLight("#fff4e6", 2);
    private grids = new Map<PaneName, LineSegments>();
    private stereo = new Stereo();
    private clock = new Clock();
    private frame: FramePacket | null = null;
    private structure: Structure | null = null;
    private ghostStructure: Structure | null = null;
    private hover: Hit | null = null;
    private size = 1;
    private center = new Vector3();
    private isDirty = true;
    private hasRested = false;
    private isDragging = false;
    private startPoses: Placed[] = [];
    private startHandle = new Matrix4();
    private press: Press | null = null;
    private needsFit = true;
    private isSetUp = false;
    private gridInk = "";
    private sky: { [theme: string]: Texture } = {};
    private floor = 0;
    private keys = new Set<string>();
    private cameraMode: CameraMode = "orbit";
    private lastCarrier = new Matrix4();
    private snapStep = 0;

    constructor(
        private canvas: HTMLCanvasElement,
        elements: { [name in PaneName]: HTMLElement },
        private hooks: Hooks,
    ) {
        this.quality = qualityOf(location.hash === "#full" ? "" : rendererName(), window.devicePixelRatio);
        this.renderer = new WebGLRenderer({ canvas, antialias: this.quality.antialias, powerPreference: "high-performance" });
        this.renderer.setPixelRatio(this.quality.pixelRatio);
        this.renderer.outputColorSpace = SRGBColorSpace;
        this.renderer.toneMapping = NeutralToneMapping;
        this.renderer.shadowMap.enabled = this.quality.shadows;
        this.renderer.shadowMap.type = PCFSoftShadowMap;
        this.bodies = new Bodies(this.quality);
        this.ghost = new Bodies(this.quality, true);
        this.matter = new Matter(this.quality);
        this.addLights();
        this.scene.add(this.bodies.group, this.ghost.group, this.matter.group, this.links.group, this.contacts.group, this.velocities.group, this.trails.group, this.boxes.group, this.centers.group, this.hoverRim.group, this.handle);
        this.panes = (["free", "front", "right", "top"] as const).map((name) => new Pane(name, elements[name]));
        this.active = this.panes[0] as Pane;
        for (const pane of this.panes) this.listen(pane);
        new ResizeObserver(() => this.resize()).observe(canvas.parentElement ?? canvas);
        window.addEventListener("keydown", (e) => this.flyKey(e, true));
        window.addEventListener("keyup", (e) => this.flyKey(e, false));
        this.resize();
        this.loop();
    }

    private get free(): Pane {
        return this.panes[0] as Pane;
    }

    private addLights(): void {
        if (this.quality.name === "full") {
            const generator = new PMREMGenerator(this.renderer);
            this.scene.environment = generator.fromScene(new RoomEnvironment(), 0.04).texture;
            this.scene.environmentIntensity = 0.35;
            generator.dispose();
            this.scene.add(new HemisphereLight("#dfe9f7", "#6f6a62", 0.3));
        } else {
            this.scene.add(new HemisphereLight("#f2f6fc", "#777067", 1.9), new AmbientLight("#ffffff", 0.25));
        }
        this.sun.castShadow = this.quality.shadows;
        this.sun.shadow.mapSize.set(2048, 2048);
        this.scene.add(this.sun, this.sun.target);
    }

    // ---- what is shown

    addSurface(surface: SurfacePacket): void {
        this.bodies.addSurface(surface);
        this.ghost.addSurface(surface);
        this.matter.addSurface(surface);
    }

    setStructure(structure: Structure, isSame: boolean): void {
        this.structure = structure;
        this.frame = null;
        this.isSetUp = false;
        this.contacts.forget();
        this.velocities.forget();
        this.showGhost(null);
        if (!isSame) this.needsFit = true;
        this.setHover(null, 0, 0);
        this.bodies.set(structure, this.size);
        this.matter.set(structure, this.size);
        this.isDirty = true;
    }

    showFrame(frame: FramePacket): void {
        this.frame = frame;
        if (!this.isSetUp) this.setUp(frame);
        this.bodies.apply(frame);
        this.matter.apply(frame);
        this.hooks.ranged(this.matter.ranges);
        this.carryCamera(frame);
        if (!this.isDragging) this.placeHandle();
        this.isDirty = true;
    }

    // The same moment of another branch, which must have the same bodies.
    showGhost(frame: FramePacket | null): void {
        if (frame && this.ghostStructure !== this.structure && this.structure) {
            this.ghostStructure = this.structure;
            this.ghost.set(this.structure, this.size);
        }
        this.ghost.group.visible = frame !== null && frame.bodies === this.structure?.bodies.length;
        if (frame && this.ghost.group.visible) this.ghost.apply(frame);
        this.isDirty = true;
    }

    // Sizes that come from where things are at first.
    private setUp(frame: FramePacket): void {
        if (!this.structure) return;
        this.isSetUp = true;
        const box = this.bodies.extent(frame).union(this.matter.extent(frame));
        if (box.isEmpty()) box.set(new Vector3(-1, 0, -1), new Vector3(1, 1, 1));
        if (this.needsFit) {
            this.size = Math.max(1e-6, box.getSize(new Vector3()).length());
            box.getCenter(this.center);
            this.floor = box.min.y < -0.02 * this.size && !this.structure.bodies.some((b) => b.shape.type === "plane") ? box.min.y : 0;
            this.bodies.set(this.structure, this.size);
            this.matter.set(this.structure, this.size);
            const camera = this.free.camera as PerspectiveCamera;
            camera.near = this.size / 500;
            camera.far = this.size * 120;
            camera.updateProjectionMatrix();
            this.fit(false);
            this.needsFit = false;
            this.setSnap(this.snapStep > 0);
        }
        this.links.set(this.structure, frame, this.size);
        this.gridInk = "";
        this.placeSun();
    }

    private placeSun(): void {
        const r = this.size;
        this.sun.position.copy(this.center).add(new Vector3(0.55, 1.15, 0.7).multiplyScalar(2 * r));
        this.sun.target.position.copy(this.center);
        const shadow = this.sun.shadow.camera;
        shadow.left = shadow.bottom = -1.3 * r;
        shadow.right = shadow.top = 1.3 * r;
        this.sun.shadow.normalBias = 0.003 * r;
        shadow.near = 0.1 * r;
        shadow.far = 6 * r;
        shadow.updateProjectionMatrix();
    }

    private fit(isSmooth: boolean): void {
        const view = this.structure?.view;
        const camera = this.free.camera as PerspectiveCamera;
        const target = view?.target ? new Vector3(...view.target) : this.center;
        for (const pane of this.panes) pane.fitParallel(this.center, this.size, isSmooth);
        if (view?.camera) {
            void this.free.controls.setLookAt(...view.camera, target.x, target.y, target.z, isSmooth);
            return;
        }
        const out = new Vector3(0.62, 0.42, 1).normalize();
        const distance = (0.62 * this.size) / Math.tan((camera.fov * Math.PI) / 360) / Math.min(1, camera.aspect);
        const eye = target.clone().addScaledVector(out, distance);
        void this.free.controls.setLookAt(eye.x, eye.y, eye.z, target.x, target.y, target.z, isSmooth);
    }

    frameAll(): void {
        this.needsFit = true;
        this.isSetUp = false;
        if (this.frame) this.showFrame(this.frame);
    }

    frameSelected(): void {
        const box = new Box3();
        const one = new Box3();
        for (const k of this.hooks.look().bodies) if (this.bodies.boxOf(k, one)) box.union(one);
        if (box.isEmpty()) return this.frameAll();
        const sphere = box.getBoundingSphere(new Sphere());
        for (const pane of this.panes) {
            if (pane === this.free) void pane.controls.fitToSphere(new Sphere(sphere.center, sphere.radius * 2.2), true);
            else pane.fitParallel(sphere.center, sphere.radius * 4, true);
        }
    }

    // "x", "-x", …: from that side.
    lookAlong(axis: string): void {
        const sign = axis.startsWith("-") ? -1 : 1;
        const out = { x: new Vector3(1, 0, 0), y: new Vector3(0, 1, 0.0001), z: new Vector3(0, 0, 1) }[axis.replace("-", "")];
        const target = this.free.controls.getTarget(new Vector3());
        if (!out) return;
        const eye = target.clone().addScaledVector(out, sign * this.free.controls.distance);
        void this.free.controls.setLookAt(eye.x, eye.y, eye.z, target.x, target.y, target.z, true);
    }

    refresh(): void {
        const mode = this.hooks.look().camera;
        if (mode !== this.cameraMode) this.setCamera(mode);
        this.placeHandle();
        this.isDirty = true;
    }

    // After views came, went or changed their size.
    relayout(): void {
        this.resize();
        this.isDirty = true;
    }

    // ---- cameras that move

    private setCamera(mode: CameraMode): void {
        const { controls } = this.free;
        const eye = controls.getPosition(new Vector3());
        const target = controls.getTarget(new Vector3());
        const ahead = target.clone().sub(eye).normalize();
        // Flying turns about the eye itself: its target is just ahead.
        if (mode === "fly") target.copy(eye).addScaledVector(ahead, this.size / 400);
        else if (this.cameraMode === "fly") target.copy(eye).addScaledVector(ahead, this.size);
        void controls.setLookAt(eye.x, eye.y, eye.z, target.x, target.y, target.z, false);
        controls.azimuthRotateSpeed = controls.polarRotateSpeed = mode === "fly" ? -0.3 : 1;
        this.cameraMode = mode;
        this.keys.clear();
        if (this.frame) this.lastCarrier = this.carrier(this.frame);
    }

    private carrier(frame: FramePacket): Matrix4 {
        const body = this.hooks.look().bodies[0] ?? -1;
        const pose = [0, 0, 0, 0, 0, 0, 1];
        if (body >= 0 && body < frame.bodies) readPose(frame, body, pose);
        const turn = this.cameraMode === "attached" ? new Quaternion(pose[3], pose[4], pose[5], pose[6]) : new Quaternion();
        return new Matrix4().compose(new Vector3(pose[0], pose[1], pose[2]), turn, new Vector3(1, 1, 1));
    }

    private carryCamera(frame: FramePacket): void {
        if (this.cameraMode !== "follow" && this.cameraMode !== "attached") return;
        const now = this.carrier(frame);
        const step = now.clone().multiply(this.lastCarrier.clone().invert());
        this.lastCarrier = now;
        const { controls } = this.free;
        const eye = controls.getPosition(new Vector3()).applyMatrix4(step);
        const target = controls.getTarget(new Vector3()).applyMatrix4(step);
        void controls.setLookAt(eye.x, eye.y, eye.z, target.x, target.y, target.z, false);
    }

    private flyKey(event: KeyboardEvent, isDown: boolean): void {
        if (this.cameraMode !== "fly" || (event.target as HTMLElement).closest?.("input, textarea, select, dialog")) return;
        if (!/^Key[WASDQE]$/.test(event.code) || event.ctrlKey || event.metaKey) return;
        if (isDown) this.keys.add(event.code);
        else this.keys.delete(event.code);
        event.stopImmediatePropagation();
    }

    private fly(seconds: number): void {
        if (this.cameraMode !== "fly" || this.keys.size === 0) return;
        const way = 0.45 * this.size * Math.min(0.1, seconds);
        const along = (plus: string, minus: string) => way * ((this.keys.has(plus) ? 1 : 0) - (this.keys.has(minus) ? 1 : 0));
        const { controls } = this.free;
        const ahead = controls.getTarget(new Vector3()).sub(controls.getPosition(new Vector3())).normalize();
        const right = new Vector3().crossVectors(ahead, this.free.camera.up).normalize();
        const step = ahead.multiplyScalar(along("KeyW", "KeyS")).addScaledVector(right, along("KeyD", "KeyA"));
        step.addScaledVector(this.free.camera.up, along("KeyE", "KeyQ"));
        const eye = controls.getPosition(new Vector3()).add(step);
        const target = controls.getTarget(new Vector3()).add(step);
        void controls.setLookAt(eye.x, eye.y, eye.z, target.x, target.y, target.z, false);
        this.isDirty = true;
    }

    // ---- the mouse

    private listen(pane: Pane): void {
        const { element } = pane;
        const gizmo = new TransformControls(pane.camera, element);
        gizmo.setSize(pane.isParallel ? 0.7 : 0.85);
        this.gizmos.set(pane, gizmo);
        this.scene.add(gizmo.getHelper());
        element.addEventListener("pointerdown", (e) => this.pointerDown(pane, e), { capture: true });
        element.addEventListener("pointermove", (e) => this.pointerMove(pane, e));
        element.addEventListener("pointerup", (e) => this.pointerUp(pane, e));
        element.addEventListener("pointercancel", () => this.release());
        element.addEventListener("pointerleave", () => this.setHover(null, 0, 0));
        element.addEventListener("dblclick", () => this.frameSelected());
        element.addEventListener("contextmenu", (e) => e.preventDefault());
        gizmo.addEventListener("change", () => (this.isDirty = true));
        gizmo.addEventListener("dragging-changed", (event) => {
            this.isDragging = event.value as boolean;
            pane.controls.enabled = !this.isDragging;
            if (this.isDragging) this.startDrag();
            else this.tellDrag(true);
        });
        gizmo.addEventListener("objectChange", () => this.tellDrag(false));
    }

    private pointerDown(pane: Pane, e: PointerEvent): void {
        this.active = pane;
        if (e.button !== 0 || this.gizmos.get(pane)?.axis) return;
        const look = this.hooks.look();
        const isMore = e.shiftKey || e.ctrlKey || e.metaKey;
        const press: Press = { pane, x: e.clientX, y: e.clientY, isMore, what: "click", body: -1, point: [0, 0, 0], plane: new Plane() };
        const wantsHand = look.tool === "hand" || e.altKey;
        if (wantsHand) {
            const hit = this.pick(pane, e);
            if (hit?.kind === "body" && this.structure?.bodies[hit.index]?.kind === "dynamic") {
                press.what = "grab";
                press.body = hit.index;
                press.plane.setFromNormalAndCoplanarPoint(pane.camera.getWorldDirection(new Vector3()), new Vector3(...hit.point));
                const matrix = this.poseOf(hit.index).invert();
                press.point = new Vector3(...hit.point).applyMatrix4(matrix).toArray() as Vec;
                pane.controls.enabled = false;
                element(e).setPointerCapture(e.pointerId);
                this.hooks.grabbed(hit.index, press.point, hit.point);
            }
        } else if (e.shiftKey || pane.isParallel) {
            press.what = "box";
            pane.controls.enabled = false;
            element(e).setPointerCapture(e.pointerId);
        }
        this.press = press;
    }

    private pointerMove(pane: Pane, e: PointerEvent): void {
        const press = this.press;
        if (e.buttons === 0) return this.setHover(this.gizmos.get(pane)?.axis ? null : this.pick(pane, e), e.clientX, e.clientY);
        if (!press || press.pane !== pane) return;
        if (press.what === "grab") {
            const target = this.ray(pane, e).ray.intersectPlane(press.plane, new Vector3());
            if (target) this.hooks.grabbed(press.body, press.point, target.toArray() as Vec);
        } else if (press.what === "box") {
            this.hooks.framed({ left: Math.min(press.x, e.clientX), top: Math.min(press.y, e.clientY), width: Math.abs(e.clientX - press.x), height: Math.abs(e.clientY - press.y) });
        }
    }

    private pointerUp(pane: Pane, e: PointerEvent): void {
        const press = this.press;
        if (!press) return;
        const moved = Math.hypot(e.clientX - press.x, e.clientY - press.y);
        this.release();
        if (press.what === "grab" || this.isDragging || e.button !== 0) return;
        if (moved > 4) {
            if (press.what === "box") this.hooks.boxed(this.inside(pane, press, e), press.isMore);
            return;
        }
        if (!this.gizmos.get(pane)?.axis) this.hooks.picked(this.pick(pane, e), press.isMore);
    }

    private release(): void {
        const press = this.press;
        this.press = null;
        if (!press) return;
        press.pane.controls.enabled = true;
        this.hooks.framed(null);
        if (press.what === "grab") this.hooks.grabbed(press.body, press.point, null);
    }

    private inside(pane: Pane, from: { x: number; y: number }, to: PointerEvent): number[] {
        const [left, right] = [Math.min(from.x, to.clientX), Math.max(from.x, to.clientX)];
        const [top, bottom] = [Math.min(from.y, to.clientY), Math.max(from.y, to.clientY)];
        const found: number[] = [];
        for (let k = 0; k < this.bodies.count; ++k) {
            if (!this.bodies.geometryOf(k)) continue;
            const at = this.screenPlace(k, pane.name);
            if (at.x >= left && at.x <= right && at.y >= top && at.y <= bottom) found.push(k);
        }
        return found;
    }

    setSnap(isOn: boolean): void {
        this.snapStep = isOn ? niceStep(this.size / 100) : 0;
        for (const gizmo of this.gizmos.values()) {
            gizmo.setTranslationSnap(isOn ? this.snapStep : null);
            gizmo.setRotationSnap(isOn ? Math.PI / 12 : null);
            gizmo.setScaleSnap(isOn ? 0.1 : null);
        }
    }

    private poseOf(body: number): Matrix4 {
        const pose = [0, 0, 0, 0, 0, 0, 1];
        if (this.frame && body < this.frame.bodies) readPose(this.frame, body, pose);
        return new Matrix4().compose(new Vector3(pose[0], pose[1], pose[2]), new Quaternion(pose[3], pose[4], pose[5], pose[6]), new Vector3(1, 1, 1));
    }

    private startDrag(): void {
        this.hooks.dragStarted();
        this.handle.updateMatrix();
        this.startHandle.compose(this.handle.position, this.handle.quaternion, new Vector3(1, 1, 1));
        this.startPoses = this.hooks.look().bodies.map((body) => placed(body, this.poseOf(body)));
    }

    private tellDrag(isDone: boolean): void {
        const { tool } = this.hooks.look();
        this.isDirty = true;
        if (tool === "scale") {
            if (isDone) this.hooks.scaled(this.handle.scale.toArray() as Vec);
            if (isDone) this.handle.scale.set(1, 1, 1);
            return;
        }
        const now = new Matrix4().compose(this.handle.position, this.handle.quaternion, new Vector3(1, 1, 1));
        const step = now.multiply(this.startHandle.clone().invert());
        const moved = this.startPoses.map(({ body, position, rotation: [w, x, y, z] }) => {
            const pose = new Matrix4().compose(new Vector3(...position), new Quaternion(x, y, z, w), new Vector3(1, 1, 1));
            return placed(body, pose.premultiply(step));
        });
        for (const { body, position, rotation: [w, x, y, z] } of moved) this.bodies.setPose(body, [...position, x, y, z, w]);
        this.bodies.finish();
        this.hooks.dragged(moved, isDone);
    }

    private ray(pane: Pane, event: { clientX: number; clientY: number }): Raycaster {
        const box = pane.element.getBoundingClientRect();
        const at = new Vector2(((event.clientX - box.left) / box.width) * 2 - 1, 1 - ((event.clientY - box.top) / box.height) * 2);
        const ray = new Raycaster();
        ray.setFromCamera(at, pane.camera);
        return ray;
    }

    private pick(pane: Pane, event: { clientX: number; clientY: number }): Hit | null {
        const ray = this.ray(pane, event);
        const link = this.links.group.visible && this.hooks.look().tool !== "link" ? this.links.pick(ray) : null;
        // Joints and forces shine through bodies, so they come first.
        if (link) return { kind: link.kind, index: link.index, point: [0, 0, 0], normal: [0, 1, 0] };
        const hit = this.bodies.pick(ray);
        if (!hit) return null;
        const normal = (hit.at.face?.normal ?? new Vector3(0, 1, 0)).clone();
        const matrix = new Matrix4();
        if (this.bodies.matrixOf(hit.body, matrix)) normal.applyMatrix3(new Matrix3().getNormalMatrix(matrix)).normalize();
        return { kind: "body", index: hit.body, point: hit.at.point.toArray() as Vec, normal: normal.toArray() as Vec };
    }

    private setHover(hit: Hit | null, x: number, y: number): void {
        if (hit?.kind !== this.hover?.kind || hit?.index !== this.hover?.index) this.isDirty = true;
        this.hover = hit;
        const { tool } = this.hooks.look();
        for (const pane of this.panes) pane.element.style.cursor = tool === "link" ? "crosshair" : tool === "hand" ? "grab" : hit ? "pointer" : "default";
        const box = this.canvas.getBoundingClientRect();
        this.hooks.hovered(hit, x - box.left, y - box.top);
    }

    private placeHandle(): void {
        const look = this.hooks.look();
        const lead = look.bodies[0] ?? -1;
        const mode = look.tool === "move" ? "translate" : look.tool === "rotate" ? "rotate" : look.tool === "scale" ? "scale" : null;
        const isShown = mode !== null && lead >= 0 && look.canMove && this.frame !== null && lead < this.frame.bodies;
        if (!isShown || !mode) {
            for (const gizmo of this.gizmos.values()) gizmo.detach();
            return;
        }
        this.poseOf(lead).decompose(this.handle.position, this.handle.quaternion, new Vector3());
        this.handle.scale.set(1, 1, 1);
        for (const gizmo of this.gizmos.values()) {
            gizmo.setMode(mode);
            gizmo.setSpace(mode === "translate" ? "world" : "local");
            gizmo.attach(this.handle);
        }
    }

    // ---- drawing

    private resize(): void {
        const box = this.canvas.parentElement;
        this.renderer.setSize(Math.max(1, box?.clientWidth ?? 1), Math.max(1, box?.clientHeight ?? 1), false);
        this.isDirty = true;
    }

    private loop = (): void => {
        requestAnimationFrame(this.loop);
        const seconds = this.clock.getDelta();
        for (const pane of this.panes) if (pane.controls.update(seconds)) this.isDirty = true;
        this.fly(seconds);
        this.hasRested = !this.isDirty;
        if (!this.isDirty) return;
        this.isDirty = false;
        this.draw();
    };

    // What is on the screen is what is to be seen: no camera moves, and nothing has changed since it was drawn.
    get isStill(): boolean {
        return this.hasRested && !this.isDirty;
    }
    // The mouse is on an arrow or ring of the tool.
    get isOnHandle(): boolean {
        return [...this.gizmos.values()].some((gizmo) => gizmo.axis != null);
    }

    private draw(): void {
        const look = this.hooks.look();
        this.scene.fog = new Fog(kFog[look.theme], 4 * this.size, 26 * this.size);
        this.bodies.setStyle(look.style);
        this.matter.setStyle(look.style);
        this.bodies.dimPlanes(look.theme === "dark" ? 0.2 : 0.86);
        this.bodies.paint(this.hooks.paint());
        this.sun.castShadow = this.quality.shadows && look.shadows;
        this.makeGrids(look);
        this.drawOverlays(look);
        const canvas = this.canvas.getBoundingClientRect();
        this.renderer.setScissorTest(true);
        for (const pane of this.panes) {
            if (!pane.place(canvas)) continue;
            const { x, y, width, height } = pane.box;
            for (const [name, grid] of this.grids) grid.visible = name === pane.name && look.grid;
            for (const [other, gizmo] of this.gizmos) gizmo.getHelper().visible = other === pane && gizmo.object !== undefined;
            this.scene.background = pane.isParallel ? new Color(kPlain[look.theme]) : this.skyOf(look.theme);
            const fog: Fog | null = this.scene.fog as Fog | null;
            if (pane.isParallel) this.scene.fog = null;
            this.drawRims(look, pane);
            this.renderer.setViewport(x, y, width, height);
            this.renderer.setScissor(x, y, width, height);
            if (pane === this.free && look.stereo.mode !== "off") this.stereo.draw(this.renderer, this.scene, pane.camera as PerspectiveCamera, look.stereo, pane.box);
            else this.renderer.render(this.scene, pane.camera);
            this.scene.fog = fog;
            const rulers = pane.element.querySelector("canvas");
            const range = pane.range();
            if (rulers && range) drawRulers(rulers, range, kInk[look.theme], kPlain[look.theme]);
        }
        this.hooks.turned(this.free.camera.quaternion);
        if (this.frame) this.hooks.drawn(this.frame);
    }

    private drawOverlays(look: Look): void {
        const { frame } = this;
        this.contacts.group.visible = look.contacts && frame !== null;
        this.links.group.visible = look.joints;
        this.velocities.group.visible = this.trails.group.visible = this.boxes.group.visible = this.centers.group.visible = false;
        if (!frame) return;
        if (look.contacts) this.contacts.apply(frame, this.size);
        this.links.apply(frame);
        this.links.mark("joint", look.joints_);
        this.links.mark("force", look.forces);
        const count = Math.min(frame.bodies, this.bodies.count);
        const places = new Float32Array(3 * count);
        const pose = new Float64Array(7);
        for (let k = 0; k < count; ++k) {
            readPose(frame, k, pose);
            places.set([pose[0] ?? 0, pose[1] ?? 0, pose[2] ?? 0], 3 * k);
        }
        const velocities = look.velocities ? this.hooks.velocities() : null;
        if (velocities) {
            this.velocities.group.visible = true;
            this.velocities.set(places, velocities, this.size);
        }
        if (look.trails) {
            this.trails.group.visible = true;
            const chosen = look.bodies.length > 0 ? look.bodies : [...Array(count).keys()].filter((k) => this.structure?.bodies[k]?.kind === "dynamic");
            const parts = chosen.slice(0, kMostTrails).map((k) => this.hooks.trail(k));
            const all = new Float32Array(parts.reduce((sum, part) => sum + part.length, 0));
            let at = 0;
            for (const part of parts) {
                all.set(part, at);
                at += part.length;
            }
            this.trails.set(all);
        }
        if (look.boxes) {
            this.boxes.group.visible = true;
            this.boxes.set(this.boxLines(count));
        }
        if (look.centers) {
            this.centers.group.visible = true;
            const centers = this.hooks.centers();
            const dots: number[] = [];
            for (const [k, center] of centers) if (k < count) dots.push(...new Vector3(...center).applyMatrix4(this.poseOf(k)).toArray());
            this.centers.set(dots, 0.006 * this.size);
        }
    }

    private boxLines(count: number): Float32Array {
        const lines: number[] = [];
        const box = new Box3();
        for (let k = 0; k < count && lines.length < 300_000; ++k) {
            if (!this.bodies.boxOf(k, box)) continue;
            const ends = [box.min, box.max] as const;
            const corner = (n: number) => [ends[n & 1]?.x ?? 0, ends[(n >> 1) & 1]?.y ?? 0, ends[(n >> 2) & 1]?.z ?? 0];
            for (let n = 0; n < 8; ++n) for (const bit of [1, 2, 4]) if ((n & bit) === 0) lines.push(...corner(n), ...corner(n | bit));
        }
        return new Float32Array(lines);
    }

    // Lighter towards the horizon.
    private skyOf(theme: "dark" | "light"): Texture {
        const known = this.sky[theme];
        if (known) return known;
        const canvas = document.createElement("canvas");
        [canvas.width, canvas.height] = [4, 256];
        const context = canvas.getContext("2d") as CanvasRenderingContext2D;
        const gradient = context.createLinearGradient(0, 0, 0, 256);
        kSky[theme].forEach((color, k) => gradient.addColorStop(k / 2, color));
        context.fillStyle = gradient;
        context.fillRect(0, 0, 4, 256);
        const texture = new CanvasTexture(canvas);
        texture.colorSpace = SRGBColorSpace;
        this.sky[theme] = texture;
        return texture;
    }

    // One for each view, in the plane that it looks at.
    private makeGrids(look: Look): void {
        const ink = kGridInk[look.theme];
        if (ink === this.gridInk) return;
        this.gridInk = ink;
        for (const grid of this.grids.values()) {
            this.scene.remove(grid);
            grid.geometry.dispose();
            (grid.material as Material).dispose();
        }
        this.grids.clear();
        for (const pane of this.panes) {
            const grid = makeGrid(niceStep(this.size / 15), 40, ink);
            if (pane.name === "front") grid.rotation.x = Math.PI / 2;
            else if (pane.name === "right") grid.rotation.z = Math.PI / 2;
            else grid.position.y = this.floor;
            this.grids.set(pane.name, grid);
            this.scene.add(grid);
        }
    }

    private drawRims(look: Look, pane: Pane): void {
        const chosen = look.bodies.slice(0, 60);
        while (this.outlines.length < chosen.length) {
            const outline = new Outline("#ffa62b");
            this.outlines.push(outline);
            this.scene.add(outline.group);
        }
        this.outlines.forEach((outline, k) => this.drawRim(outline, chosen[k] ?? -1, pane));
        const hover = this.hover?.kind === "body" ? this.hover.index : -1;
        this.drawRim(this.hoverRim, chosen.includes(hover) ? -1 : hover, pane);
    }

    private drawRim(rim: Outline, body: number, pane: Pane): void {
        const matrix = new Matrix4();
        const geometry = body >= 0 ? this.bodies.geometryOf(body) : null;
        if (!geometry || !this.bodies.matrixOf(body, matrix)) return rim.hide();
        rim.show(geometry, matrix, (place) => pane.pixelAt(place));
    }

    // Where a body is on the screen, in pixels of the page.
    screenPlace(body: number, pane: PaneName = "free"): { x: number; y: number } {
        return this.screenPoint(new Vector3().setFromMatrixPosition(this.poseOf(body)).toArray() as Vec, pane);
    }

    screenPoint(point: Vec, name: PaneName = "free"): { x: number; y: number } {
        const pane = this.panes.find((p) => p.name === name) ?? this.free;
        pane.camera.updateMatrixWorld();
        const p = new Vector3(...point).project(pane.camera);
        const box = pane.element.getBoundingClientRect();
        return { x: box.left + ((p.x + 1) / 2) * box.width, y: box.top + ((1 - p.y) / 2) * box.height };
    }

    // Metres from the eye to what it looks at: a good convergence for two eyes.
    get distance(): number {
        return this.free.controls.distance;
    }
}

const element = (e: PointerEvent) => e.currentTarget as HTMLElement;

function placed(body: number, pose: Matrix4): Placed {
    const position = new Vector3();
    const q = new Quaternion();
    pose.decompose(position, q, new Vector3());
    return { body, position: position.toArray() as Vec, rotation: [q.w, q.x, q.y, q.z] };
}
