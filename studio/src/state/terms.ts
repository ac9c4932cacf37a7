// The words that the rooms of the page's state share: what can be selected, what is being done, and what the 3D view has to
// know at once.
import type { FramePacket, SurfacePacket } from "../protocol/packets";
import type { Issue, Json, JsonObject, MassInfo, Structure, Vec } from "../protocol/types";
import type { ListName, Things } from "./edits";

export type Kind = "body" | "joint" | "force";
export type Selection = { kind: Kind; index: number };
export type Tool = "select" | "move" | "rotate" | "scale" | "hand" | "link";
export type Dialog = "" | "gallery" | "save" | "shortcuts" | "problems" | "film" | "palette" | "array" | "stop";
export const listOf: { [kind in Kind]: ListName } = { body: "bodies", joint: "joints", force: "forces" };
export const kinds = Object.keys(listOf) as Kind[];

// What is being connected: the kind that was chosen, and the ends that are there already.
export interface Linking {
    list: "joints" | "forces";
    type: string;
    ends: { body: number; point: Vec; normal: Vec }[];
    wanted: 1 | 2;
}

// What the selection is at this moment, in the words of a scene.
export interface Details {
    bodies: JsonObject[];
    joints: JsonObject[];
    forces: JsonObject[];
    masses: MassInfo[];
}

export interface Change {
    changes?: { path: string; value: Json }[];
    add?: Things;
    remove?: { [list in ListName]?: number[] };
}
export type PlayMode = "" | "forward" | "reverse";

// What the 3D view has to know at once.
export interface View {
    setStructure(structure: Structure, isSame: boolean): void;
    addSurface(surface: SurfacePacket): void;
    showFrame(frame: FramePacket): void;
    refresh(): void;
    frameAll(): void;
    frameSelected(): void;
    lookAlong(axis: string): void;
    showGhost(frame: FramePacket | null): void;
    setSnap(isOn: boolean): void;
    relayout(): void;
    readonly distance: number;
}

export interface Problem {
    title: string;
    message: string;
    issues: Issue[];
}
