// Time: the cursor, playing what is recorded, running on, branches with their ghosts, marks and events.
import type { FramePacket } from "../protocol/packets";
import type { Happening } from "../protocol/types";
import { Colouring } from "./colouring.svelte";
import { advance } from "./playback";

const kMostRequests = 4;

export abstract class Playing extends Colouring {
    protected exact = 0;
    private last = 0; // ms, of the last tick
    protected ghosts = new Map<number, FramePacket>();
    private nextHappening = 0;
    private happeningEra = -1;

    protected seeLatest(): void {
        if (!this.follows) return;
        this.follows = false;
        this.playing = "";
        this.setCursor(this.frames - 1);
    }

    protected show(frame: FramePacket): void {
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

    protected request(k: number): void {
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

    protected async stepOn(): Promise<boolean> {
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
    protected async loadHappenings(): Promise<void> {
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
}
