// What all rooms of the page share: the scene, the selection, the cursor on the timeline, and everything that can be
// done. Panels show it and call it; the 3D view is told by `view`.
import type { FramePacket, SurfacePacket } from "../protocol/packets";
import { Connection, Refused, type ServerEvent } from "../protocol/socket";
import type {
    BodyInfo,
    Gallery,
    Issue,
    Json,
    JsonObject,
    JointInfo,
    SceneEvent,
    Series,
    StatusEvent,
    Structure,
    WarningInfo,
} from "../protocol/types";
import { advance } from "./playback";
import { FrameCache } from "./frame_cache";

export type Selection = { kind: "body"; index: number } | { kind: "joint"; index: number } | null;
export type Tool = "select" | "move" | "rotate";
export type Playing = "" | "forward" | "reverse";

// What the 3D view has to know at once.
export interface View {
    setStructure(structure: Structure, isSame: boolean): void;
    addSurface(surface: SurfacePacket): void;
    showFrame(frame: FramePacket): void;
    refresh(): void;
    frameAll(): void;
    lookAlong(axis: string): void;
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
    selection = $state.raw<Selection>(null);
    tool = $state<Tool>("select");
    cursor = $state(0);
    time = $state(0);
    playing = $state<Playing>("");
    loop = $state(false);
    speed = $state(1);
    problem = $state.raw<Problem | null>(null);
    notice = $state("");
    dialog = $state<"" | "gallery" | "save" | "shortcuts" | "problems">("");
    theme = $state<"dark" | "light">("dark");
    overlays = $state({ contacts: false, joints: true, grid: true, shadows: true });
    schema = $state.raw<JsonObject | null>(null);
    gallery = $state.raw<Gallery | null>(null);
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
    private selectedName = "";
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
    get isAtEnd(): boolean {
        return this.cursor >= this.frames - 1;
    }
    get selectedBody(): BodyInfo | null {
        return this.selection?.kind === "body" ? (this.bodies[this.selection.index] ?? null) : null;
    }
    get selectedJoint(): JointInfo | null {
        return this.selection?.kind === "joint" ? (this.joints[this.selection.index] ?? null) : null;
    }
    // The part of the document that belongs to the selection, and its path.
    get selectedPath(): string {
        const thing = this.selectedBody ?? this.selectedJoint;
        if (!thing || thing.written < 0 || this.isRecording) return "";
        return `${this.selection?.kind === "body" ? "bodies" : "joints"}.${thing.written}`;
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
        if (this.overlays.contacts) this.connection.tell("watch", { contacts: true });
        void this.connection.ask<JsonObject>("list", { what: "schema" }).then((schema) => (this.schema = schema));
        void this.loadGallery();
        document.documentElement.dataset.connected = "yes";
    }

    private takeEvent(event: ServerEvent): void {
        if (event.event === "status") {
            const hasStopped = this.status.running && !event.running;
            this.status = event;
            if (hasStopped) this.playing = "";
            if (hasStopped) this.setCursor(event.frames - 1);
            if (event.message) this.problem = { title: "The simulation stopped", message: event.message, issues: [] };
        } else if (event.event === "scene") {
            this.takeScene(event);
        } else if (this.scene) {
            // Bodies came or went: these are those of the frame that comes next, not of those that are here.
            this.cache.dropFrom(0);
            this.scene = { ...this.scene, structure: event.structure };
            this.view?.setStructure(event.structure, true);
            this.selectByName(this.selectedName);
        }
    }

    private takeScene(event: SceneEvent): void {
        const isSame = this.scene?.title === event.title && this.scene?.recording === event.recording && this.scene?.file === event.file;
        const isSameWorld = this.scene?.number === event.number;
        this.scene = event;
        if (!isSameWorld) {
            this.cache.dropFrom(0);
            this.era++;
        }
        this.asked.clear();
        this.fieldIssues = [];
        for (const surface of this.surfaces) if (surface.structure === event.number) this.view?.addSurface(surface);
        this.view?.setStructure(event.structure, isSame);
        if (!isSame) this.select(null);
        else this.selectByName(this.selectedName);
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
        this.asked.delete(packet.index);
        if (packet.isLive) this.connection.tell("ack");
        if (packet.structure !== this.scene?.number) return;
        this.cache.put(packet);
        const isNew = packet.index >= this.status.frames;
        if (isNew) this.status = { ...this.status, frames: packet.index + 1, time: packet.time };
        if (packet.isLive && (this.playing === "forward" || this.wantsLatest)) {
            this.wantsLatest = false;
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
    private wantsLatest = false;

    private show(frame: FramePacket): void {
        this.frame = frame;
        this.time = frame.time;
        this.view?.showFrame(frame);
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
        if (this.playing === direction) {
            this.stop();
            return;
        }
        this.stop();
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

    stop(): void {
        if (this.playing === "") return;
        this.playing = "";
        if (this.status.running) void this.attempt("Pause", this.connection.ask("run", { on: false }));
    }

    private async runOn(): Promise<void> {
        if (this.starting) return;
        this.starting = true;
        const until = this.hasEnded ? 0 : (this.status.duration ?? 0);
        const fine = await this.attempt("Run", this.connection.ask("run", { on: true, speed: this.speed, until }));
        this.starting = false;
        if (fine === undefined) this.playing = "";
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
            this.wantsLatest = true;
            void this.attempt("Step", this.connection.ask("step"));
        } else {
            this.seek(this.cursor + count);
        }
    }

    setSpeed(speed: number): void {
        this.speed = speed;
        if (this.status.running) void this.runOn();
    }

    async rewind(): Promise<void> {
        this.stop();
        await this.attempt("Start over", this.connection.ask("rewind"));
        this.setCursor(0);
    }

    // Forgets what comes after the cursor; from here it goes on differently.
    async cutHere(): Promise<boolean> {
        this.stop();
        const k = this.cursor;
        const answer = await this.attempt("Cut", this.connection.ask("cut", { frame: k }));
        if (answer === undefined) return false;
        this.say("A branch starts here: what came after is cut off.");
        this.setCursor(k);
        return true;
    }

    // ---- the document

    async edit(label: string, changes: { path: string; value: Json }[]): Promise<boolean> {
        this.stop();
        this.fieldIssues = [];
        try {
            await this.connection.ask("edit", { what: "set", label, changes });
            this.toStart();
            return true;
        } catch (error) {
            const refused = error as Refused;
            this.fieldIssues = refused.issues ?? [];
            this.say((refused.issues?.[0]?.message ?? refused.message).replace(/^.*?: /, (m) => (m.startsWith("--set") ? "" : m)), true);
            return false;
        }
    }

    private toStart(): void {
        this.cursor = 0;
        this.exact = 0;
    }

    async change(what: string, rest: { [key: string]: Json }): Promise<number | undefined> {
        this.stop();
        const answer = await this.attempt("Edit", this.connection.ask<{ written?: number } | null>("edit", { what, ...rest }));
        if (answer === undefined) return undefined;
        this.toStart();
        return answer?.written;
    }

    async addBody(body: JsonObject): Promise<void> {
        const written = await this.change("add_body", { body });
        if (written !== undefined) this.selectWritten(written);
    }
    async duplicate(): Promise<void> {
        const body = this.selectedBody;
        if (!body || !this.canEdit(body)) return;
        const written = await this.change("duplicate_body", { target: body.written });
        if (written !== undefined) this.selectWritten(written);
    }
    async remove(): Promise<void> {
        const thing = this.selectedBody ?? this.selectedJoint;
        if (!thing || !this.canEdit(thing)) return;
        const what = this.selectedBody ? "remove_body" : "remove_joint";
        this.select(null);
        await this.change(what, { target: thing.written });
    }
    canEdit(thing: BodyInfo | JointInfo): boolean {
        if (this.isRecording) this.say("A recording cannot be changed. Open its scene instead.", true);
        else if (thing.written < 0) this.say(`“${thing.name}” comes from an included file or a command; edit it there.`, true);
        else return true;
        return false;
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

    // One change to the running world. Not at the end of what is recorded it first becomes the end.
    async command(command: JsonObject): Promise<boolean> {
        if (!this.isAtEnd && !(await this.cutHere())) return false;
        return (await this.attempt("Command", this.connection.ask("command", { command }))) !== undefined;
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

    // ---- selection

    select(selection: Selection): void {
        this.selection = selection;
        this.selectedName = (this.selectedBody ?? this.selectedJoint)?.name ?? "";
        this.fieldIssues = [];
        this.view?.refresh();
        document.documentElement.dataset.selected = this.selectedName;
    }
    private selectByName(name: string): void {
        const kind = this.selection?.kind ?? "body";
        const index = (kind === "body" ? this.bodies : this.joints).findIndex((thing) => thing.name === name);
        const isThere = index >= 0 && name !== "";
        this.select(isThere ? { kind, index } : null);
        if (!isThere) this.selectedName = name; // it may come back
    }
    private selectWritten(written: number): void {
        const index = this.bodies.findIndex((body) => body.written === written);
        if (index >= 0) this.select({ kind: "body", index });
    }

    // ---- small things

    toggle(name: keyof Studio["overlays"]): void {
        this.overlays[name] = !this.overlays[name];
        if (name === "contacts") {
            // Frames that are here have none.
            this.connection.tell("watch", { contacts: this.overlays.contacts });
            this.cache.dropFrom(0);
            this.asked.clear();
            this.setCursor(this.cursor);
        }
        this.view?.refresh();
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
