// Blocks of what is drawn beside bodies (apps/studio/matter.h), and the surfaces of bodies of particles.
import { Box3 } from "three";
import { describe, expect, it } from "vitest";
import { numbersOf, readPacket, readPlaced, type FramePacket } from "../src/protocol/packets";
import { Skin } from "../src/view3d/skin";

// A frame of no bodies with one block, put together by hand.
function frameWith(kind: number, name: string, count: number, bytes: number, write: (view: DataView, at: number) => void): FramePacket {
    const start = 32 + 24 + 8 + Math.ceil(name.length / 4) * 4;
    const view = new DataView(new ArrayBuffer(start + bytes));
    view.setUint8(0, 1);
    view.setUint8(1, 1);
    view.setUint8(56, kind);
    view.setUint8(57, name.length);
    view.setUint32(60, count, true);
    [...name].forEach((letter, k) => view.setUint8(64 + k, letter.charCodeAt(0)));
    write(view, start);
    const packet = readPacket(view.buffer as ArrayBuffer);
    if (packet.kind !== "frame") throw new Error("not a frame");
    return packet;
}
const points = (places: number[]) => frameWith(1, "particles", places.length / 3, 4 * places.length, (view, at) => places.forEach((v, k) => view.setFloat32(at + 4 * k, v, true)));

describe("blocks", () => {
    it("are read one after the other", () => {
        const frame = points([1, 2, 3, 4, 5, 6]);
        expect(frame.matter).toMatchObject([{ as: "points", name: "particles", count: 2 }]);
        expect([...numbersOf(frame, frame.matter[0]!)]).toEqual([1, 2, 3, 4, 5, 6]);
    });
    it("hold poses with a size and a kind", () => {
        const frame = frameWith(2, "sand", 1, 28, (view, at) => {
            [1, 2, 3, 0.5].forEach((v, k) => view.setFloat32(at + 4 * k, v, true));
            [0, 0, 32767, 0].forEach((v, k) => view.setInt16(at + 16 + 2 * k, v, true)); // w, x, y, z
            view.setUint32(at + 24, 4, true);
        });
        const out: number[] = [];
        expect(readPlaced(frame, frame.matter[0]!, 0, out)).toBe(4);
        expect(out).toEqual([1, 2, 3, 0, 1, 0, 0, 0.5]);
    });
    it("that are cut off, or of no known kind, are refused", () => {
        const cut = points([1, 2, 3]).data.buffer.slice(0, -4) as ArrayBuffer;
        expect(() => readPacket(cut)).toThrow();
        expect(() => frameWith(9, "x", 0, 0, () => {})).toThrow();
    });
});

describe("surfaces of particles", () => {
    const frame = points([9, 9, 9, 0, 0, 0, 0, 2, 0, 0, 2, 1]); // the first belongs to another body
    const all = numbersOf(frame, frame.matter[0]!);
    it("of cloth are its triangles", () => {
        const skin = new Skin({ count: 3, radius: 0.1, triangles: [0, 1, 2], links: [] }, 1);
        skin.set(all);
        expect([...skin.geometry.getAttribute("position").array]).toEqual([0, 0, 0, 0, 2, 0, 0, 2, 1]);
        const box = new Box3();
        expect(skin.boxIn(frame, box)).toBe(true);
        expect(box.max.y).toBeCloseTo(2.1, 6);
        expect(box.min.x).toBeCloseTo(-0.1, 6);
    });
    it("of ropes lie a radius around their links", () => {
        const skin = new Skin({ count: 3, radius: 0.1, triangles: [], links: [0, 1, 1, 2] }, 1);
        skin.set(all);
        const places = skin.geometry.getAttribute("position");
        for (let k = 0; k < 12; ++k) {
            expect(Math.hypot(places.getX(k), places.getZ(k))).toBeCloseTo(0.1, 6); // of the link along y
            expect([0, 2]).toContain(places.getY(k));
        }
        for (let k = 12; k < 24; ++k) expect(Math.hypot(places.getX(k), places.getY(k) - 2)).toBeCloseTo(0.1, 6);
    });
    it("of frames with too few particles stay as they are", () => {
        const skin = new Skin({ count: 9, radius: 0.1, triangles: [0, 1, 2], links: [] }, 0);
        skin.set(all);
        expect(skin.geometry.getAttribute("position").getX(0)).toBe(0);
        expect(skin.boxIn(frame, new Box3())).toBe(false);
    });
});
