// Commands that can be taken back, over branches.
import { describe, expect, it } from "vitest";
import type { Branches } from "../src/protocol/types";
import { doneOn, withoutBranch, type Done } from "../src/state/done";

const one = (label: string, branch: number, frame: number): Done => ({ label, command: { type: label }, branch, frame });
const branches: Branches = {
    current: 0,
    list: [
        { name: "main", parent: -1, from: 0, frames: 100 },
        { name: "first", parent: 0, from: 50, frames: 80 },
        { name: "second", parent: 1, from: 40, frames: 60 }, // before the first one left the run
    ],
    marks: [],
};
const all = [one("a", 0, 10), one("b", 0, 45), one("c", 0, 60), one("d", 1, 55), one("e", 2, 41)];
const labels = (branch: number) => doneOn(branch, branches, all).map((d) => d.label).join("");

describe("commands that can be taken back", () => {
    it("are those that a branch has gone through", () => {
        expect(labels(0)).toBe("abc");
        expect(labels(1)).toBe("abd");
        expect(labels(2)).toBe("ae");
        expect(labels(7)).toBe("");
    });
    it("given where a branch begins are not its own", () => {
        expect(doneOn(1, branches, [one("x", 0, 50)])).toEqual([]);
    });
    it("move up when a branch goes", () => {
        expect(withoutBranch(all, 1).map((d) => `${d.label}${d.branch}`)).toEqual(["a0", "b0", "c0", "e1"]);
    });
});
