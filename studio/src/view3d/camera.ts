// Cameras that move: with a body, attached to it, or flying by keys.
import { Matrix4, Quaternion, Vector3 } from "three";
import { readPose, type FramePacket } from "../protocol/packets";
import type { CameraMode, Look } from "./hooks";
import type { Pane } from "./panes";

export class MovingCamera {
    size = 1; // of the scene, m
    private mode: CameraMode = "orbit";
    private keys = new Set<string>();
    private lastCarrier = new Matrix4();

    constructor(
        private pane: Pane,
        private look: () => Look,
    ) {
        window.addEventListener("keydown", (e) => this.flyKey(e, true));
        window.addEventListener("keyup", (e) => this.flyKey(e, false));
    }

    // Takes up the mode that the page wants now.
    refresh(frame: FramePacket | null): void {
        const { camera } = this.look();
        if (camera !== this.mode) this.setMode(camera, frame);
    }

    private setMode(mode: CameraMode, frame: FramePacket | null): void {
        const { controls } = this.pane;
        const eye = controls.getPosition(new Vector3());
        const target = controls.getTarget(new Vector3());
        const ahead = target.clone().sub(eye).normalize();
        // Flying turns about the eye itself: its target is just ahead.
        if (mode === "fly") target.copy(eye).addScaledVector(ahead, this.size / 400);
        else if (this.mode === "fly") target.copy(eye).addScaledVector(ahead, this.size);
        void controls.setLookAt(eye.x, eye.y, eye.z, target.x, target.y, target.z, false);
        controls.azimuthRotateSpeed = controls.polarRotateSpeed = mode === "fly" ? -0.3 : 1;
        this.mode = mode;
        this.keys.clear();
        if (frame) this.lastCarrier = this.carrier(frame);
    }

    private carrier(frame: FramePacket): Matrix4 {
        const body = this.look().bodies[0] ?? -1;
        const pose = [0, 0, 0, 0, 0, 0, 1];
        if (body >= 0 && body < frame.bodies) readPose(frame, body, pose);
        const turn = this.mode === "attached" ? new Quaternion(pose[3], pose[4], pose[5], pose[6]) : new Quaternion();
        return new Matrix4().compose(new Vector3(pose[0], pose[1], pose[2]), turn, new Vector3(1, 1, 1));
    }

    // Goes along with the body that leads.
    carry(frame: FramePacket): void {
        if (this.mode !== "follow" && this.mode !== "attached") return;
        const now = this.carrier(frame);
        const step = now.clone().multiply(this.lastCarrier.clone().invert());
        this.lastCarrier = now;
        const { controls } = this.pane;
        const eye = controls.getPosition(new Vector3()).applyMatrix4(step);
        const target = controls.getTarget(new Vector3()).applyMatrix4(step);
        void controls.setLookAt(eye.x, eye.y, eye.z, target.x, target.y, target.z, false);
    }

    private flyKey(event: KeyboardEvent, isDown: boolean): void {
        if (this.mode !== "fly" || (event.target as HTMLElement).closest?.("input, textarea, select, dialog")) return;
        if (!/^Key[WASDQE]$/.test(event.code) || event.ctrlKey || event.metaKey) return;
        if (isDown) this.keys.add(event.code);
        else this.keys.delete(event.code);
        event.stopImmediatePropagation();
    }

    // Whether it moved.
    fly(seconds: number): boolean {
        if (this.mode !== "fly" || this.keys.size === 0) return false;
        const way = 0.45 * this.size * Math.min(0.1, seconds);
        const along = (plus: string, minus: string) => way * ((this.keys.has(plus) ? 1 : 0) - (this.keys.has(minus) ? 1 : 0));
        const { controls } = this.pane;
        const ahead = controls.getTarget(new Vector3()).sub(controls.getPosition(new Vector3())).normalize();
        const right = new Vector3().crossVectors(ahead, this.pane.camera.up).normalize();
        const step = ahead.multiplyScalar(along("KeyW", "KeyS")).addScaledVector(right, along("KeyD", "KeyA"));
        step.addScaledVector(this.pane.camera.up, along("KeyE", "KeyQ"));
        const eye = controls.getPosition(new Vector3()).add(step);
        const target = controls.getTarget(new Vector3()).add(step);
        void controls.setLookAt(eye.x, eye.y, eye.z, target.x, target.y, target.z, false);
        return true;
    }
}
