// Commands that a person gave to the running world, to be taken back: a branch without one of them begins where it was given.
import type { Branches, JsonObject } from "../protocol/types";

export interface Done {
    label: string;
    command: JsonObject;
    branch: number;
    frame: number; // the last one that knows nothing of it
}

// Those that a branch has gone through, its parents' before its own.
export function doneOn(branch: number, branches: Branches, all: Done[]): Done[] {
    const found: Done[] = [];
    let before = Infinity;
    for (let k = branch; k >= 0 && k < branches.list.length; ) {
        const limit = before;
        found.unshift(...all.filter((one) => one.branch === k && one.frame < limit));
        const info = branches.list[k];
        if (!info || info.parent >= k) break;
        before = Math.min(before, info.from);
        k = info.parent;
    }
    return found;
}

// After a branch was removed, those behind it have moved up.
export function withoutBranch(all: Done[], branch: number): Done[] {
    return all.filter((one) => one.branch !== branch).map((one) => (one.branch > branch ? { ...one, branch: one.branch - 1 } : one));
}
