// What is drawn over the bodies when it is asked for: contacts, velocities, trails, boxes, centres of mass; and the rims of
// what is selected.
import { Box3, Group, Matrix4, Vector3 } from "three";
import { readPose, type FramePacket } from "../protocol/packets";
import type { Structure } from "../protocol/types";
import type { Bodies } from "./bodies";
import type { Hooks, Look } from "./hooks";
import { Arrows, ContactMarks, Dots, Outline, Wires } from "./overlays";
import type { Pane } from "./panes";
import { poseIn } from "./places";

const kMostTrails = 60;

export class Marks {
    readonly group = new Group();
    size = 1; // of the scene, m
    private contacts = new ContactMarks();
    private velocities = new Arrows("#5ad1a0");
    private trails = new Wires("#ffd23f", 0.8);
    private boxes = new Wires("#9fb3d1", 0.55);
    private centers = new Dots();
    private outlines: Outline[] = [];
    private hoverRim = new Outline("#8fb8ff");

    constructor(
        private bodies: Bodies,
        private hooks: Hooks,
    ) {
        this.group.add(this.contacts.group, this.velocities.group, this.trails.group, this.boxes.group, this.centers.group, this.hoverRim.group);
    }

    forget(): void {
        this.contacts.forget();
        this.velocities.forget();
    }

    draw(look: Look, frame: FramePacket | null, structure: Structure | null): void {
        this.contacts.group.visible = look.contacts && frame !== null;
        this.velocities.group.visible = this.trails.group.visible = this.boxes.group.visible = this.centers.group.visible = false;
        if (!frame) return;
        if (look.contacts) this.contacts.apply(frame, this.size);
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
            const chosen = look.bodies.length > 0 ? look.bodies : [...Array(count).keys()].filter((k) => structure?.bodies[k]?.kind === "dynamic");
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
            for (const [k, center] of centers) if (k < count) dots.push(...new Vector3(...center).applyMatrix4(poseIn(frame, k)).toArray());
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

    // The rims of what is selected and of what the mouse is on, as one view sees them.
    drawRims(look: Look, pane: Pane, hover: number): void {
        const chosen = look.bodies.slice(0, 60);
        while (this.outlines.length < chosen.length) {
            const outline = new Outline("#ffa62b");
            this.outlines.push(outline);
            this.group.add(outline.group);
        }
        this.outlines.forEach((outline, k) => this.drawRim(outline, chosen[k] ?? -1, pane));
        this.drawRim(this.hoverRim, chosen.includes(hover) ? -1 : hover, pane);
    }

    private drawRim(rim: Outline, body: number, pane: Pane): void {
        const matrix = new Matrix4();
        const geometry = body >= 0 ? this.bodies.geometryOf(body) : null;
        if (!geometry || !this.bodies.matrixOf(body, matrix)) return rim.hide();
        rim.show(geometry, matrix, (place) => pane.pixelAt(place));
    }
}
