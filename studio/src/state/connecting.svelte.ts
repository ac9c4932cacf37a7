// Connecting bodies by picking: a joint or force is chosen, then its ends.
import { emptyMember } from "../panels/schema";
import type { JsonObject, Vec } from "../protocol/types";
import { Editing } from "./editing.svelte";
import type { Linking } from "./terms";

export abstract class Connecting extends Editing {
    startLink(list: "joints" | "forces", type: string, wanted: 1 | 2): void {
        this.linking = { list, type, ends: [], wanted };
        this.tool = "link";
        this.view?.refresh();
    }
    stopLink(): void {
        if (!this.linking) return;
        this.linking = null;
        this.tool = "select";
        this.view?.refresh();
    }
    // -1: the world, only as the first end.
    pickEnd(body: number, point: Vec, normal: Vec): void {
        const { linking } = this;
        if (!linking) return;
        if (body < 0 && (linking.wanted === 1 || linking.ends.length > 0)) return this.say("Here a body is wanted.", true);
        const ends = [...linking.ends, { body, point: point.map((v) => Number(v.toPrecision(5))) as Vec, normal }];
        if (ends.length < linking.wanted) {
            this.linking = { ...linking, ends };
            return;
        }
        this.stopLink();
        void this.finishLink({ ...linking, ends });
    }
    private async finishLink({ list, type, ends }: Linking): Promise<void> {
        const [first, last] = [ends[0], ends.at(-1)];
        if (!first || !last || !this.schema) return;
        const nameOf = (k: number) => this.bodies[k]?.name ?? "";
        const link: JsonObject = { name: type.replaceAll("_", " "), type, ...(ends.length > 1 && first.body >= 0 ? { a: nameOf(first.body) } : {}), b: nameOf(last.body), ...emptyMember(list, type, this.schema) };
        const fields = new Set(Object.keys(emptyMember(list, type, this.schema, true)));
        const round = (v: Vec) => v.map((part) => Number(part.toPrecision(6)) + 0) as Vec;
        // Across the surface that was picked; what nearly lies along an axis of the world does so.
        const straight = last.normal.map((part) => (Math.abs(part) > 0.97 ? Math.sign(part) : 0)) as Vec;
        const axis = Math.hypot(...straight) > 0 ? straight : Math.hypot(...last.normal) > 0.5 ? round(last.normal) : [0, 0, 1];
        if (fields.has("anchor")) link.anchor = last.point;
        if (fields.has("anchor_a")) link.anchor_a = first.point;
        if (fields.has("anchor_b")) link.anchor_b = last.point;
        for (const name of ["axis", "direction", "normal", "first_axis", "steer_axis"]) if (fields.has(name)) link[name] = axis;
        // Dry numbers that hold a body of this weight within a hundredth of the size.
        const mass = this.massOf(nameOf(last.body))?.mass || 1;
        if (link.stiffness !== undefined && type !== "rod" && type !== "cable") link.stiffness = Number((mass * 400).toPrecision(2));
        if (link.damping !== undefined && type === "damper") link.damping = Number((mass * 4).toPrecision(2));
        if (fields.has("force") && type === "constant") link.force = [0, Number((mass * 20).toPrecision(2)), 0];
        if (fields.has("force") && type === "pull") link.force = Number((mass * 10).toPrecision(2));
        if (fields.has("torque")) link.torque = [0, Number(mass.toPrecision(2)), 0];
        await this.add({ [list]: [link] }, "Connect");
    }
}
