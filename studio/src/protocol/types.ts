// What the server tells the page, as JSON (apps/studio/session.cpp, structure.cpp).

export type Vec = [number, number, number];

export interface ShapeInfo {
    type: string;
    size?: Vec; // of shapes that the page makes by itself
    surface?: number; // number of a surface packet
    particles?: ParticlesInfo; // of shapes that are made of them
}

// Of a body's own particles; they follow each other in the order of bodies in a frame's points.
export interface ParticlesInfo {
    count: number;
    radius: number;
    triangles: number[]; // three numbers each
    links: number[]; // two each, where there are no triangles
}

// A shape that many things of a group share.
export interface KindInfo {
    surface: number;
    color: Vec;
    radius: number;
}

export interface BodyInfo {
    name: string;
    kind: "dynamic" | "static" | "kinematic";
    shape: ShapeInfo;
    color: Vec;
    sensor: boolean;
    material: string;
    written: number; // place in the document's list of bodies; -1: comes from elsewhere
    copy: boolean; // one of the copies of a generator
}

export interface JointInfo {
    name: string;
    type: string;
    a: number; // -1: the world
    b: number;
    points: Vec[];
    axes: Vec[];
    limits?: { axis: string; lower?: number; upper?: number }[];
    written: number;
}

export interface ForceInfo {
    name: string;
    type: string;
    a: number;
    b: number;
    points: Vec[];
    axes: Vec[];
    vectors?: { [name: string]: Vec };
    way?: Vec[]; // fixed points that a cable runs over
    from: number; // s
    until?: number;
    enabled: boolean;
    turns?: boolean; // with body b
    written: number;
}

export interface Structure {
    bodies: BodyInfo[];
    joints: JointInfo[];
    forces: ForceInfo[];
    kinds?: { [group: string]: KindInfo[] };
    view: { camera?: Vec; target?: Vec; field_of_view: number };
    gravity: Vec;
}

export type Json = null | boolean | number | string | Json[] | { [key: string]: Json };
export type JsonObject = { [key: string]: Json };

export interface SceneEvent {
    event: "scene";
    number: number;
    recording: string; // "" unless a recording is looked at
    file: string;
    title: string;
    description: string;
    document?: JsonObject;
    changed?: boolean;
    undo?: string | null;
    redo?: string | null;
    structure: Structure;
}

export interface WarningInfo {
    text: string;
    subject: string;
    other: string;
    time: number;
}

export interface StatusEvent {
    event: "status";
    frames: number;
    running: boolean;
    message: string;
    time?: number;
    dt?: number;
    duration?: number; // s, how far the scene is meant to run
    hash?: string;
    warnings?: WarningInfo[];
    owner?: number; // the page that has the controls
    branches?: Branches;
}

export interface BranchInfo {
    name: string;
    parent: number; // -1: the run itself
    from: number; // frame of the parent
    frames: number;
    time?: number;
}

export interface MarkInfo {
    name: string;
    branch: number;
    frame: number;
}

export interface Branches {
    current: number;
    list: BranchInfo[];
    marks: MarkInfo[];
}

export interface ColumnInfo {
    name: string;
    unit: string;
    about: string;
    parts: number;
}

export interface HelloEvent {
    event: "hello";
    page: number; // who this page is
    columns: ColumnInfo[];
    areas: { [group: string]: { name: string; unit: string } }; // what the colours of triangles mean
    steppers: string[];
    exporters: { name: string; help: string }[];
    materials: string[];
}

export interface FilmEvent {
    event: "film";
    progress: number;
    done: boolean;
    error: string;
    file: string;
}

export interface Happening {
    frame: number;
    time: number;
    kind: "impact" | "separation" | "limit" | "break";
    a: string;
    b: string;
    force: number;
}

export interface MassInfo {
    mass: number;
    inertia: Vec;
    center: Vec;
}

export interface Profile {
    stages: { name: string; seconds: number }[];
    steppers: { name: string; islands: number; bodies: number; substeps: number; iterations: number; retries: number }[];
    contacts: number;
}

export interface StructureEvent {
    event: "structure";
    structure: Structure;
}

export interface Issue {
    file: string;
    line: number;
    column: number;
    path: string;
    message: string;
}

export interface GalleryEntry {
    path: string;
    group: string;
    title: string;
    description: string;
}

export interface Gallery {
    scenes: GalleryEntry[];
    files: string[];
    folder: string;
}

export interface SeriesColumn {
    name: string;
    unit: string;
    values: (number | null)[];
}

export interface Series {
    times: number[];
    columns: SeriesColumn[];
    from: number;
    next: number;
}
