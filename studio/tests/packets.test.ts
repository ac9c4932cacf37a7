// The bytes of apps/studio/packets.h, put together by hand.
import { describe, expect, it } from "vitest";
import { contactsOf, readPacket, readPose } from "../src/protocol/packets";

function frame(): ArrayBuffer {
    const buffer = new ArrayBuffer(32 + 2 * 20 + 40 + 24);
    const view = new DataView(buffer);
    view.setUint8(0, 1);
    view.setUint8(1, 1);
    view.setUint16(2, 1, true);
    view.setUint32(4, 7, true);
    view.setUint32(8, 41, true);
    view.setUint32(12, 2, true);
    view.setUint32(16, 1, true);
    view.setUint32(20, 82, true);
    view.setFloat64(24, 0.82, true);
    [1, 2, 3].forEach((v, k) => view.setFloat32(52 + 4 * k, v, true));
    [0, 32767, 0, 0].forEach((v, k) => view.setInt16(64 + 2 * k, v, true));
    [4, 5, 6, 0, 1, 0, 9, 0, 8, 0].forEach((v, k) => view.setFloat32(72 + 4 * k, v, true));
    [1.5, -2.5, -1].forEach((v, k) => view.setFloat64(112 + 8 * k, v, true));
    return buffer;
}

describe("packets", () => {
    it("reads a frame", () => {
        const packet = readPacket(frame());
        if (packet.kind !== "frame") throw new Error("not a frame");
        expect(packet).toMatchObject({ isLive: true, structure: 7, index: 41, step: 82, time: 0.82, bodies: 2, contactCount: 1 });
        expect(packet.energy).toEqual({ kinetic: 1.5, potential: -2.5, total: -1 });
        const pose = [0, 0, 0, 0, 0, 0, 0];
        readPose(packet, 1, pose);
        expect(pose).toEqual([1, 2, 3, 1, 0, 0, 0]);
        expect(contactsOf(packet)).toEqual([{ point: [4, 5, 6], normal: [0, 1, 0], pressure: 9, force: [0, 8, 0] }]);
    });

    it("refuses what is cut off, too long, or of another version", () => {
        expect(() => readPacket(frame().slice(0, 130))).toThrow();
        expect(() => readPacket(new ArrayBuffer(8))).toThrow();
        const other = frame();
        new DataView(other).setUint8(1, 2);
        expect(() => readPacket(other)).toThrow();
    });

    it("reads a surface", () => {
        const buffer = new ArrayBuffer(32 + 36 + 12);
        const view = new DataView(buffer);
        view.setUint8(0, 2);
        view.setUint8(1, 1);
        view.setUint32(8, 5, true);
        view.setUint32(12, 3, true);
        view.setUint32(16, 1, true);
        view.setFloat32(32 + 12, 1, true);
        [0, 1, 2].forEach((v, k) => view.setUint32(68 + 4 * k, v, true));
        const packet = readPacket(buffer);
        if (packet.kind !== "surface") throw new Error("not a surface");
        expect(packet.number).toBe(5);
        expect([...packet.positions]).toEqual([0, 0, 0, 1, 0, 0, 0, 0, 0]);
        expect([...packet.triangles]).toEqual([0, 1, 2]);
    });
});
