// What all rooms of the page's state stand on: the scene and its status as the server tells them, what is chosen and shown,
// and what can be asked of these.
import type { FramePacket, SurfacePacket } from "../protocol/packets";
import { Connection, type Refused, type ServerEvent } from "../protocol/socket";
import type { BodyInfo, Branches, FilmEvent, ForceInfo, Gallery, Happening, HelloEvent, Issue, JointInfo, Json, JsonObject, MassInfo, SceneEvent, StatusEvent, WarningInfo } from "../protocol/types";
import type { Style } from "../view3d/looks";
import type { StereoSettings } from "../view3d/stereo";
import type { CameraMode } from "../view3d/hooks";
import type { Scale } from "./colors";
import { FrameCache } from "./frame_cache";
import { type Details, type Dialog, type Kind, type Linking, listOf, type PlayMode, type Problem, type Selection, type Tool, type View } from "./terms";

const kCacheBytes = 192 << 20;

export abstract class Base {
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
    playing = $state<PlayMode>("");
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
    // The newest frame is to be shown, until somebody goes elsewhere.
    protected follows = $state(false);

    protected connection: Connection;
    protected cache = new FrameCache(kCacheBytes);
    protected asked = new Set<number>();
    private noticeTimer = 0;

    constructor() {
        this.connection = new Connection({
            event: (event) => this.takeEvent(event),
            packet: (packet) => this.takePacket(packet),
            connection: (isUp) => this.takeConnection(isUp),
        });
    }
    protected abstract takeEvent(event: ServerEvent): void;
    protected abstract takePacket(packet: FramePacket | SurfacePacket): void;
    protected abstract takeConnection(isUp: boolean): void;
    // Goes to a frame: at once when it is here, else as soon as it comes.
    abstract setCursor(index: number): void;

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

    // ---- words to the person

    say(text: string, isWrong = false): void {
        this.notice = text;
        this.isNoticeWrong = isWrong;
        clearTimeout(this.noticeTimer);
        this.noticeTimer = window.setTimeout(() => (this.notice = ""), isWrong ? 7000 : 3000);
    }
    isNoticeWrong = $state(false);

    // Undefined when it failed, which has then been said.
    protected async attempt<T>(title: string, what: Promise<T>, inDialog = false): Promise<T | null | undefined> {
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
