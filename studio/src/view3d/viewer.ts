// The 3D view: draws frames when something has changed, in one view or four, picks, and moves what is selected. The
// page's state is elsewhere; this is told by it (View) and tells what the mouse did (Hooks).
import CameraControls from "camera-controls";
import {
    Box3,
    Clock,
    MathUtils,
    Matrix3,
    Matrix4,
    NeutralToneMapping,
    PCFSoftShadowMap,
    PerspectiveCamera,
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
} from "three";
import type { FramePacket, SurfacePacket } from "../protocol/packets";
import type { Structure, Vec } from "../protocol/types";
import { Backdrop, plainColor } from "./backdrop";
import { Bodies } from "./bodies";
import { MovingCamera } from "./camera";
import type { Hooks } from "./hooks";
import { Links } from "./links";
import { Marks } from "./marks";
import { Matter } from "./matter";
import { Mouse, type Stage } from "./mouse";
import { Pane, type PaneName } from "./panes";
import { poseIn } from "./places";
import { qualityOf, rendererName, type Quality } from "./quality";
import { drawRulers } from "./rulers";
import { Stereo } from "./stereo";

const THREE = { Box3, Matrix4, Quaternion, Raycaster, Sphere, Spherical, Vector2, Vector3, Vector4, Matrix3, MathUtils };
CameraControls.install({ THREE: THREE as never });

const kInk = { dark: "#98a2b3", light: "#566074" }; // of rulers

export class Viewer implements Stage {
    readonly quality: Quality;
    readonly scene = new Scene();
    readonly panes: Pane[];
    readonly bodies: Bodies;
    readonly links = new Links();
    frame: FramePacket | null = null;
    structure: Structure | null = null;
    size = 1; // of the scene, m
    private renderer: WebGLRenderer;
    private ghost: Bodies;
    private matter: Matter;
    private marks: Marks;
    private mouse: Mouse;
    private moving: MovingCamera;
    private backdrop: Backdrop;
    private stereo = new Stereo();
    private clock = new Clock();
    private ghostStructure: Structure | null = null;
    private center = new Vector3();
    private isDirty = true;
    private hasRested = false;
    private needsFit = true;
    private isSetUp = false;
    private floor = 0; // height of the grid, m

    constructor(
        readonly canvas: HTMLCanvasElement,
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
        this.panes = (["free", "front", "right", "top"] as const).map((name) => new Pane(name, elements[name]));
        this.backdrop = new Backdrop(this.scene, this.panes, this.quality, this.renderer);
        this.marks = new Marks(this.bodies, hooks);
        this.mouse = new Mouse(this, hooks);
        this.moving = new MovingCamera(this.free, () => hooks.look());
        this.scene.add(this.bodies.group, this.ghost.group, this.matter.group, this.links.group, this.marks.group);
        new ResizeObserver(() => this.resize()).observe(canvas.parentElement ?? canvas);
        this.resize();
        this.loop();
    }

    private get free(): Pane {
        return this.panes[0] as Pane;
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
        this.marks.forget();
        this.showGhost(null);
        if (!isSame) this.needsFit = true;
        this.mouse.setHover(null, 0, 0);
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
        this.moving.carry(frame);
        if (!this.mouse.isDragging) this.mouse.placeHandle();
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
            this.marks.size = this.moving.size = this.size;
            const hasGround = this.structure.bodies.some((b) => b.shape.type === "plane");
            this.floor = box.min.y < -0.02 * this.size && !hasGround ? box.min.y : 0;
            this.bodies.set(this.structure, this.size);
            this.matter.set(this.structure, this.size);
            const camera = this.free.camera as PerspectiveCamera;
            camera.near = this.size / 500;
            camera.far = this.size * 120;
            camera.updateProjectionMatrix();
            this.fit(false);
            this.needsFit = false;
            this.mouse.resnap();
        }
        this.links.set(this.structure, frame, this.size);
        this.backdrop.place(this.center, this.size, this.floor);
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
        this.moving.refresh(this.frame);
        this.mouse.placeHandle();
        this.isDirty = true;
    }

    // After views came, went or changed their size.
    relayout(): void {
        this.resize();
        this.isDirty = true;
    }

    setSnap(isOn: boolean): void {
        this.mouse.setSnap(isOn);
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
        if (this.moving.fly(seconds)) this.isDirty = true;
        this.hasRested = !this.isDirty;
        if (!this.isDirty) return;
        this.isDirty = false;
        this.draw();
    };

    // What is on the screen is what is to be seen: no camera moves, and nothing has changed since it was drawn.
    get isStill(): boolean {
        return this.hasRested && !this.isDirty;
    }
    get isOnHandle(): boolean {
        return this.mouse.isOnHandle;
    }
    redraw(): void {
        this.isDirty = true;
    }

    private draw(): void {
        const look = this.hooks.look();
        this.bodies.setStyle(look.style);
        this.matter.setStyle(look.style);
        this.bodies.dimPlanes(look.theme === "dark" ? 0.2 : 0.86);
        this.bodies.paint(this.hooks.paint());
        this.backdrop.prepare(look);
        this.links.group.visible = look.joints;
        if (this.frame) this.links.apply(this.frame);
        this.links.mark("joint", look.joints_);
        this.links.mark("force", look.forces);
        this.marks.draw(look, this.frame, this.structure);
        const hover = this.mouse.hover?.kind === "body" ? this.mouse.hover.index : -1;
        const canvas = this.canvas.getBoundingClientRect();
        this.renderer.setScissorTest(true);
        for (const pane of this.panes) {
            if (!pane.place(canvas)) continue;
            const { x, y, width, height } = pane.box;
            this.backdrop.preparePane(look, pane);
            this.mouse.showHandleOf(pane);
            this.marks.drawRims(look, pane, hover);
            this.renderer.setViewport(x, y, width, height);
            this.renderer.setScissor(x, y, width, height);
            if (pane === this.free && look.stereo.mode !== "off") this.stereo.draw(this.renderer, this.scene, pane.camera as PerspectiveCamera, look.stereo, pane.box);
            else this.renderer.render(this.scene, pane.camera);
            const rulers = pane.element.querySelector("canvas");
            const range = pane.range();
            if (rulers && range) drawRulers(rulers, range, kInk[look.theme], plainColor(look.theme));
        }
        this.hooks.turned(this.free.camera.quaternion);
        if (this.frame) this.hooks.drawn(this.frame);
    }

    // Where a body is on the screen, in pixels of the page.
    screenPlace(body: number, pane: PaneName = "free"): { x: number; y: number } {
        return this.screenPoint(new Vector3().setFromMatrixPosition(poseIn(this.frame, body)).toArray() as Vec, pane);
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
