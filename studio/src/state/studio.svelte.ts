// The page's state as panels see it: everything that can be done is a method here or in the rooms below (playing, editing,
// selecting, connecting, colouring), each of which stands on the one before it. Takes what comes from the server.
import type { FramePacket, SurfacePacket } from "../protocol/packets";
import type { ServerEvent } from "../protocol/socket";
import type { Gallery, JsonObject, SceneEvent, Series } from "../protocol/types";
import type { Style } from "../view3d/looks";
import type { StereoSettings } from "../view3d/stereo";
import type { CameraMode } from "../view3d/hooks";
import { Connecting } from "./connecting.svelte";
import type { Tool } from "./terms";

export class Studio extends Connecting {
    private surfaces: SurfacePacket[] = [];

    constructor() {
        super();
        const saved = localStorage.getItem("theme");
        this.setTheme(saved === "light" || saved === "dark" ? saved : matchMedia("(prefers-color-scheme: light)").matches ? "light" : "dark");
    }

    // ---- from the server

    protected takeConnection(isUp: boolean): void {
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

    protected takeEvent(event: ServerEvent): void {
        if (event.event === "status") {
            const hasStopped = this.status.running && !event.running;
            this.status = event;
            if (event.frames <= 1 && this.branches.list.length <= 1) this.forgetCommands();
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

    protected takePacket(packet: FramePacket | SurfacePacket): void {
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
}

export const studio = new Studio();
