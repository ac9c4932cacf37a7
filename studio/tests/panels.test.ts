// Numbers, rotations, schemas, time axes and tables.
import { describe, expect, it } from "vitest";
import { fromAngles, readRotation, toAngles } from "../src/panels/rotations";
import { describeField, fieldsOf } from "../src/panels/schema";
import { groupsOf } from "../src/panels/groups";
import { parseNumber, showNumber, stepOf } from "../src/panels/units";
import { toCsv } from "../src/plots/csv";
import { showTime, ticks } from "../src/timeline/ticks";
import { niceStep } from "../src/view3d/overlays";
import { qualityOf } from "../src/view3d/quality";
import { drawnAs } from "../src/view3d/shapes";

describe("numbers", () => {
    it("takes units", () => {
        expect(parseNumber("20 cm", "m")).toBeCloseTo(0.2, 12);
        expect(parseNumber("45deg", "rad")).toBeCloseTo(Math.PI / 4, 12);
        expect(parseNumber("-1.5e2 mm", "m")).toBeCloseTo(-0.15, 12);
        expect(parseNumber("36 km/h", "m/s")).toBeCloseTo(10, 12);
        expect(parseNumber("3", "kg")).toBe(3);
    });
    it("leaves expressions as they are", () => {
        expect(parseNumber("2*r + 1", "m")).toBe("2*r + 1");
        expect(parseNumber("5 kg", "m")).toBe("5 kg");
        expect(parseNumber("  ", "m")).toBeNull();
    });
    it("shows them short", () => {
        expect([0, 0.1 + 0.2, 1e9, 1.5e-7, -12].map(showNumber)).toEqual(["0", "0.3", "1e9", "1.5e-7", "-12"]);
        expect([3, 0.02, 0].map(stepOf)).toEqual([0.1, 0.001, 0.1]);
    });
});

describe("rotations", () => {
    it("come back from their angles", () => {
        for (const degrees of [[10, 20, 30], [-170, 45, 5], [0, 0, 90]] as [number, number, number][]) {
            const back = toAngles(fromAngles(degrees));
            back.forEach((v, k) => expect(v).toBeCloseTo(degrees[k] ?? 0, 4));
        }
    });
    it("are read as scenes write them", () => {
        const half = Math.SQRT1_2;
        const q = readRotation({ axis: [0, 2, 0], angle: Math.PI / 2 });
        [half, 0, half, 0].forEach((v, k) => expect(q?.[k]).toBeCloseTo(v, 12));
        expect(toAngles([half, 0, half, 0])[1]).toBeCloseTo(90, 4);
        expect(readRotation({ axis: [0, 1, 0], angle: "pi/2" })).toBeNull();
        expect(readRotation(undefined)).toEqual([1, 0, 0, 0]);
    });
});

describe("schema", () => {
    const root = { definitions: { shape: { oneOf: [{ properties: { type: { const: "ball" }, radius: { type: ["number", "string"], exclusiveMinimum: 0, description: "radius [m]", default: 0.5 } } }] } } };
    it("says which editor, unit and range", () => {
        const mass = describeField("mass", { type: ["number", "string"], exclusiveMinimum: 0, description: "mass [kg]" }, root);
        expect(mass).toMatchObject({ kind: "number", unit: "kg", help: "mass", min: 0, isWhole: false });
        const vector = { type: "array", items: { type: ["number", "string"] }, minItems: 3, maxItems: 3 };
        expect(describeField("position", vector, root).kind).toBe("vector");
        expect(describeField("color", vector, root).kind).toBe("color");
        expect(describeField("kind", { enum: ["a", "b"] }, root)).toMatchObject({ kind: "choice", choices: ["a", "b"] });
        expect(describeField("on", { type: "boolean", default: true }, root)).toMatchObject({ kind: "flag", fallback: true });
    });
    it("follows references into families", () => {
        const shape = describeField("shape", { allOf: [{ $ref: "#/definitions/shape" }], description: "shape" }, root);
        expect(shape).toMatchObject({ kind: "family", choices: ["ball"] });
        expect(fieldsOf(shape.schema, { type: "ball" }, root).map((f) => f.name)).toEqual(["radius"]);
    });
    it("puts fields that no heading names last", () => {
        const fields = ["new_one", "mass", "name"].map((name) => describeField(name, { type: "number" }, root));
        expect(groupsOf("body", fields).map((g) => [g.title, g.fields.map((f) => f.name)])).toEqual([["Body", ["name"]], ["Mass", ["mass"]], ["More", ["new_one"]]]);
    });
});

describe("axes and tables", () => {
    it("marks round times with room between", () => {
        expect(ticks(5, 500, 80)).toEqual([0, 1, 2, 3, 4, 5]);
        expect(ticks(0, 500, 80)).toEqual([0]);
        expect(showTime(0.5, 0.5)).toBe("0.5");
        expect(showTime(20, 10)).toBe("20");
        expect([0.7, 3, 45].map(niceStep)).toEqual([1, 5, 50].map((v) => expect.closeTo(v, 9)));
    });
    it("writes tables", () => {
        const text = toCsv([0, 0.5], [{ name: "a,b", unit: "m", values: [1, null] }]);
        expect(text).toBe('time [s],"a,b [m]"\n0,1\n0.5,\n');
    });
});

describe("drawing", () => {
    it("knows what draws slowly", () => {
        expect(qualityOf("ANGLE (Google, Vulkan 1.3.0 (SwiftShader Device), SwiftShader driver)", 2)).toMatchObject({ name: "software", shadows: false, pixelRatio: 1 });
        expect(qualityOf("NVIDIA H200", 3)).toMatchObject({ name: "full", shadows: true, pixelRatio: 2 });
    });
    it("shares surfaces among bodies that differ in size", () => {
        expect(drawnAs({ type: "sphere", size: [2, 2, 2] }, 1)?.key).toBe(drawnAs({ type: "ellipsoid", size: [1, 2, 3] }, 1)?.key);
        expect(drawnAs({ type: "capsule", size: [1, 2, 1] }, 1)?.key).toBe(drawnAs({ type: "capsule", size: [2, 4, 2] }, 1)?.key);
        expect(drawnAs({ type: "plane" }, 1)).toBeNull();
        expect(drawnAs({ type: "mesh", surface: 3 }, 1)?.key).toBe("surface 3");
    });
});
