// The mouse in the views: picking, frames around many, the hand, and the handles that move, turn and scale.
import { Matrix3, Matrix4, Object3D, Plane, Quaternion, Raycaster, Vector2, Vector3, type Scene } from "three";
import { TransformControls } from "three/addons/controls/TransformControls.js";
import type { FramePacket } from "../protocol/packets";
import type { Structure, Vec } from "../protocol/types";
import type { Bodies } from "./bodies";
import type { Hit, Hooks, Placed } from "./hooks";
import type { Links } from "./links";
import { niceStep } from "./overlays";
import type { Pane, PaneName } from "./panes";
import { poseIn } from "./places";

// What the mouse acts on.
export interface Stage {
    readonly canvas: HTMLCanvasElement;
    readonly scene: Scene;
    readonly panes: Pane[];
    readonly bodies: Bodies;
    readonly links: Links;
    readonly frame: FramePacket | null;
    readonly structure: Structure | null;
    readonly size: number;
    screenPlace(body: number, pane?: PaneName): { x: number; y: number };
    frameSelected(): void;
    redraw(): void;
}

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

export class Mouse {
    private gizmos = new Map<Pane, TransformControls>();
    private handle = new Object3D();
    private over: Hit | null = null;
    private dragging = false;
    private startPoses: Placed[] = [];
    private startHandle = new Matrix4();
    private press: Press | null = null;
    private snapStep = 0;

    constructor(
        private stage: Stage,
        private hooks: Hooks,
    ) {
        stage.scene.add(this.handle);
        for (const pane of stage.panes) this.listen(pane);
    }

    get isDragging(): boolean {
        return this.dragging;
    }
    get hover(): Hit | null {
        return this.over;
    }
    // The mouse is on an arrow or ring of the tool.
    get isOnHandle(): boolean {
        return [...this.gizmos.values()].some((gizmo) => gizmo.axis != null);
    }
    // Each view has handles of its own.
    showHandleOf(pane: Pane): void {
        for (const [other, gizmo] of this.gizmos) gizmo.getHelper().visible = other === pane && gizmo.object !== undefined;
    }
    // Steps are as large as the scene asks for.
    resnap(): void {
        this.setSnap(this.snapStep > 0);
    }

    private listen(pane: Pane): void {
        const { element } = pane;
        const gizmo = new TransformControls(pane.camera, element);
        gizmo.setSize(pane.isParallel ? 0.7 : 0.85);
        this.gizmos.set(pane, gizmo);
        this.stage.scene.add(gizmo.getHelper());
        element.addEventListener("pointerdown", (e) => this.pointerDown(pane, e), { capture: true });
        element.addEventListener("pointermove", (e) => this.pointerMove(pane, e));
        element.addEventListener("pointerup", (e) => this.pointerUp(pane, e));
        element.addEventListener("pointercancel", () => this.release());
        element.addEventListener("pointerleave", () => this.setHover(null, 0, 0));
        element.addEventListener("dblclick", () => this.stage.frameSelected());
        element.addEventListener("contextmenu", (e) => e.preventDefault());
        gizmo.addEventListener("change", () => (this.stage.redraw()));
        gizmo.addEventListener("dragging-changed", (event) => {
            this.dragging = event.value as boolean;
            pane.controls.enabled = !this.dragging;
            if (this.dragging) this.startDrag();
            else this.tellDrag(true);
        });
        gizmo.addEventListener("objectChange", () => this.tellDrag(false));
    }

    private pointerDown(pane: Pane, e: PointerEvent): void {
        if (e.button !== 0 || this.gizmos.get(pane)?.axis) return;
        const look = this.hooks.look();
        const isMore = e.shiftKey || e.ctrlKey || e.metaKey;
        const press: Press = { pane, x: e.clientX, y: e.clientY, isMore, what: "click", body: -1, point: [0, 0, 0], plane: new Plane() };
        const wantsHand = look.tool === "hand" || e.altKey;
        if (wantsHand) {
            const hit = this.pick(pane, e);
            if (hit?.kind === "body" && this.stage.structure?.bodies[hit.index]?.kind === "dynamic") {
                press.what = "grab";
                press.body = hit.index;
                press.plane.setFromNormalAndCoplanarPoint(pane.camera.getWorldDirection(new Vector3()), new Vector3(...hit.point));
                const matrix = poseIn(this.stage.frame, hit.index).invert();
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
        if (press.what === "grab" || this.dragging || e.button !== 0) return;
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
        for (let k = 0; k < this.stage.bodies.count; ++k) {
            if (!this.stage.bodies.geometryOf(k)) continue;
            const at = this.stage.screenPlace(k, pane.name);
            if (at.x >= left && at.x <= right && at.y >= top && at.y <= bottom) found.push(k);
        }
        return found;
    }

    setSnap(isOn: boolean): void {
        this.snapStep = isOn ? niceStep(this.stage.size / 100) : 0;
        for (const gizmo of this.gizmos.values()) {
            gizmo.setTranslationSnap(isOn ? this.snapStep : null);
            gizmo.setRotationSnap(isOn ? Math.PI / 12 : null);
            gizmo.setScaleSnap(isOn ? 0.1 : null);
        }
    }

    private startDrag(): void {
        this.hooks.dragStarted();
        this.handle.updateMatrix();
        this.startHandle.compose(this.handle.position, this.handle.quaternion, new Vector3(1, 1, 1));
        this.startPoses = this.hooks.look().bodies.map((body) => placed(body, poseIn(this.stage.frame, body)));
    }

    private tellDrag(isDone: boolean): void {
        const { tool } = this.hooks.look();
        this.stage.redraw();
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
        for (const { body, position, rotation: [w, x, y, z] } of moved) this.stage.bodies.setPose(body, [...position, x, y, z, w]);
        this.stage.bodies.finish();
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
        const link = this.stage.links.group.visible && this.hooks.look().tool !== "link" ? this.stage.links.pick(ray) : null;
        // Joints and forces shine through bodies, so they come first.
        if (link) return { kind: link.kind, index: link.index, point: [0, 0, 0], normal: [0, 1, 0] };
        const hit = this.stage.bodies.pick(ray);
        if (!hit) return null;
        const normal = (hit.at.face?.normal ?? new Vector3(0, 1, 0)).clone();
        const matrix = new Matrix4();
        if (this.stage.bodies.matrixOf(hit.body, matrix)) normal.applyMatrix3(new Matrix3().getNormalMatrix(matrix)).normalize();
        return { kind: "body", index: hit.body, point: hit.at.point.toArray() as Vec, normal: normal.toArray() as Vec };
    }

    setHover(hit: Hit | null, x: number, y: number): void {
        if (hit?.kind !== this.over?.kind || hit?.index !== this.over?.index) this.stage.redraw();
        this.over = hit;
        const { tool } = this.hooks.look();
        for (const pane of this.stage.panes) pane.element.style.cursor = tool === "link" ? "crosshair" : tool === "hand" ? "grab" : hit ? "pointer" : "default";
        const box = this.stage.canvas.getBoundingClientRect();
        this.hooks.hovered(hit, x - box.left, y - box.top);
    }

    placeHandle(): void {
        const look = this.hooks.look();
        const lead = look.bodies[0] ?? -1;
        const mode = look.tool === "move" ? "translate" : look.tool === "rotate" ? "rotate" : look.tool === "scale" ? "scale" : null;
        const isShown = mode !== null && lead >= 0 && look.canMove && this.stage.frame !== null && lead < this.stage.frame.bodies;
        if (!isShown || !mode) {
            for (const gizmo of this.gizmos.values()) gizmo.detach();
            return;
        }
        poseIn(this.stage.frame, lead).decompose(this.handle.position, this.handle.quaternion, new Vector3());
        this.handle.scale.set(1, 1, 1);
        for (const gizmo of this.gizmos.values()) {
            gizmo.setMode(mode);
            gizmo.setSpace(mode === "translate" ? "world" : "local");
            gizmo.attach(this.handle);
        }
    }
}

const element = (e: PointerEvent) => e.currentTarget as HTMLElement;

function placed(body: number, pose: Matrix4): Placed {
    const position = new Vector3();
    const q = new Quaternion();
    pose.decompose(position, q, new Vector3());
    return { body, position: position.toArray() as Vec, rotation: [q.w, q.x, q.y, q.z] };
}
