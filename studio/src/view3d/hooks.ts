// What the 3D view asks of the page, and tells it: how things are to be looked at, what the mouse did, what was drawn.
import type { Color, Quaternion } from "three";
import type { FramePacket } from "../protocol/packets";
import type { Vec } from "../protocol/types";
import type { LinkKind } from "./links";
import type { Style } from "./looks";
import type { Range } from "./matter";
import type { StereoSettings } from "./stereo";

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
