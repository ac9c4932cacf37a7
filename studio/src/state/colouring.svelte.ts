// Columns of numbers that frames bring along: velocities, colours with their scale, trails.
import { columnOf, type FramePacket, readPose } from "../protocol/packets";
import type { ColumnInfo } from "../protocol/types";
import { paintValue } from "./colors";
import { Selecting } from "./selecting.svelte";
import type { Color } from "three";

export abstract class Colouring extends Selecting {
    private get watched(): ColumnInfo[] {
        const wanted = [...(this.overlays.velocities ? ["velocity"] : []), ...(this.colorBy ? [this.colorBy] : [])];
        return [...new Set(wanted)].flatMap((name) => this.hello?.columns.find((c) => c.name === name) ?? []);
    }
    // Frames that are here do not have what is wanted now.
    protected watch(): void {
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
    protected growScale(frame: FramePacket): void {
        const column = this.colorBy ? this.columnNow(this.colorBy, frame) : null;
        if (!column || this.colorScale.isKind) return;
        let { min, max } = this.colorScale;
        for (let k = 0; k < frame.bodies; ++k) {
            const value = Colouring.size(column.values, column.parts, k);
            if (this.bodies[k]?.kind === "static" || !Number.isFinite(value)) continue;
            min = Math.min(min, value);
            max = Math.max(max, value);
        }
        if (min !== this.colorScale.min || max !== this.colorScale.max) this.colorScale = { ...this.colorScale, min, max };
    }
    painter(): ((body: number, out: Color) => void) | null {
        const column = this.colorBy ? this.columnNow(this.colorBy) : null;
        if (!column) return null;
        return (body, out) => paintValue(Colouring.size(column.values, column.parts, body), this.colorScale, out);
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
}
