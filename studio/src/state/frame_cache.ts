// Frames that came from the server, kept as far as there is room; the least recently used go first.
import type { FramePacket } from "../protocol/packets";

export class FrameCache {
    private frames = new Map<number, FramePacket>();
    private bytes = 0;

    constructor(private most: number) {}

    get(index: number): FramePacket | undefined {
        const frame = this.frames.get(index);
        if (frame) {
            this.frames.delete(index);
            this.frames.set(index, frame);
        }
        return frame;
    }

    // Without being used: it may go as early as before.
    peek(index: number): FramePacket | undefined {
        return this.frames.get(index);
    }

    put(frame: FramePacket): void {
        const old = this.frames.get(frame.index);
        if (old) this.bytes -= old.bytes;
        this.frames.delete(frame.index);
        this.frames.set(frame.index, frame);
        this.bytes += frame.bytes;
        for (const [index, oldest] of this.frames) {
            if (this.bytes <= this.most || index === frame.index) break;
            this.frames.delete(index);
            this.bytes -= oldest.bytes;
        }
    }

    // All from this one on, which are no longer true.
    dropFrom(index: number): void {
        for (const [k, frame] of this.frames) {
            if (k < index) continue;
            this.frames.delete(k);
            this.bytes -= frame.bytes;
        }
    }

    get size(): number {
        return this.frames.size;
    }
}
