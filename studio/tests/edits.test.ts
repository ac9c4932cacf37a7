// Copies, groups, scaled shapes and meshes of files; two eyes; what can be plotted; colours.
import { PerspectiveCamera, Vector3 } from "three";
import { describe, expect, it } from "vitest";
import type { JsonObject } from "../src/protocol/types";
import { offersFor, statisticsOf } from "../src/plots/quantities";
import { toSvg } from "../src/plots/svg";
import { colorAt, shareOf } from "../src/state/colors";
import { freeName, grouped, readMesh, renamed, scaledShape, ungrouped } from "../src/state/edits";
import { eyeCamera } from "../src/view3d/stereo";

describe("copies", () => {
    it("get names that are free", () => {
        expect(freeName("ball", new Set(["box"]))).toBe("ball");
        expect(freeName("ball", new Set(["ball", "ball 2"]))).toBe("ball 3");
        expect(freeName("ball 2", new Set(["ball", "ball 2"]))).toBe("ball 3");
    });
    it("name each other as their originals do, and keep expressions", () => {
        const copies = renamed({ bodies: [{ name: "a", position: [0, "2*r", 0] }], joints: [{ name: "j", a: "a", b: "other", anchor: [1, 0, 0] }] }, new Set(["a", "j", "other"]), [0.5, 0, 0]);
        expect(copies.bodies?.[0]).toEqual({ name: "a 2", position: [0.5, "2*r", 0] });
        expect(copies.joints?.[0]).toEqual({ name: "j 2", a: "a 2", b: "other", anchor: [1.5, 0, 0] });
    });
});

describe("groups", () => {
    it("come apart as they were", () => {
        const half = Math.SQRT1_2;
        const bodies: JsonObject[] = [
            { name: "a", shape: { type: "sphere", radius: 1 }, material: "wood" },
            { name: "b", shape: { type: "box", size: [1, 2, 3] }, material: "wood" },
        ];
        const poses = [
            { position: [1, 2, 3] as [number, number, number], rotation: [half, 0, half, 0] as [number, number, number, number] },
            { position: [4, 2, 3] as [number, number, number], rotation: [1, 0, 0, 0] as [number, number, number, number] },
        ];
        const whole = grouped(bodies, poses, "both");
        const back = ungrouped(whole, poses[0] as never, new Set());
        expect(back.map((body) => (body.shape as JsonObject).type)).toEqual(["sphere", "box"]);
        (back[1]?.position as number[]).forEach((v, k) => expect(v).toBeCloseTo([4, 2, 3][k] ?? 0, 9));
        (back[1]?.orientation as number[]).forEach((v, k) => expect(v).toBeCloseTo([1, 0, 0, 0][k] ?? 0, 9));
    });
    it("are scaled along their axes", () => {
        expect(scaledShape({ type: "box", size: [1, "a", 3] }, [2, 3, 1])).toEqual({ type: "box", size: [2, "(a) * 3", 3] });
        expect(scaledShape({ type: "cylinder", radius: 1, height: 2 }, [1, 2, 1])).toEqual({ type: "cylinder", radius: 1, height: 4 });
        expect(scaledShape({ type: "sphere", radius: 2 }, [1, 1, 0.5])).toEqual({ type: "sphere", radius: 1 });
    });
});

describe("meshes of files", () => {
    const bytes = (text: string) => new TextEncoder().encode(text).buffer as ArrayBuffer;
    it("are read from OBJ, with corners that belong together", () => {
        const mesh = readMesh("a.obj", bytes("v 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0\nf 1/1 2/2 3/3 4/4\n"));
        expect(mesh).toEqual({ vertices: [[0, 0, 0], [1, 0, 0], [1, 1, 0], [0, 1, 0]], triangles: [[0, 1, 2], [0, 2, 3]] });
    });
    it("are read from both kinds of STL", () => {
        const text = readMesh("a.stl", bytes("solid a\nfacet normal 0 0 1\nouter loop\nvertex 0 0 0\nvertex 1 0 0\nvertex 0 1 0\nendloop\nendfacet\nendsolid"));
        const view = new DataView(new ArrayBuffer(134));
        view.setUint32(80, 1, true);
        [0, 0, 0, 1, 0, 0, 0, 1, 0].forEach((v, k) => view.setFloat32(96 + 4 * k, v, true));
        expect(readMesh("a.stl", view.buffer)).toEqual(text);
        expect(() => readMesh("a.stl", bytes("nothing"))).toThrow("no triangles");
    });
});

// Disparity e f (1/z - 1/z_c), no vertical parallax (spec/workbench.md 2.15).
describe("SpecWorkbench T23: two eyes", () => {
    it("see with shifted frusta", () => {
        const camera = new PerspectiveCamera(50, 1.5, 0.1, 100);
        camera.position.set(0, 0, 5);
        const [eyes, convergence, width, height] = [0.2, 4, 1200, 800];
        const left = eyeCamera(camera, -1, eyes, convergence, width / height, new PerspectiveCamera());
        const right = eyeCamera(camera, 1, eyes, convergence, width / height, new PerspectiveCamera());
        const focal = height / 2 / Math.tan((25 * Math.PI) / 180); // px
        for (const z of [1.5, 3, 4, 7, 20]) {
            for (const [x, y] of [[0, 0], [0.4, -0.3]] as const) {
                const seen = (eye: PerspectiveCamera) => new Vector3(x, y, 5 - z).applyMatrix4(eye.matrixWorldInverse).applyMatrix4(eye.projectionMatrix);
                const [a, b] = [seen(left), seen(right)];
                expect(Math.abs(a.y - b.y) * (height / 2)).toBeLessThan(1e-9);
                expect(((a.x - b.x) * width) / 2).toBeCloseTo(eyes * focal * (1 / z - 1 / convergence), 6);
            }
        }
    });
});

describe("plots", () => {
    const patterns = [
        { name: "bodies.<name>.position[.x|.y|.z]", unit: "m" },
        { name: "bodies.<name>.orientation.w|.x|.y|.z", unit: "" },
        { name: "joints.<name>.<axis>.position", unit: "m or rad" },
        { name: "energy.total", unit: "J" },
        { name: "distance(a, b)", unit: "m" },
    ];
    it("offer what belongs to the thing", () => {
        expect(offersFor(patterns, "body", "ball").map((o) => o.name)).toEqual(["bodies.ball.position", "bodies.ball.orientation"]);
        expect(offersFor(patterns, "", "").map((o) => o.name)).toEqual(["energy.total"]);
        expect(offersFor(patterns, "joint", "j")).toEqual([]);
    });
    it("have statistics and drawings", () => {
        expect(statisticsOf([3, null, -4])).toEqual({ min: -4, max: 3, mean: -0.5, rms: Math.sqrt(12.5) });
        expect(statisticsOf([null])).toBeNull();
        const svg = toSvg([{ title: "a < b", unit: "m", x: { label: "time (s)", values: [0, 1, 2] }, lines: [{ name: "x", color: "#000", values: [0, null, 2] }] }], "t");
        expect(svg).toContain("a &lt; b");
        expect(svg.match(/M[\d.]+ [\d.]+/g)).toHaveLength(2); // a gap where there is no value
    });
});

describe("colours", () => {
    it("grow with the value", () => {
        const scale = { min: 0, max: 100, isLog: false, isKind: false };
        expect([shareOf(-1, scale), shareOf(50, scale), shareOf(200, scale)]).toEqual([0, 0.5, 1]);
        expect(shareOf(1, { ...scale, isLog: true })).toBeCloseTo(Math.log(1e4) / Math.log(1e6), 12);
        expect([colorAt(0), colorAt(1)]).toEqual(["#440154", "#fde725"]);
    });
});
