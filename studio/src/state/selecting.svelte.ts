// What is selected, by places that are found again by name when the scene changes, and its details from the server.
import { readPose } from "../protocol/packets";
import type { JointInfo } from "../protocol/types";
import { Base } from "./base.svelte";
import type { Pose } from "./edits";
import type { Details, Kind, Selection } from "./terms";

export abstract class Selecting extends Base {
    protected selectedNames: { kind: Kind; name: string }[] = [];
    private detailsTimer = 0;

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
    protected selectByNames(): void {
        const wanted = this.selectedNames;
        const found = wanted.flatMap(({ kind, name }) => {
            const index = this.thingsOf(kind).findIndex((thing) => thing.name === name);
            return index >= 0 && name !== "" ? [{ kind, index }] : [];
        });
        this.selectMany(found);
        if (found.length < wanted.length) this.selectedNames = wanted; // they may come back
    }
    protected wantDetails(): void {
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

    poseOf(body: number): Pose {
        const out = [0, 0, 0, 0, 0, 0, 1] as [number, number, number, number, number, number, number];
        if (this.frame && body < this.frame.bodies) readPose(this.frame, body, out);
        return { position: [out[0], out[1], out[2]], rotation: [out[6], out[3], out[4], out[5]] };
    }
}
