// What all rooms of the page share: the scene, the selection, the cursor on the timeline, and everything that can be
// done. Panels show it and call it; the 3D view is told by `view`.
import type { Color } from "three";
import { columnOf, readPose, type FramePacket, type SurfacePacket } from "../protocol/packets";
import { Connection, Refused, type ServerEvent } from "../protocol/socket";
import type {
    BodyInfo,
    Branches,
    ColumnInfo,
    FilmEvent,
    ForceInfo,
    Gallery,
    Happening,
    HelloEvent,
    Issue,
    Json,
    JsonObject,
    JointInfo,
    MassInfo,
    SceneEvent,
    Series,
    StatusEvent,
    Structure,
    Vec,
    WarningInfo,
} from "../protocol/types";
import { readRotation } from "../panels/rotations";
import { emptyMember } from "../panels/schema";
import { advance } from "./playback";
import type { CameraMode } from "../view3d/viewer";
import type { Style } from "../view3d/looks";
import type { StereoSettings } from "../view3d/stereo";
import { paintValue, type Scale } from "./colors";
import { grouped, listNames, renamed, scaledShape, ungrouped, withValue, type ListName, type Pose, type Things } from "./edits";
import { FrameCache } from "./frame_cache";

export type Kind = "body" | "joint" | "force";
export type Selection = { kind: Kind; index: number };
export type Tool = "select" | "move" | "rotate" | "scale" | "hand" | "link";
export type Dialog = "" | "gallery" | "save" | "shortcuts" | "problems" | "film" | "palette" | "array" | "stop";
const listOf: { [kind in Kind]: ListName } = { body: "bodies", joint: "joints", force: "forces" };
const kinds = Object.keys(listOf) as Kind[];

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
export type Playing = "" | "forward" | "reverse";

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

const kCacheBytes = 192 << 20;
const kMostRequests = 4;

export class Studio {
    isConnected = $state(false);
    wasConnected = $state(false);
    scene = $state.raw<SceneEvent | null>(null);
    status = $state.raw<StatusEvent>({ event: "status", frames: 0, running: false, message: "" });
    selected = $state.raw<Selection[]>([]); // the one that leads first
    details = $state.raw<Details | null>(null);
    hello = $state.raw<HelloEvent | null>(null);
    happenings = $state.raw<Happening[]>([]);
    film = $state.raw<FilmEvent | null>(null);
    linking = $state.raw<Linking | null>(null);
    ghost = $state(-1); // the branch that is shown beside this one
    pauseWhen = $state("");
    layout = $state<"single" | "four">("single");
    camera = $state<CameraMode>("orbit");
    style = $state<Style>("shaded");
    stereo = $state.raw<StereoSettings>({ mode: "off", eyes: 0.065, convergence: 2 });
    snap = $state(false);
    colorBy = $state("");
    isColorLog = $state(false);
    colorScale = $state.raw<Scale>({ min: 0, max: 0, isLog: false, isKind: false });
    panel = $state<"properties" | "time" | "profile">("properties");
    wantsAdd = $state(false); // the menu of what can be added
    tour = $state(-1); // its step; -1: none
    tool = $state<Tool>("select");
    cursor = $state(0);
    time = $state(0);
    playing = $state<Playing>("");
    loop = $state(false);
    speed = $state(1);
    problem = $state.raw<Problem | null>(null);
    notice = $state("");
    dialog = $state<Dialog>("");
    theme = $state<"dark" | "light">("dark");
    overlays = $state({ contacts: false, joints: true, grid: true, shadows: true, velocities: false, trails: false, centers: false, boxes: false });
    schema = $state.raw<JsonObject | null>(null);
    gallery = $state.raw<Gallery | null>(null);
    quantities = $state.raw<{ name: string; unit: string }[]>([]);
    fieldIssues = $state.raw<Issue[]>([]);
    frame = $state.raw<FramePacket | null>(null);
    // Grows with every change that makes what was plotted before untrue.
    era = $state(0);
    view: View | null = null;

    private connection: Connection;
    private cache = new FrameCache(kCacheBytes);
    private asked = new Set<number>();
    private exact = 0;
    private last = 0; // ms, of the last tick
    private noticeTimer = 0;
    private selectedNames: { kind: Kind; name: string }[] = [];
    private ghosts = new Map<number, FramePacket>();
    private nextHappening = 0;
    private happeningEra = -1;
    private detailsTimer = 0;
    private surfaces: SurfacePacket[] = [];

    constructor() {
        const saved = localStorage.getItem("theme");
        this.setTheme(saved === "light" || saved === "dark" ? saved : matchMedia("(prefers-color-scheme: light)").matches ? "light" : "dark");
        this.connection = new Connection({
            event: (event) => this.takeEvent(event),
            packet: (packet) => this.takePacket(packet),
            connection: (isUp) => this.takeConnection(isUp),
        });
    }

    // ---- what is there

    get bodies(): BodyInfo[] {
        return this.scene?.structure.bodies ?? [];
    }
    get joints(): JointInfo[] {
        return this.scene?.structure.joints ?? [];
    }
    get isRecording(): boolean {
        return (this.scene?.recording ?? "") !== "";
    }
    get frames(): number {
        return this.status.frames;
    }
    // As far as the scene says that it is to run; whoever runs on from there may do so.
    get hasEnded(): boolean {
        return (this.status.time ?? 0) >= (this.status.duration ?? 0) - (this.status.dt ?? 0) / 2;
    }
    // Of a run that is followed the page may hear of more frames than it has been sent.
    get isAtEnd(): boolean {
        return this.cursor >= this.frames - 1 || (this.status.running && this.follows);
    }
    // Everything that was asked has been answered.
    get isIdle(): boolean {
        return this.connection.isIdle;
    }
    get forces(): ForceInfo[] {
        return this.scene?.structure.forces ?? [];
    }
    thingsOf(kind: Kind): (BodyInfo | JointInfo | ForceInfo)[] {
        return kind === "body" ? this.bodies : kind === "joint" ? this.joints : this.forces;
    }
    get selection(): Selection | null {
        return this.selected[0] ?? null;
    }
    indices(kind: Kind): number[] {
        return this.selected.filter((s) => s.kind === kind).map((s) => s.index);
    }
    get selectedThing(): BodyInfo | JointInfo | ForceInfo | null {
        const first = this.selection;
        return first ? (this.thingsOf(first.kind)[first.index] ?? null) : null;
    }
    get selectedBody(): BodyInfo | null {
        return this.selection?.kind === "body" ? (this.bodies[this.selection.index] ?? null) : null;
    }
    get selectedJoint(): JointInfo | null {
        return this.selection?.kind === "joint" ? (this.joints[this.selection.index] ?? null) : null;
    }
    get selectedForce(): ForceInfo | null {
        return this.selection?.kind === "force" ? (this.forces[this.selection.index] ?? null) : null;
    }
    // Edits change the scene as it is written; after its start they are commands to the world.
    get isAtStart(): boolean {
        return this.cursor === 0 && !this.status.running;
    }
    // Where each of what is selected is: a path of the document at the start; "" for what cannot be changed there.
    pathOf({ kind, index }: Selection): string {
        const thing = this.thingsOf(kind)[index];
        return !thing || thing.written < 0 || this.isRecording ? "" : `${listOf[kind]}.${thing.written}`;
    }
    // As written at the start, as it is now later.
    describedOf(selection: Selection): JsonObject | undefined {
        const name = this.thingsOf(selection.kind)[selection.index]?.name;
        const path = this.pathOf(selection);
        if (this.isAtStart && path) return this.valueAt(path) as JsonObject | undefined;
        return this.details?.[listOf[selection.kind]].find((thing) => thing.name === name);
    }
    massOf(name: string): MassInfo | null {
        const k = this.details?.bodies.findIndex((body) => body.name === name) ?? -1;
        return k < 0 ? null : (this.details?.masses[k] ?? null);
    }
    get isOwner(): boolean {
        return !this.hello || !this.status.owner || this.status.owner === this.hello.page;
    }
    get branches(): Branches {
        return this.status.branches ?? { current: 0, list: [], marks: [] };
    }
    get names(): Set<string> {
        return new Set([...this.bodies, ...this.joints, ...this.forces].map((thing) => thing.name));
    }
    valueAt(path: string): Json | undefined {
        let value: Json | undefined = this.scene?.document;
        for (const part of path.split(".")) {
            if (value === null || typeof value !== "object") return undefined;
            value = (value as { [key: string]: Json })[part];
        }
        return value;
    }
    warningsOf(name: string): WarningInfo[] {
        return (this.status.warnings ?? []).filter((w) => w.subject === name || w.other === name);
    }

    // ---- from the server

    private takeConnection(isUp: boolean): void {
        this.isConnected = isUp;
        if (!isUp) return;
        this.wasConnected = true;
        this.asked.clear();
        this.watch();
        void this.connection.ask<JsonObject>("list", { what: "schema" }).then((schema) => (this.schema = schema));
        void this.connection.ask<{ name: string; unit: string }[]>("list", { what: "quantities" }).then((list) => (this.quantities = list));
        void this.loadGallery();
        document.documentElement.dataset.connected = "yes";
    }

    private takeEvent(event: ServerEvent): void {
        if (event.event === "status") {
            const hasStopped = this.status.running && !event.running;
            this.status = event;
            if (hasStopped) this.seeLatest();
            if (event.message.startsWith("It holds that")) this.say(`${event.message}.`);
            else if (event.message) this.problem = { title: "The simulation stopped", message: event.message, issues: [] };
            void this.loadHappenings();
        } else if (event.event === "hello") {
            this.hello = event;
        } else if (event.event === "film") {
            this.film = event;
            if (event.done && !event.error) this.say(`${event.file} is complete.`);
        } else if (event.event === "scene") {
            this.takeScene(event);
        } else if (this.scene) {
            // Bodies came or went: these are those of the frame that comes next, not of those that are here.
            this.cache.dropFrom(0);
            this.scene = { ...this.scene, structure: event.structure };
            this.view?.setStructure(event.structure, true);
            this.selectByNames();
        }
    }

    private takeScene(event: SceneEvent): void {
        const isSame = this.scene?.title === event.title && this.scene?.recording === event.recording && this.scene?.file === event.file;
        const isSameWorld = this.scene?.number === event.number;
        this.scene = event;
        if (!isSameWorld) {
            this.cache.dropFrom(0);
            this.ghosts.clear();
            this.era++;
            this.colorScale = { ...this.colorScale, min: 0, max: 0 };
        }
        this.asked.clear();
        this.fieldIssues = [];
        for (const surface of this.surfaces) if (surface.structure === event.number) this.view?.addSurface(surface);
        this.view?.setStructure(event.structure, isSame);
        if (!isSame) {
            this.select(null);
            this.ghost = -1;
            this.toStart();
        } else this.selectByNames();
        document.title = `${event.changed ? "• " : ""}${event.title || event.file || "Scene"} — Impuls Studio`;
        document.documentElement.dataset.scene = String(event.number);
    }

    private takePacket(packet: FramePacket | SurfacePacket): void {
        if (packet.kind === "surface") {
            this.surfaces = this.surfaces.filter((s) => s.structure >= packet.structure - 1);
            this.surfaces.push(packet);
            this.view?.addSurface(packet);
            return;
        }
        if (packet.isGhost) {
            if (this.ghosts.size > 600) this.ghosts.clear();
            this.ghosts.set(packet.index, packet);
            if (packet.index === this.cursor) this.view?.showGhost(packet);
            return;
        }
        this.asked.delete(packet.index);
        if (packet.isLive) this.connection.tell("ack");
        if (packet.structure !== this.scene?.number) return;
        this.cache.put(packet);
        const isNew = packet.index >= this.status.frames;
        const watches = !this.isOwner && this.isAtEnd; // stays where the other page is
        if (isNew) this.status = { ...this.status, frames: packet.index + 1, time: packet.time };
        if (packet.isLive && (this.follows || watches)) {
            this.setCursor(packet.index);
        } else if (packet.index === this.cursor || !this.frame) {
            if (!this.frame) this.cursor = packet.index;
            this.show(packet);
        } else if (this.frame.structure !== packet.structure) {
            this.setCursor(Math.min(this.cursor, packet.index));
        } else if (!this.cache.get(this.cursor)) {
            this.request(this.cursor); // it was dropped, because bodies came or went
        }
    }
    // The newest frame is to be shown, until somebody goes elsewhere.
    private follows = $state(false);
    private seeLatest(): void {
        if (!this.follows) return;
        this.follows = false;
        this.playing = "";
        this.setCursor(this.frames - 1);
    }

    private show(frame: FramePacket): void {
        this.frame = frame;
        this.time = frame.time;
        this.growScale(frame);
        this.view?.showFrame(frame);
        if (this.ghost >= 0) this.showGhost();
        if (this.playing === "") this.wantDetails();
    }

    private showGhost(): void {
        const frame = this.ghosts.get(this.cursor);
        const last = (this.branches.list[this.ghost]?.frames ?? 0) - 1;
        if (frame || this.cursor > last) this.view?.showGhost(frame ?? this.ghosts.get(last) ?? null);
        else this.connection.tell("frame", { frame: this.cursor, branch: this.ghost });
    }
    setGhost(branch: number): void {
        this.ghost = branch;
        this.ghosts.clear();
        if (branch < 0) this.view?.showGhost(null);
        else this.showGhost();
    }

    // ---- time

    // Goes to a frame: at once when it is here, else as soon as it comes.
    setCursor(index: number): void {
        const k = Math.max(0, Math.min(this.frames - 1, Math.round(index)));
        this.cursor = k;
        const frame = this.cache.get(k);
        if (frame) this.show(frame);
        else this.request(k);
    }

    seek(index: number): void {
        this.stop();
        this.follows = false;
        this.exact = index;
        this.setCursor(index);
    }

    private request(k: number): void {
        if (this.asked.has(k) || this.asked.size >= kMostRequests) return;
        this.asked.add(k);
        this.connection.tell("frame", { frame: k });
    }

    play(direction: "forward" | "reverse" = "forward"): void {
        if (this.frames === 0) return;
        const isOn = this.playing === direction || (direction === "forward" && this.playing === "" && this.status.running && this.pausing === 0);
        this.stop();
        if (isOn) return;
        this.follows = false;
        this.exact = this.cursor;
        this.last = 0;
        this.playing = direction;
        if (direction === "reverse" && this.cursor === 0) this.seekKeepingPlay(this.frames - 1);
        if (direction === "forward" && this.isAtEnd && this.frames > 1 && (this.isRecording || this.loop)) this.seekKeepingPlay(0);
        if (direction === "forward" && this.isAtEnd && !this.isRecording) void this.runOn();
        requestAnimationFrame((t) => this.tick(t));
    }

    private seekKeepingPlay(k: number): void {
        this.exact = k;
        this.setCursor(k);
    }

    // Also what was begun a moment ago, of which the server has not spoken yet.
    stop(): void {
        this.playing = "";
        if (!(this.status.running || this.starting) || !this.isOwner) return;
        ++this.pausing;
        void this.attempt("Pause", this.connection.ask("run", { on: false })).then(() => --this.pausing);
    }
    private pausing = 0; // requests under way

    private async runOn(): Promise<void> {
        if (this.starting) return;
        this.starting = true;
        this.follows = true;
        const until = this.hasEnded ? 0 : (this.status.duration ?? 0);
        const fine = await this.attempt("Run", this.connection.ask("run", { on: true, speed: this.speed, until, when: this.pauseWhen }));
        this.starting = false;
        if (fine === undefined) this.playing = "";
        if (fine === undefined) this.follows = false;
    }

    // Replays what is recorded; the server takes over at its end.
    private tick(now: number): void {
        if (this.playing === "") return;
        const seconds = this.last === 0 ? 0 : Math.min(0.25, (now - this.last) / 1000);
        this.last = now;
        if (!this.starting && !(this.status.running && this.playing === "forward")) {
            const next = advance({ cursor: this.cursor, exact: this.exact, ended: "" }, seconds, {
                frames: this.frames,
                dt: this.status.dt ?? 0,
                speed: this.speed || 1,
                direction: this.playing === "forward" ? 1 : -1,
                loop: this.loop,
            });
            this.exact = next.exact;
            if (next.cursor !== this.cursor) this.setCursor(next.cursor);
            for (let k = 1; k <= 2; ++k) this.prefetch(next.cursor + (this.playing === "forward" ? k : -k));
            if (next.ended === "start" || (next.ended === "end" && (this.isRecording || this.hasEnded))) this.playing = "";
            else if (next.ended === "end" && this.playing === "forward" && this.frame?.index === this.cursor) void this.runOn();
        }
        requestAnimationFrame((t) => this.tick(t));
    }
    private starting = false;

    private prefetch(k: number): void {
        if (k >= 0 && k < this.frames && !this.cache.get(k)) this.request(k);
    }

    stepBy(count: number): void {
        this.stop();
        if (count > 0 && this.isAtEnd && !this.isRecording) {
            void this.stepOn();
        } else {
            this.seek(this.cursor + count);
        }
    }

    private async stepOn(): Promise<boolean> {
        this.follows = true;
        const isFine = (await this.attempt("Step", this.connection.ask("step"))) !== undefined;
        this.seeLatest();
        return isFine;
    }

    setSpeed(speed: number): void {
        this.speed = speed;
        if (this.playing === "forward" && this.status.running) void this.runOn();
    }

    async rewind(): Promise<void> {
        this.stop();
        await this.attempt("Start over", this.connection.ask("rewind"));
        this.setCursor(0);
    }

    // A branch that begins at the cursor; what came after stays in the branch that it was in.
    async cutHere(): Promise<boolean> {
        this.stop();
        this.follows = false;
        const k = this.cursor;
        const from = this.branches.current;
        const answer = await this.attempt("Cut", this.connection.ask("cut", { frame: k }));
        if (answer === undefined) return false;
        this.say("A branch starts here. What came after is still in the other one.");
        if (from >= 0) this.setGhost(from);
        return true;
    }
    async goToBranch(branch: number, frame = this.cursor): Promise<void> {
        this.stop();
        if (branch !== this.branches.current) {
            if ((await this.attempt("Branch", this.connection.ask("branch", { to: branch }))) === undefined) return;
            if (this.ghost === branch) this.setGhost(-1);
        }
        this.seek(frame);
    }
    async dropBranch(branch: number): Promise<void> {
        if (this.ghost === branch) this.setGhost(-1);
        await this.attempt("Branch", this.connection.ask("branch", { drop: branch }));
    }
    async mark(): Promise<void> {
        if (this.frames === 0) return;
        const time = this.frame?.index === this.cursor ? this.time : this.cursor * (this.status.dt ?? 0);
        const name = `t = ${time.toFixed(3)} s`;
        const answer = await this.attempt("Mark", this.connection.ask("mark", { frame: this.cursor, name }));
        if (answer !== undefined) this.say("A sync point is set. Jump to it from the list at the right of the timeline, and go on from there.");
    }
    removeMark(k: number): void {
        void this.attempt("Mark", this.connection.ask("mark", { remove: k }));
    }
    jump(direction: 1 | -1): void {
        const places = [...this.branches.marks.filter((m) => m.branch === this.branches.current).map((m) => m.frame), ...this.happenings.map((h) => h.frame)].sort((a, b) => a - b);
        const to = direction > 0 ? places.find((k) => k > this.cursor) : places.filter((k) => k < this.cursor).at(-1);
        if (to !== undefined) this.seek(to);
        else this.say(direction > 0 ? "Nothing more happens." : "Nothing happened before.");
    }
    private async loadHappenings(): Promise<void> {
        if (this.happeningEra !== this.era) [this.happeningEra, this.nextHappening, this.happenings] = [this.era, 0, []];
        if (this.frames < 2 || this.isAskingHappenings) return;
        this.isAskingHappenings = true;
        const { era, frames } = this;
        const answer = await this.connection.ask<{ list: Happening[]; next: number }>("happened", { from: this.nextHappening }).catch(() => null);
        this.isAskingHappenings = false;
        // What came meanwhile was not answered.
        if (era !== this.era || (answer && this.frames > frames)) setTimeout(() => void this.loadHappenings(), 200);
        if (!answer || era !== this.era) return;
        this.nextHappening = answer.next;
        if (answer.list.length > 0) this.happenings = [...this.happenings, ...answer.list];
    }
    private isAskingHappenings = false;
    takeControl(): void {
        void this.connection.ask("control");
    }

    // ---- edits: of the document at t = 0, of the running world later

    async apply(label: string, change: Change): Promise<boolean> {
        this.stop();
        this.fieldIssues = [];
        if (!this.isAtStart && !this.isRecording) return this.command(this.commandOf(change), true);
        try {
            await this.connection.ask("edit", { label, changes: change.changes ?? [], add: (change.add ?? {}) as JsonObject, remove: (change.remove ?? {}) as JsonObject });
            this.toStart();
            return true;
        } catch (error) {
            const refused = error as Refused;
            this.fieldIssues = refused.issues ?? [];
            this.say((refused.issues?.[0]?.message ?? refused.message).replace(/^.*?: /, (m) => (m.startsWith("--set") ? "" : m)), true);
            return false;
        }
    }
    edit(label: string, changes: { path: string; value: Json }[]): Promise<boolean> {
        return this.apply(label, { changes });
    }

    // The same as commands: what is changed is put in its new form, what is new is put, what goes is removed by name.
    private commandOf(change: Change): JsonObject {
        const put: { [list: string]: JsonObject[] } = {};
        let isMoved = false;
        for (const { path, value } of change.changes ?? []) {
            const [list = "", place = "", ...rest] = path.split(".");
            if (list === "settings" && rest.length === 0) return { type: place === "method" ? "set_method" : "set_settings", [place]: value };
            const kind = kinds.find((k) => listOf[k] === list);
            const selection = this.selected.find((s) => s.kind === kind && (this.pathOf(s) || `${list}.${s.index}`) === `${list}.${place}`);
            const now = selection && this.describedOf(selection);
            if (!now) continue;
            const known = put[list]?.findIndex((thing) => thing.name === now.name) ?? -1;
            const next = withValue(known >= 0 ? (put[list]?.[known] ?? now) : now, rest.join("."), value);
            if (known >= 0 && put[list]) put[list][known] = next;
            else (put[list] ??= []).push(next);
            isMoved ||= /^(position|orientation|velocity|angular_velocity)$/.test(rest[0] ?? "");
        }
        for (const list of listNames) for (const thing of change.add?.[list] ?? []) (put[list] ??= []).push(thing);
        const gone: JsonObject = {};
        for (const kind of kinds) {
            const names = (change.remove?.[listOf[kind]] ?? []).map((k) => this.thingsOf(kind)[k]?.name ?? "");
            if (names.length > 0) gone[listOf[kind]] = names;
        }
        const commands: JsonObject[] = [];
        if (Object.keys(gone).length > 0) commands.push({ type: "remove", ...gone });
        if (Object.keys(put).length > 0) commands.push({ type: "put", ...put, ...(isMoved ? { move: true } : {}) } as JsonObject);
        return commands.length === 1 ? (commands[0] as JsonObject) : { type: "batch", commands };
    }

    private toStart(): void {
        this.follows = false;
        this.cursor = 0;
        this.exact = 0;
    }

    async add(things: Things, label = "Add"): Promise<boolean> {
        if (!this.scene || this.isRecording) return false;
        const named = renamed(things, this.names, null);
        const first = listNames.flatMap((list) => named[list] ?? []);
        if (!(await this.apply(`${label} ${String(first[0]?.name ?? "")}`, { add: named }))) return false;
        this.selectNew(named);
        return true;
    }
    // Once the page hears of them.
    private selectNew(things: Things): void {
        this.selectedNames = kinds.flatMap((kind) => (things[listOf[kind]] ?? []).map((thing) => ({ kind, name: String(thing.name) })));
        this.selectByNames();
    }
    // Above the middle, or beside what is there already.
    freePlace(): Vec {
        for (let k = 0; k < 200; ++k) {
            const x = 0.75 * (k % 2 === 0 ? k / 2 : -(k + 1) / 2);
            const isTaken = this.bodies.some((body, n) => {
                const { position } = this.poseOf(n);
                return body.shape.type !== "plane" && Math.hypot(position[0] - x, position[1] - 1, position[2]) < 0.6;
            });
            if (!isTaken) return [x, 1, 0];
        }
        return [0, 1, 0];
    }
    addBody(body: JsonObject): Promise<boolean> {
        return this.add({ bodies: [body] });
    }

    // What is selected, with what connects it, as the scene says it.
    private chosenThings(): Things {
        const names = new Set(this.indices("body").map((k) => this.bodies[k]?.name ?? ""));
        const things: Things = {};
        for (const selection of this.selected) {
            const now = this.describedOf(selection);
            const thing = this.thingsOf(selection.kind)[selection.index];
            if (!now || (thing as BodyInfo).copy) continue;
            const list = (things[listOf[selection.kind]] ??= []);
            if (!list.some((other) => other.name === now.name)) list.push({ ...now, name: thing?.name ?? "" });
        }
        for (const kind of ["joint", "force"] as const) {
            this.thingsOf(kind).forEach((link, index) => {
                const { a, b } = link as JointInfo;
                const isInside = [a, b].every((k) => k >= 0 && names.has(this.bodies[k]?.name ?? ""));
                const isChosen = this.indices(kind).includes(index);
                const now = isInside && !isChosen ? this.describedOf({ kind, index }) : undefined;
                if (now) (things[listOf[kind]] ??= []).push({ ...now, name: link.name });
            });
        }
        return things;
    }
    copy(): void {
        const things = this.chosenThings();
        const count = listNames.reduce((sum, list) => sum + (things[list]?.length ?? 0), 0);
        if (count === 0) return;
        localStorage.setItem("clipboard", JSON.stringify(things));
        this.say(`Copied ${count} ${count === 1 ? "thing" : "things"}.`);
    }
    async cutOut(): Promise<void> {
        this.copy();
        await this.remove();
    }
    async paste(): Promise<void> {
        const things = JSON.parse(localStorage.getItem("clipboard") ?? "{}") as Things;
        if (Object.keys(things).length > 0) await this.addShifted(things, "Paste");
    }
    async duplicate(): Promise<void> {
        if (this.selected.length === 0 || !this.canEditAll()) return;
        await this.addShifted(this.chosenThings(), "Duplicate");
    }
    private async addShifted(things: Things, label: string): Promise<void> {
        const copies = renamed(things, this.names, [this.spread, 0, 0]);
        const first = listNames.flatMap((list) => copies[list] ?? [])[0];
        if (first && !this.isRecording && (await this.apply(`${label} ${String(first.name)}`, { add: copies }))) this.selectNew(copies);
    }
    // How far copies are put beside their originals.
    private get spread(): number {
        const size = this.selectedBody?.shape.size?.[0] ?? 0.25;
        const way = Math.max(0.1, this.selectedBody?.shape.type === "box" ? size : 2 * size) * 1.25;
        return Number(way.toPrecision(3));
    }
    async remove(): Promise<void> {
        if (this.selected.length === 0 || !this.canEditAll()) return;
        const remove: { [list: string]: number[] } = {};
        for (const { kind, index } of this.selected) {
            const thing = this.thingsOf(kind)[index];
            const place = this.isAtStart ? (thing?.written ?? -1) : index;
            const list = (remove[listOf[kind]] ??= []);
            if (place >= 0 && !list.includes(place)) list.push(place);
        }
        const label = this.selected.length === 1 ? `Delete ${this.selectedThing?.name}` : `Delete ${this.selected.length} things`;
        this.select(null);
        await this.apply(label, { remove });
    }
    private canEditAll(): boolean {
        return this.selected.every(({ kind, index }) => {
            const thing = this.thingsOf(kind)[index];
            return thing !== undefined && this.canEdit(thing);
        });
    }
    canEdit(thing: BodyInfo | JointInfo | ForceInfo): boolean {
        if (this.isRecording) this.say("A recording cannot be changed. Open its scene instead.", true);
        else if (this.isAtStart && thing.written < 0) this.say(`“${thing.name}” comes from an included file or a command; edit it there.`, true);
        else return true;
        return false;
    }

    poseOf(body: number): Pose {
        const out = [0, 0, 0, 0, 0, 0, 1] as [number, number, number, number, number, number, number];
        if (this.frame && body < this.frame.bodies) readPose(this.frame, body, out);
        return { position: [out[0], out[1], out[2]], rotation: [out[6], out[3], out[4], out[5]] };
    }
    // With all digits where they are known: frames have seven.
    private exactPose(index: number): Pose {
        const now = this.isAtStart ? this.details?.bodies.find((body) => body.name === this.bodies[index]?.name) : undefined;
        const { position: seen, rotation } = this.poseOf(index);
        const pose: Pose = { position: seen.map((v) => Number(v.toPrecision(7)) + 0) as Vec, rotation };
        if (!now) return pose;
        const position = (now.position ?? [0, 0, 0]) as Vec;
        return { position: position.every((v) => typeof v === "number") ? position : pose.position, rotation: readRotation(now.orientation) ?? pose.rotation };
    }
    private get ownBodies(): { index: number; body: BodyInfo; path: string; value: JsonObject }[] {
        return this.indices("body").flatMap((index) => {
            const body = this.bodies[index];
            const path = this.pathOf({ kind: "body", index });
            const value = this.describedOf({ kind: "body", index });
            return body && value && (path || !this.isAtStart) && !(body.copy && this.isAtStart) ? [{ index, body, path: path || `bodies.${index}`, value }] : [];
        });
    }
    // Places and turns of what was dragged at the start become the scene's.
    async place(placed: { body: number; position: Vec; rotation: [number, number, number, number] }[], isTurned: boolean): Promise<boolean> {
        const round = (v: number) => Number(v.toPrecision(7)) + 0; // what frames hold
        const own = this.ownBodies;
        const changes = placed.flatMap(({ body, position, rotation }) => {
            const one = own.find((o) => o.index === body);
            if (!one) return [];
            const list = [{ path: `${one.path}.position`, value: position.map(round) as Json }];
            return isTurned ? [...list.filter(() => placed.length > 1), { path: `${one.path}.orientation`, value: rotation.map(round) as Json }] : list;
        });
        if (changes.length === 0) return false;
        const name = placed.length === 1 ? (this.selectedBody?.name ?? "") : `${placed.length} bodies`;
        return this.edit(`${isTurned ? "Turn" : "Move"} ${name}`, changes);
    }
    async scaleBy(factor: Vec): Promise<void> {
        const changes = this.ownBodies.map(({ path, value }) => ({ path: `${path}.shape`, value: scaledShape(value.shape as JsonObject, factor.map((f) => Math.max(0.01, Math.abs(f))) as Vec) }));
        if (changes.length > 0) await this.edit(`Scale ${this.selectedBody?.name ?? ""}`, changes);
    }
    async group(): Promise<void> {
        const own = this.ownBodies;
        if (own.length < 2) return this.say("Select two or more bodies to make one of them.", true);
        const name = String(own[0]?.value.name ?? "group");
        const body = grouped(own.map((o) => o.value), own.map((o) => this.exactPose(o.index)), name);
        const places = own.map((o) => (this.isAtStart ? o.body.written : o.index));
        if (await this.apply(`Group ${own.length} bodies`, { remove: { bodies: places }, add: { bodies: [body] } })) this.selectNew({ bodies: [body] });
    }
    async ungroup(): Promise<void> {
        const one = this.ownBodies[0];
        if (!one || one.body.shape.type !== "compound") return this.say("Select a compound to take it apart.", true);
        const parts = ungrouped(one.value, this.exactPose(one.index), this.names);
        if (await this.apply(`Ungroup ${one.body.name}`, { remove: { bodies: [this.isAtStart ? one.body.written : one.index] }, add: { bodies: parts } })) this.selectNew({ bodies: parts });
    }
    async arrange(count: Vec, spacing: Vec): Promise<void> {
        const changes = this.ownBodies.map(({ path }) => ({ path: `${path}.repeat`, value: { count, spacing } as Json }));
        if (changes.length > 0) await this.edit(`Array of ${this.selectedBody?.name ?? ""}`, changes);
    }
    selectAll(): void {
        this.selectMany(this.bodies.map((_, index) => ({ kind: "body" as const, index })));
    }

    // ---- connecting

    startLink(list: "joints" | "forces", type: string, wanted: 1 | 2): void {
        this.linking = { list, type, ends: [], wanted };
        this.tool = "link";
        this.view?.refresh();
    }
    stopLink(): void {
        if (!this.linking) return;
        this.linking = null;
        this.tool = "select";
        this.view?.refresh();
    }
    // -1: the world, only as the first end.
    pickEnd(body: number, point: Vec, normal: Vec): void {
        const { linking } = this;
        if (!linking) return;
        if (body < 0 && (linking.wanted === 1 || linking.ends.length > 0)) return this.say("Here a body is wanted.", true);
        const ends = [...linking.ends, { body, point: point.map((v) => Number(v.toPrecision(5))) as Vec, normal }];
        if (ends.length < linking.wanted) {
            this.linking = { ...linking, ends };
            return;
        }
        this.stopLink();
        void this.finishLink({ ...linking, ends });
    }
    private async finishLink({ list, type, ends }: Linking): Promise<void> {
        const [first, last] = [ends[0], ends.at(-1)];
        if (!first || !last || !this.schema) return;
        const nameOf = (k: number) => this.bodies[k]?.name ?? "";
        const link: JsonObject = { name: type.replaceAll("_", " "), type, ...(ends.length > 1 && first.body >= 0 ? { a: nameOf(first.body) } : {}), b: nameOf(last.body), ...emptyMember(list, type, this.schema) };
        const fields = new Set(Object.keys(emptyMember(list, type, this.schema, true)));
        const round = (v: Vec) => v.map((part) => Number(part.toPrecision(6)) + 0) as Vec;
        // Across the surface that was picked; what nearly lies along an axis of the world does so.
        const straight = last.normal.map((part) => (Math.abs(part) > 0.97 ? Math.sign(part) : 0)) as Vec;
        const axis = Math.hypot(...straight) > 0 ? straight : Math.hypot(...last.normal) > 0.5 ? round(last.normal) : [0, 0, 1];
        if (fields.has("anchor")) link.anchor = last.point;
        if (fields.has("anchor_a")) link.anchor_a = first.point;
        if (fields.has("anchor_b")) link.anchor_b = last.point;
        for (const name of ["axis", "direction", "normal", "first_axis", "steer_axis"]) if (fields.has(name)) link[name] = axis;
        // Dry numbers that hold a body of this weight within a hundredth of the size.
        const mass = this.massOf(nameOf(last.body))?.mass || 1;
        if (link.stiffness !== undefined && type !== "rod" && type !== "cable") link.stiffness = Number((mass * 400).toPrecision(2));
        if (link.damping !== undefined && type === "damper") link.damping = Number((mass * 4).toPrecision(2));
        if (fields.has("force") && type === "constant") link.force = [0, Number((mass * 20).toPrecision(2)), 0];
        if (fields.has("force") && type === "pull") link.force = Number((mass * 10).toPrecision(2));
        if (fields.has("torque")) link.torque = [0, Number(mass.toPrecision(2)), 0];
        await this.add({ [list]: [link] }, "Connect");
    }

    async undo(): Promise<void> {
        if (this.scene?.undo == null) return;
        this.stop();
        const answer = await this.attempt("Undo", this.connection.ask<{ label: string }>("undo"));
        if (answer) this.say(`Undone: ${answer.label}`);
        this.toStart();
    }
    async redo(): Promise<void> {
        if (this.scene?.redo == null) return;
        this.stop();
        const answer = await this.attempt("Redo", this.connection.ask<{ label: string }>("redo"));
        if (answer) this.say(`Redone: ${answer.label}`);
        this.toStart();
    }

    // One change to the running world. Not at the end of what is recorded a branch begins there.
    async command(command: JsonObject, isSeen = false): Promise<boolean> {
        if (!this.isAtEnd && !(await this.cutHere())) return false;
        if ((await this.attempt("Command", this.connection.ask("command", { command }))) === undefined) return false;
        return isSeen ? this.stepOn() : true;
    }

    // ---- files

    async open(what: { path: string } | { text: string; name: string } | { new: true }): Promise<boolean> {
        this.stop();
        const answer = await this.attempt("This cannot be opened", this.connection.ask("open", { ...what }), true);
        if (answer === undefined) return false;
        this.toStart();
        this.dialog = "";
        this.view?.frameAll();
        return true;
    }

    async loadGallery(): Promise<void> {
        this.gallery = await this.connection.ask<Gallery>("list", { what: "gallery" }).catch(() => null);
    }

    // "exists": the file is there and has not been replaced.
    async save(path: string, overwrite: boolean): Promise<"" | "exists" | "failed"> {
        try {
            const answer = await this.connection.ask<{ exists?: boolean; file?: string }>("save", { path, overwrite });
            if (answer.exists) return "exists";
            this.say(`Saved as ${answer.file}`);
            void this.loadGallery();
            return "";
        } catch (error) {
            this.say((error as Error).message, true);
            return "failed";
        }
    }

    text(): Promise<string> {
        return this.connection.ask<string>("list", { what: "text" });
    }

    series(names: string[], from: number, every: number): Promise<Series> {
        return this.connection.ask<Series>("series", { names, from, every });
    }

    thumbnail(path: string): Promise<string | null> {
        return this.connection.ask<{ png: string }>("thumbnail", { path }).then(
            (answer) => answer.png,
            () => null,
        );
    }
    profile<T>(frame: number): Promise<T> {
        return this.connection.ask<T>("profile", { frame });
    }
    makeFilm(settings: JsonObject): Promise<{ exists?: boolean; file?: string } | null | undefined> {
        this.film = null;
        return this.attempt("Film", this.connection.ask<{ exists?: boolean; file?: string }>("film", settings));
    }
    cancelFilm(): void {
        this.connection.tell("film", { cancel: true });
    }

    // ---- selection

    select(selection: Selection | null, isMore = false): void {
        if (!selection || !isMore) return this.selectMany(selection ? [selection] : []);
        const others = this.selected.filter((s) => s.kind !== selection.kind || s.index !== selection.index);
        this.selectMany(others.length === this.selected.length ? [selection, ...others] : others);
    }
    selectMany(list: Selection[]): void {
        this.selected = list;
        this.selectedNames = list.map(({ kind, index }) => ({ kind, name: this.thingsOf(kind)[index]?.name ?? "" }));
        this.fieldIssues = [];
        this.details = null;
        this.wantDetails();
        this.view?.refresh();
        document.documentElement.dataset.selected = this.selectedNames.map((s) => s.name).join("|");
    }
    private selectByNames(): void {
        const wanted = this.selectedNames;
        const found = wanted.flatMap(({ kind, name }) => {
            const index = this.thingsOf(kind).findIndex((thing) => thing.name === name);
            return index >= 0 && name !== "" ? [{ kind, index }] : [];
        });
        this.selectMany(found);
        if (found.length < wanted.length) this.selectedNames = wanted; // they may come back
    }
    private wantDetails(): void {
        clearTimeout(this.detailsTimer);
        if (this.selected.length === 0 || this.frames === 0) return;
        this.detailsTimer = window.setTimeout(() => void this.loadDetails(), 60);
    }
    private async loadDetails(): Promise<void> {
        const names = (kind: Kind) => this.indices(kind).slice(0, 500).map((k) => this.thingsOf(kind)[k]?.name ?? "");
        const ends = this.indices("joint").map((k) => this.joints[k]).concat(this.indices("force").map((k) => this.forces[k] as unknown as JointInfo));
        const bodies = [...new Set([...names("body"), ...ends.flatMap((link) => [link?.a ?? -1, link?.b ?? -1]).map((k) => this.bodies[k]?.name ?? "")])].filter(Boolean);
        // Joints and forces between what is selected come along when it is copied.
        const chosen = new Set(this.indices("body"));
        const between = (list: { name: string; a: number; b: number }[]) => list.filter(({ a, b }) => [a, b].every((k) => k < 0 || chosen.has(k))).map((link) => link.name);
        const joints = [...new Set([...names("joint"), ...between(this.joints)])];
        const forces = [...new Set([...names("force"), ...between(this.forces)])];
        const frame = this.cursor;
        const answer = await this.connection.ask<Partial<Details>>("describe", { frame, bodies, joints, forces }).catch(() => null);
        if (answer && frame === this.cursor) this.details = { bodies: answer.bodies ?? [], joints: answer.joints ?? [], forces: answer.forces ?? [], masses: answer.masses ?? [] };
    }

    // ---- columns of numbers: velocities, colours

    private get watched(): ColumnInfo[] {
        const wanted = [...(this.overlays.velocities ? ["velocity"] : []), ...(this.colorBy ? [this.colorBy] : [])];
        return [...new Set(wanted)].flatMap((name) => this.hello?.columns.find((c) => c.name === name) ?? []);
    }
    // Frames that are here do not have what is wanted now.
    private watch(): void {
        this.connection.tell("watch", { contacts: this.overlays.contacts, columns: this.watched.map((c) => c.name) });
        this.cache.dropFrom(0);
        this.asked.clear();
        if (this.frames > 0) this.setCursor(this.cursor);
    }
    columnNow(name: string, frame = this.frame): { values: Float32Array; parts: number } | null {
        let before = 0;
        for (const column of this.watched) {
            const values = frame && column.name === name ? columnOf(frame, before, column.parts) : null;
            if (values) return { values, parts: column.parts };
            before += column.parts;
        }
        return null;
    }
    setColorBy(name: string): void {
        this.colorBy = name;
        this.colorScale = { min: 0, max: 0, isLog: this.isColorLog, isKind: ["island", "stepper", "asleep"].includes(name) };
        this.watch();
        this.view?.refresh();
    }
    setColorLog(isLog: boolean): void {
        this.isColorLog = isLog;
        this.colorScale = { ...this.colorScale, isLog };
        this.view?.refresh();
    }
    private static size(values: Float32Array, parts: number, k: number): number {
        if (parts === 1) return values[k] ?? 0;
        let sum = 0;
        for (let p = 0; p < parts; ++p) sum += (values[k * parts + p] ?? 0) ** 2;
        return Math.sqrt(sum);
    }
    private growScale(frame: FramePacket): void {
        const column = this.colorBy ? this.columnNow(this.colorBy, frame) : null;
        if (!column || this.colorScale.isKind) return;
        let { min, max } = this.colorScale;
        for (let k = 0; k < frame.bodies; ++k) {
            const value = Studio.size(column.values, column.parts, k);
            if (this.bodies[k]?.kind === "static" || !Number.isFinite(value)) continue;
            min = Math.min(min, value);
            max = Math.max(max, value);
        }
        if (min !== this.colorScale.min || max !== this.colorScale.max) this.colorScale = { ...this.colorScale, min, max };
    }
    painter(): ((body: number, out: Color) => void) | null {
        const column = this.colorBy ? this.columnNow(this.colorBy) : null;
        if (!column) return null;
        return (body, out) => paintValue(Studio.size(column.values, column.parts, body), this.colorScale, out);
    }
    // Where a body was in the frames before this one, as far as they are here: pairs of points.
    trail(body: number): Float32Array {
        const points: number[] = [];
        const pose = [0, 0, 0, 0, 0, 0, 1];
        let last: number[] | null = null;
        for (let k = Math.max(0, this.cursor - 500); k <= this.cursor; ++k) {
            const frame = this.cache.peek(k);
            if (!frame || body >= frame.bodies) {
                last = null;
                continue;
            }
            readPose(frame, body, pose);
            if (last) points.push(...last, ...pose.slice(0, 3));
            last = pose.slice(0, 3);
        }
        return new Float32Array(points);
    }

    // ---- small things

    toggle(name: keyof Studio["overlays"]): void {
        this.overlays[name] = !this.overlays[name];
        if (name === "contacts" || name === "velocities") this.watch();
        this.view?.refresh();
    }
    setTool(tool: Tool): void {
        this.stopLink();
        this.tool = tool;
        if (["move", "rotate", "scale"].includes(tool) && this.selectedBody?.copy && this.isAtStart) this.say(`“${this.selectedBody.name}” is one of many copies: move its generator in the panel on the right.`);
        this.view?.refresh();
    }
    setSnap(isOn: boolean): void {
        this.snap = isOn;
        this.view?.setSnap(isOn);
    }
    setCamera(mode: CameraMode): void {
        if ((mode === "follow" || mode === "attached") && !this.selectedBody) return this.say("Select the body first that the camera is to go with.", true);
        this.camera = mode;
        if (mode === "fly") this.say("W A S D fly, Q and E go down and up, dragging looks around.");
        this.view?.refresh();
    }
    setStyle(style: Style): void {
        this.style = style;
        this.view?.refresh();
    }
    setStereo(settings: Partial<StereoSettings>): void {
        const wasOff = this.stereo.mode === "off";
        this.stereo = { ...this.stereo, ...settings };
        if (wasOff && settings.mode && this.view) {
            const far = this.view.distance;
            this.stereo = { ...this.stereo, convergence: Number(far.toPrecision(3)), eyes: Number((far / 30).toPrecision(2)) };
        }
        this.view?.refresh();
    }
    setLayout(layout: "single" | "four"): void {
        this.layout = layout;
        this.view?.refresh();
        requestAnimationFrame(() => this.view?.relayout());
    }

    setTheme(theme: "dark" | "light"): void {
        this.theme = theme;
        document.documentElement.dataset.theme = theme;
        localStorage.setItem("theme", theme);
        this.view?.refresh();
    }

    say(text: string, isWrong = false): void {
        this.notice = text;
        this.isNoticeWrong = isWrong;
        clearTimeout(this.noticeTimer);
        this.noticeTimer = window.setTimeout(() => (this.notice = ""), isWrong ? 7000 : 3000);
    }
    isNoticeWrong = $state(false);

    // Undefined when it failed, which has then been said.
    private async attempt<T>(title: string, what: Promise<T>, inDialog = false): Promise<T | null | undefined> {
        try {
            return (await what) ?? null;
        } catch (error) {
            const refused = error as Refused;
            if (inDialog || (refused.issues?.length ?? 0) > 1) this.problem = { title, message: refused.message, issues: refused.issues ?? [] };
            else this.say(refused.message, true);
            return undefined;
        }
    }
}

export const studio = new Studio();
