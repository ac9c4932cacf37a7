// The 3D view: draws frames when something has changed, picks, and moves what is selected. The page's state is
// elsewhere; this is told by it (View) and tells what the mouse did (Hooks).
import CameraControls from "camera-controls";
import {
    AmbientLight,
    Box3,
    CanvasTexture,
    Clock,
    DirectionalLight,
    Fog,
    HemisphereLight,
    Matrix4,
    NeutralToneMapping,
    Object3D,
    PCFSoftShadowMap,
    PerspectiveCamera,
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
    Matrix3,
    MathUtils,
    WebGLRenderer,
    type LineSegments,
    type Material,
} from "three";
import { TransformControls } from "three/addons/controls/TransformControls.js";
import { RoomEnvironment } from "three/addons/environments/RoomEnvironment.js";
import type { FramePacket, SurfacePacket } from "../protocol/packets";
import { readPose } from "../protocol/packets";
import type { Structure, Vec } from "../protocol/types";
import { Bodies } from "./bodies";
import { ContactMarks, JointMarks, makeGrid, niceStep, Outline } from "./overlays";
import { qualityOf, rendererName, type Quality } from "./quality";

const THREE = {
    Box3,
    Matrix4,
    Quaternion,
    Raycaster,
    Sphere,
    Spherical,
    Vector2,
    Vector3,
    Vector4,
    Matrix3,
    MathUtils,
};
CameraControls.install({ THREE: THREE as never });

export interface Look {
    theme: "dark" | "light";
    contacts: boolean;
    joints: boolean;
    grid: boolean;
    shadows: boolean;
    tool: "select" | "move" | "rotate";
    selectedBody: number; // -1: none
    canMove: boolean;
}

export interface Hooks {
    look(): Look;
    picked(body: number): void; // -1: nothing
    hovered(body: number, x: number, y: number): void;
    dragStarted(): void;
    dragged(position: Vec, rotation: [number, number, number, number], isDone: boolean): void; // w, x, y, z
    turned(camera: Quaternion): void;
    drawn(frame: FramePacket): void;
}

const kFog = { dark: "#262c37", light: "#dfe6ee" };
const kSky = { dark: ["#161a21", "#262c37", "#1d222b"], light: ["#c9d6e4", "#e6ecf2", "#dde3ea"] };
const kGridInk = { dark: "#aab4c5", light: "#4a5568" };

export class Viewer {
    readonly quality: Quality;
    private renderer: WebGLRenderer;
    private scene = new Scene();
    private camera = new PerspectiveCamera(42, 1, 0.01, 1000);
    private controls: CameraControls;
    private gizmo: TransformControls;
    private handle = new Object3D();
    private bodies: Bodies;
    private contacts = new ContactMarks();
    private joints = new JointMarks();
    private outline = new Outline("#ffa62b");
    private hoverRim = new Outline("#8fb8ff");
    private sun = new DirectionalLight("#fff4e6", 2);
    private grid: LineSegments | null = null;
    private clock = new Clock();
    private frame: FramePacket | null = null;
    private structure: Structure | null = null;
    private hover = -1;
    private size = 1;
    private center = new Vector3();
    private isDirty = true;
    private isDragging = false;
    private needsFit = true;
    private isSetUp = false;
    private gridInk = "";
    private skyTheme = "";
    private floor = 0;

    constructor(
        private canvas: HTMLCanvasElement,
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
        this.controls = new CameraControls(this.camera, canvas);
        this.controls.smoothTime = 0.12;
        this.controls.draggingSmoothTime = 0.05;
        this.controls.dollyToCursor = true;
        this.controls.mouseButtons.right = CameraControls.ACTION.TRUCK;
        this.controls.mouseButtons.middle = CameraControls.ACTION.TRUCK;
        this.gizmo = new TransformControls(this.camera, canvas);
        this.gizmo.setSize(0.85);
        this.addLights();
        this.scene.add(this.bodies.group, this.contacts.group, this.joints.group, this.outline.group, this.hoverRim.group);
        this.scene.add(this.handle, this.gizmo.getHelper());
        this.listen();
        new ResizeObserver(() => this.resize()).observe(canvas.parentElement ?? canvas);
        this.resize();
        this.loop();
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
    }

    setStructure(structure: Structure, isSame: boolean): void {
        this.structure = structure;
        this.frame = null;
        this.isSetUp = false;
        this.contacts.forget();
        if (!isSame) this.needsFit = true;
        this.setHover(-1, 0, 0);
        this.bodies.set(structure, this.size);
        this.isDirty = true;
    }

    showFrame(frame: FramePacket): void {
        this.frame = frame;
        if (!this.isSetUp) this.setUp(frame);
        this.bodies.apply(frame);
        if (!this.isDragging) this.placeHandle();
        this.isDirty = true;
    }

    // Sizes that come from where things are at first.
    private setUp(frame: FramePacket): void {
        if (!this.structure) return;
        this.isSetUp = true;
        const box = this.bodies.extent(frame);
        const isEmpty = box.isEmpty();
        if (isEmpty) box.set(new Vector3(-1, 0, -1), new Vector3(1, 1, 1));
        if (this.needsFit) {
            this.size = Math.max(1e-6, box.getSize(new Vector3()).length());
            box.getCenter(this.center);
            this.floor = box.min.y < -0.02 * this.size && !this.structure.bodies.some((b) => b.shape.type === "plane") ? box.min.y : 0;
            this.bodies.set(this.structure, this.size);
            this.camera.near = this.size / 500;
            this.camera.far = this.size * 120;
            this.camera.updateProjectionMatrix();
            this.fit(false);
            this.needsFit = false;
        }
        this.joints.set(this.structure, frame, this.size);
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
        const target = view?.target ? new Vector3(...view.target) : this.center;
        if (view?.camera) {
            void this.controls.setLookAt(...view.camera, target.x, target.y, target.z, isSmooth);
            return;
        }
        const out = new Vector3(0.62, 0.42, 1).normalize();
        const distance = (0.62 * this.size) / Math.tan((this.camera.fov * Math.PI) / 360) / Math.min(1, this.camera.aspect);
        const eye = target.clone().addScaledVector(out, distance);
        void this.controls.setLookAt(eye.x, eye.y, eye.z, target.x, target.y, target.z, isSmooth);
    }

    frameAll(): void {
        this.needsFit = true;
        this.isSetUp = false;
        if (this.frame) this.showFrame(this.frame);
    }

    frameSelected(): void {
        const matrix = new Matrix4();
        const k = this.hooks.look().selectedBody;
        const geometry = this.bodies.geometryOf(k);
        if (!geometry || !this.bodies.matrixOf(k, matrix)) return this.frameAll();
        geometry.computeBoundingSphere();
        const sphere = geometry.boundingSphere?.clone().applyMatrix4(matrix);
        if (sphere) void this.controls.fitToSphere(new Sphere(sphere.center, sphere.radius * 2.2), true);
    }

    // "x", "-x", …: from that side.
    lookAlong(axis: string): void {
        const sign = axis.startsWith("-") ? -1 : 1;
        const out = { x: new Vector3(1, 0, 0), y: new Vector3(0, 1, 0.0001), z: new Vector3(0, 0, 1) }[axis.replace("-", "")];
        const target = this.controls.getTarget(new Vector3());
        const distance = this.controls.distance;
        if (!out) return;
        const eye = target.clone().addScaledVector(out, sign * distance);
        void this.controls.setLookAt(eye.x, eye.y, eye.z, target.x, target.y, target.z, true);
    }

    refresh(): void {
        this.placeHandle();
        this.isDirty = true;
    }

    // ---- the mouse

    private listen(): void {
        let down = { x: 0, y: 0 };
        this.canvas.addEventListener("pointerdown", (e) => (down = { x: e.clientX, y: e.clientY }));
        this.canvas.addEventListener("pointerup", (e) => {
            const moved = Math.hypot(e.clientX - down.x, e.clientY - down.y);
            if (e.button !== 0 || moved > 4 || this.isDragging || this.gizmo.axis) return;
            this.hooks.picked(this.pick(e));
        });
        this.canvas.addEventListener("pointermove", (e) => {
            if (e.buttons === 0) this.setHover(this.gizmo.axis ? -1 : this.pick(e), e.offsetX, e.offsetY);
        });
        this.canvas.addEventListener("pointerleave", () => this.setHover(-1, 0, 0));
        this.canvas.addEventListener("dblclick", () => this.frameSelected());
        this.canvas.addEventListener("contextmenu", (e) => e.preventDefault());
        this.gizmo.addEventListener("change", () => (this.isDirty = true));
        this.gizmo.addEventListener("dragging-changed", (event) => {
            this.isDragging = event.value as boolean;
            this.controls.enabled = !this.isDragging;
            if (this.isDragging) this.hooks.dragStarted();
            else this.tellDrag(true);
        });
        this.gizmo.addEventListener("objectChange", () => this.tellDrag(false));
    }

    setSnap(isOn: boolean): void {
        const step = niceStep(this.size / 100);
        this.gizmo.setTranslationSnap(isOn ? step : null);
        this.gizmo.setRotationSnap(isOn ? Math.PI / 12 : null);
    }

    private tellDrag(isDone: boolean): void {
        const { position: p, quaternion: q } = this.handle;
        const k = this.hooks.look().selectedBody;
        this.bodies.setPose(k, [p.x, p.y, p.z, q.x, q.y, q.z, q.w]);
        this.bodies.finish();
        this.isDirty = true;
        this.hooks.dragged([p.x, p.y, p.z], [q.w, q.x, q.y, q.z], isDone);
    }

    private pick(event: PointerEvent): number {
        const box = this.canvas.getBoundingClientRect();
        const at = new Vector2(((event.clientX - box.left) / box.width) * 2 - 1, 1 - ((event.clientY - box.top) / box.height) * 2);
        const ray = new Raycaster();
        ray.setFromCamera(at, this.camera);
        return this.bodies.pick(ray)?.body ?? -1;
    }

    private setHover(body: number, x: number, y: number): void {
        if (body !== this.hover) this.isDirty = true;
        this.hover = body;
        this.canvas.style.cursor = body >= 0 ? "pointer" : "default";
        this.hooks.hovered(body, x, y);
    }

    private placeHandle(): void {
        const look = this.hooks.look();
        const isShown = look.tool !== "select" && look.selectedBody >= 0 && look.canMove && this.frame !== null;
        if (!isShown || !this.frame || look.selectedBody >= this.frame.bodies) {
            this.gizmo.detach();
            return;
        }
        const pose = [0, 0, 0, 0, 0, 0, 1];
        readPose(this.frame, look.selectedBody, pose);
        this.handle.position.set(pose[0] ?? 0, pose[1] ?? 0, pose[2] ?? 0);
        this.handle.quaternion.set(pose[3] ?? 0, pose[4] ?? 0, pose[5] ?? 0, pose[6] ?? 1);
        this.gizmo.setMode(look.tool === "move" ? "translate" : "rotate");
        this.gizmo.setSpace(look.tool === "move" ? "world" : "local");
        this.gizmo.attach(this.handle);
    }

    // ---- drawing

    private resize(): void {
        const box = this.canvas.parentElement;
        const width = Math.max(1, box?.clientWidth ?? 1);
        const height = Math.max(1, box?.clientHeight ?? 1);
        this.renderer.setSize(width, height, false);
        this.camera.aspect = width / height;
        this.camera.updateProjectionMatrix();
        this.isDirty = true;
    }

    private loop = (): void => {
        requestAnimationFrame(this.loop);
        if (this.controls.update(this.clock.getDelta())) this.isDirty = true;
        if (!this.isDirty) return;
        this.isDirty = false;
        this.draw();
    };

    private draw(): void {
        const look = this.hooks.look();
        this.drawSky(look.theme);
        this.bodies.dimPlanes(look.theme === "dark" ? 0.2 : 0.86);
        this.scene.fog = new Fog(kFog[look.theme], 4 * this.size, 26 * this.size);
        this.sun.castShadow = this.quality.shadows && look.shadows;
        this.drawGrid(look);
        this.contacts.group.visible = look.contacts && this.frame !== null;
        if (look.contacts && this.frame) this.contacts.apply(this.frame, this.size);
        this.joints.group.visible = look.joints;
        if (this.frame) this.joints.apply(this.frame);
        this.drawRim(this.outline, look.selectedBody);
        this.drawRim(this.hoverRim, this.hover === look.selectedBody ? -1 : this.hover);
        this.renderer.render(this.scene, this.camera);
        this.hooks.turned(this.camera.quaternion);
        if (this.frame) this.hooks.drawn(this.frame);
    }

    // Lighter towards the horizon.
    private drawSky(theme: "dark" | "light"): void {
        if (this.skyTheme === theme) return;
        this.skyTheme = theme;
        const canvas = document.createElement("canvas");
        [canvas.width, canvas.height] = [4, 256];
        const context = canvas.getContext("2d") as CanvasRenderingContext2D;
        const gradient = context.createLinearGradient(0, 0, 0, 256);
        kSky[theme].forEach((color, k) => gradient.addColorStop(k / 2, color));
        context.fillStyle = gradient;
        context.fillRect(0, 0, 4, 256);
        const texture = new CanvasTexture(canvas);
        texture.colorSpace = SRGBColorSpace;
        this.scene.background = texture;
    }

    private drawGrid(look: Look): void {
        const ink = look.grid ? kGridInk[look.theme] : "";
        if (ink === this.gridInk) return;
        this.gridInk = ink;
        if (this.grid) {
            this.scene.remove(this.grid);
            this.grid.geometry.dispose();
            (this.grid.material as Material).dispose();
            this.grid = null;
        }
        if (!ink) return;
        this.grid = makeGrid(niceStep(this.size / 15), 40, ink);
        this.grid.position.y = this.floor;
        this.scene.add(this.grid);
    }

    private drawRim(rim: Outline, body: number): void {
        const matrix = new Matrix4();
        const geometry = body >= 0 ? this.bodies.geometryOf(body) : null;
        if (!geometry || !this.bodies.matrixOf(body, matrix)) return rim.hide();
        rim.show(geometry, matrix, this.camera, this.canvas.clientHeight || 1);
    }

    // For tests: where a body is on the screen, in pixels of the page.
    screenPlace(body: number): { x: number; y: number } {
        const matrix = new Matrix4();
        this.bodies.matrixOf(body, matrix);
        const p = new Vector3().setFromMatrixPosition(matrix).project(this.camera);
        const box = this.canvas.getBoundingClientRect();
        return { x: box.left + ((p.x + 1) / 2) * box.width, y: box.top + ((1 - p.y) / 2) * box.height };
    }
}

