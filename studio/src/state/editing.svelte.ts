// Edits: of the document at t = 0, of the running world later, in the same words.
import { readRotation } from "../panels/rotations";
import type { Refused } from "../protocol/socket";
import type { BodyInfo, ForceInfo, JointInfo, Json, JsonObject, Vec } from "../protocol/types";
import { doneOn, withoutBranch, type Done } from "./done";
import { grouped, listNames, type Pose, renamed, scaledShape, type Things, ungrouped, withValue } from "./edits";
import { Playing } from "./playing.svelte";
import { type Change, kinds, listOf } from "./terms";

export abstract class Editing extends Playing {
    async apply(label: string, change: Change): Promise<boolean> {
        this.stop();
        this.fieldIssues = [];
        if (!this.isAtStart && !this.isRecording) return this.give(label, this.commandOf(change));
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

    protected toStart(): void {
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

    // ---- taking back: of the document at the start, of commands later, by a branch that goes without them

    private done = $state.raw<Done[]>([]);
    private undone = $state.raw<Done[]>([]);
    private get lastDone(): Done | null {
        return this.isAtStart || this.isRecording ? null : (doneOn(this.branches.current, this.branches, this.done).at(-1) ?? null);
    }
    private get lastUndone(): Done | null {
        const last = this.undone.at(-1);
        return !this.isAtStart && last?.branch === this.branches.current ? last : null;
    }
    // What would be taken back or done again: null: nothing.
    get undoLabel(): string | null {
        return this.lastDone?.label ?? this.scene?.undo ?? null;
    }
    get redoLabel(): string | null {
        return this.lastUndone?.label ?? this.scene?.redo ?? null;
    }
    protected forgetCommands(): void {
        if (this.done.length + this.undone.length > 0) this.done = this.undone = [];
    }
    // A command that can be taken back; what it does is seen in a step.
    private async give(label: string, command: JsonObject, isAgain = false): Promise<boolean> {
        if (!(await this.command(command))) return false;
        this.done = [...this.done, { label, command, branch: this.branches.current, frame: this.frames - 1 }];
        if (!isAgain) this.undone = [];
        return this.stepOn();
    }
    override async dropBranch(branch: number): Promise<void> {
        const before = this.branches.list.length;
        await super.dropBranch(branch);
        if (this.branches.list.length < before) [this.done, this.undone] = [withoutBranch(this.done, branch), withoutBranch(this.undone, branch)];
    }

    async undo(): Promise<void> {
        const { lastDone } = this;
        if (lastDone) {
            this.seek(lastDone.frame);
            if (!(await this.cutHere())) return;
            this.undone = [...this.undone.map((one) => ({ ...one, branch: this.branches.current })), { ...lastDone, branch: this.branches.current }];
            return this.say(`Undone: ${lastDone.label}. With it the run is still in the other branch.`);
        }
        if (this.scene?.undo == null) return;
        this.stop();
        const answer = await this.attempt("Undo", this.connection.ask<{ label: string }>("undo"));
        if (answer) this.say(`Undone: ${answer.label}`);
        this.toStart();
    }
    async redo(): Promise<void> {
        const { lastUndone } = this;
        if (lastUndone) {
            this.seek(lastUndone.frame);
            if (!(await this.give(lastUndone.label, lastUndone.command, true))) return;
            this.undone = this.undone.slice(0, -1).map((one) => ({ ...one, branch: this.branches.current }));
            return this.say(`Redone: ${lastUndone.label}`);
        }
        if (this.scene?.redo == null) return;
        this.stop();
        const answer = await this.attempt("Redo", this.connection.ask<{ label: string }>("redo"));
        if (answer) this.say(`Redone: ${answer.label}`);
        this.toStart();
    }

    // One change to the running world. Not at the end of what is recorded a branch begins there.
    async command(command: JsonObject): Promise<boolean> {
        if (!this.isAtEnd && !(await this.cutHere())) return false;
        return (await this.attempt("Command", this.connection.ask("command", { command }))) !== undefined;
    }
}
