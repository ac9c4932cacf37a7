// Under which heading a field stands. Fields that no heading names come last, so that new ones appear by themselves.
import type { FieldInfo } from "./schema";

const headings: { [kind: string]: [string, string[]][] } = {
    body: [
        ["Body", ["name", "kind", "material", "color", "active"]],
        ["Shape", ["shape"]],
        ["Placement", ["position", "orientation"]],
        ["Motion", ["velocity", "angular_velocity"]],
        ["Copies", ["repeat"]],
        ["Mass", ["mass", "density", "center_of_mass", "inertia"]],
        ["Damping and gravity", ["gravity_scale", "linear_damping", "angular_damping"]],
        ["Collision", ["collides", "sensor", "layer", "ignores"]],
    ],
    material: [["", ["name", "color", "density", "friction", "static_friction", "restitution"]]],
    force: [["Force", ["name", "a", "b", "enabled", "from", "until", "magnitude"]]],
    joint: [["Joint", ["name", "a", "b", "enabled", "collide_connected"]]],
};

export interface FieldGroup {
    title: string;
    fields: FieldInfo[];
}

export function groupsOf(kind: string, fields: FieldInfo[]): FieldGroup[] {
    const left = new Map(fields.map((field) => [field.name, field]));
    const groups: FieldGroup[] = [];
    for (const [title, names] of headings[kind] ?? []) {
        const found = names.flatMap((name) => left.get(name) ?? []);
        names.forEach((name) => left.delete(name));
        if (found.length > 0) groups.push({ title, fields: found });
    }
    if (left.size > 0) groups.push({ title: kind === "joint" ? "Geometry and axes" : kind === "force" ? "What it does" : "More", fields: [...left.values()] });
    return groups;
}
