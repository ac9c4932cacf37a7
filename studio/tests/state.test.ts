// Playback and the frames that are kept.
import { describe, expect, it } from "vitest";
import type { FramePacket } from "../src/protocol/packets";
import { FrameCache } from "../src/state/frame_cache";
import { advance } from "../src/state/playback";

const frame = (index: number, bytes: number) => ({ index, bytes }) as FramePacket;
const at = (exact: number) => ({ cursor: Math.floor(exact), exact, ended: "" as const });

describe("playback", () => {
    const options = { frames: 101, dt: 0.01, speed: 1, direction: 1 as const, loop: false };
    it("goes on by the time that passes", () => {
        expect(advance(at(10), 0.1, options)).toMatchObject({ cursor: 20, ended: "" });
        expect(advance(at(10), 0.1, { ...options, speed: 0.5 })).toMatchObject({ cursor: 15 });
        expect(advance(at(10), 0.1, { ...options, direction: -1 })).toMatchObject({ cursor: 0, ended: "start" });
    });
    it("does not lose what is less than a frame", () => {
        let now: ReturnType<typeof advance> = at(0);
        for (let k = 0; k < 40; ++k) now = advance(now, 0.0025, options);
        expect(now.cursor).toBe(10);
    });
    it("ends at the end, or starts over", () => {
        expect(advance(at(99), 0.05, options)).toMatchObject({ cursor: 100, ended: "end" });
        expect(advance(at(99), 0.05, { ...options, loop: true })).toMatchObject({ cursor: 3, ended: "" });
        expect(advance(at(1), 0.05, { ...options, loop: true, direction: -1 })).toMatchObject({ cursor: 97 });
    });
    it("starts at either end", () => {
        expect(advance(at(0), 0, options)).toMatchObject({ cursor: 0, ended: "" });
        expect(advance(at(100), 0, { ...options, direction: -1 })).toMatchObject({ cursor: 100, ended: "" });
    });
    it("stays where there is but one frame", () => {
        expect(advance(at(0), 1, { ...options, frames: 1 })).toMatchObject({ cursor: 0, ended: "end" });
    });
});

describe("frame cache", () => {
    it("drops what was used longest ago", () => {
        const cache = new FrameCache(30);
        for (let k = 0; k < 3; ++k) cache.put(frame(k, 10));
        cache.get(0);
        cache.put(frame(3, 10));
        expect([0, 1, 2, 3].map((k) => cache.get(k) !== undefined)).toEqual([true, false, true, true]);
    });
    it("forgets a future that is cut off", () => {
        const cache = new FrameCache(1000);
        for (let k = 0; k < 5; ++k) cache.put(frame(k, 10));
        cache.dropFrom(2);
        expect(cache.size).toBe(2);
        for (let k = 0; k < 98; ++k) cache.put(frame(10 + k, 10));
        expect(cache.size).toBe(100);
    });
});
