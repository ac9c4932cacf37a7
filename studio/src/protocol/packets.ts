// Frames and surfaces as bytes; the layout is described in apps/studio/packets.h.

export interface FramePacket {
    kind: "frame";
    isLive: boolean;
    isGhost: boolean; // of another branch
    width: number; // numbers of each body in the columns that are watched
    structure: number;
    index: number;
    step: number;
    time: number;
    bodies: number;
    data: DataView; // rows of 20 bytes from kHeader on
    contacts: Contact[] | null; // read when wanted
    contactCount: number;
    energy: { kinetic: number; potential: number; total: number };
    matter: Block[];
    bytes: number;
}

// What else is to be drawn, by the name of its group: points, poses of things of a few kinds, triangles with a number.
export interface Block {
    as: "points" | "poses" | "triangles";
    name: string;
    count: number;
    at: number; // of its first entry in the packet
}

export interface Contact {
    point: [number, number, number];
    normal: [number, number, number];
    pressure: number; // N along the normal
    force: [number, number, number];
}

export interface SurfacePacket {
    kind: "surface";
    structure: number;
    number: number;
    positions: Float32Array;
    triangles: Uint32Array;
}

const kHeader = 32;
const kBody = 20;
const kContact = 40;

// Throws on bytes that are no packet.
export function readPacket(buffer: ArrayBuffer): FramePacket | SurfacePacket {
    const view = new DataView(buffer);
    if (buffer.byteLength < kHeader || view.getUint8(1) !== 1) throw new Error("not a packet");
    const kind = view.getUint8(0);
    const structure = view.getUint32(4, true);
    const index = view.getUint32(8, true);
    const n = view.getUint32(12, true);
    const m = view.getUint32(16, true);
    if (kind === 2) {
        if (buffer.byteLength !== kHeader + 12 * (n + m)) throw new Error("a surface of a wrong length");
        return {
            kind: "surface",
            structure,
            number: index,
            positions: new Float32Array(buffer, kHeader, 3 * n),
            triangles: new Uint32Array(buffer, kHeader + 12 * n, 3 * m),
        };
    }
    const flags = view.getUint16(2, true);
    const width = flags >> 8;
    const rows = kHeader + kBody * n + kContact * m;
    const energyAt = Math.ceil(rows / 8) * 8;
    const columnsEnd = energyAt + 24 + 4 * n * width;
    if (kind !== 1 || buffer.byteLength < columnsEnd) throw new Error("a frame of a wrong length");
    return {
        kind: "frame",
        isLive: (flags & 1) !== 0,
        isGhost: (flags & 2) !== 0,
        width,
        structure,
        index,
        step: view.getUint32(20, true),
        time: view.getFloat64(24, true),
        bodies: n,
        data: view,
        contacts: null,
        contactCount: m,
        energy: {
            kinetic: view.getFloat64(energyAt, true),
            potential: view.getFloat64(energyAt + 8, true),
            total: view.getFloat64(energyAt + 16, true),
        },
        matter: readBlocks(view, columnsEnd),
        bytes: buffer.byteLength,
    };
}

const blockKinds = [undefined, { as: "points", size: 12 }, { as: "poses", size: 28 }, { as: "triangles", size: 40 }] as const;

function readBlocks(view: DataView, from: number): Block[] {
    const blocks: Block[] = [];
    for (let at = from; at < view.byteLength; ) {
        const kind = at + 8 <= view.byteLength ? blockKinds[view.getUint8(at)] : undefined;
        if (!kind) throw new Error("a frame of a wrong length");
        const letters = view.getUint8(at + 1);
        const count = view.getUint32(at + 4, true);
        const start = at + 8 + Math.ceil(letters / 4) * 4;
        if (start + count * kind.size > view.byteLength) throw new Error("a frame of a wrong length");
        const name = String.fromCharCode(...new Uint8Array(view.buffer as ArrayBuffer, at + 8, letters));
        blocks.push({ as: kind.as, name, count, at: start });
        at = start + count * kind.size;
    }
    return blocks;
}

// The numbers of points (3 of each) or triangles (9 and 1 of each).
export function numbersOf(frame: FramePacket, block: Block): Float32Array {
    return new Float32Array(frame.data.buffer as ArrayBuffer, block.at, block.count * (block.as === "points" ? 3 : 10));
}

// Place, rotation (x, y, z, w) and size of an entry of poses into out[0..7]; gives its kind.
export function readPlaced(frame: FramePacket, block: Block, k: number, out: Float64Array | number[]): number {
    const at = block.at + 28 * k;
    const view = frame.data;
    for (let i = 0; i < 3; ++i) out[i] = view.getFloat32(at + 4 * i, true);
    out[7] = view.getFloat32(at + 12, true);
    for (let i = 0; i < 4; ++i) out[3 + ((i + 3) % 4)] = view.getInt16(at + 16 + 2 * i, true) / 32767;
    return view.getUint32(at + 24, true);
}

// Position and rotation (x, y, z, w) of body k, into out[0..6].
export function readPose(frame: FramePacket, k: number, out: Float64Array | number[]): void {
    const at = kHeader + kBody * k;
    const view = frame.data;
    out[0] = view.getFloat32(at, true);
    out[1] = view.getFloat32(at + 4, true);
    out[2] = view.getFloat32(at + 8, true);
    const w = view.getInt16(at + 12, true);
    const x = view.getInt16(at + 14, true);
    const y = view.getInt16(at + 16, true);
    const z = view.getInt16(at + 18, true);
    const size = Math.hypot(w, x, y, z) || 1;
    out[3] = x / size;
    out[4] = y / size;
    out[5] = z / size;
    out[6] = w / size;
}

// One watched column: `before` numbers of each body come in the columns before it, and it has `parts` itself.
export function columnOf(frame: FramePacket, before: number, parts: number): Float32Array | null {
    if (frame.width < before + parts) return null;
    const at = Math.ceil((kHeader + kBody * frame.bodies + kContact * frame.contactCount) / 8) * 8 + 24;
    return new Float32Array(frame.data.buffer as ArrayBuffer, at + 4 * frame.bodies * before, frame.bodies * parts);
}

export function contactsOf(frame: FramePacket): Contact[] {
    if (frame.contacts) return frame.contacts;
    const list: Contact[] = [];
    const view = frame.data;
    for (let k = 0; k < frame.contactCount; ++k) {
        const at = kHeader + kBody * frame.bodies + kContact * k;
        const three = (o: number): [number, number, number] => [
            view.getFloat32(at + o, true),
            view.getFloat32(at + o + 4, true),
            view.getFloat32(at + o + 8, true),
        ];
        list.push({ point: three(0), normal: three(12), pressure: view.getFloat32(at + 24, true), force: three(28) });
    }
    frame.contacts = list;
    return list;
}
