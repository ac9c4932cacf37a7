// What a JSON Schema of `impuls schema` says of a field, in the words of the property panel: which editor, unit, range,
// help. Nothing here knows bodies or joints.
import type { Json, JsonObject } from "../protocol/types";

export type FieldKind = "number" | "vector" | "rotation" | "color" | "flag" | "text" | "choice" | "object" | "family" | "list";

export interface FieldInfo {
    name: string;
    kind: FieldKind;
    help: string;
    unit: string;
    min?: number;
    max?: number;
    isWhole: boolean;
    fallback: Json | undefined;
    choices: string[]; // of a choice; the types of a family
    schema: JsonObject;
}

function resolved(schema: JsonObject, root: JsonObject): JsonObject {
    const all = schema.allOf as JsonObject[] | undefined;
    if (all?.[0]) return { ...resolved(all[0], root), description: schema.description ?? "" };
    const reference = schema.$ref as string | undefined;
    if (!reference) return schema;
    let at: Json = root;
    for (const part of reference.slice(2).split("/")) at = (at as JsonObject)[part] ?? {};
    return resolved(at as JsonObject, root);
}

const members = (schema: JsonObject) => (schema.oneOf as JsonObject[] | undefined) ?? [];
const typeOf = (member: JsonObject) => ((member.properties as JsonObject | undefined)?.type as JsonObject | undefined)?.const as string | undefined;
const holds = (schema: JsonObject, type: string) => schema.type === type || (Array.isArray(schema.type) && schema.type.includes(type));
const isNumeric = (schema: JsonObject) => holds(schema, "number") || holds(schema, "integer");

function kindOf(schema: JsonObject, name: string): FieldKind {
    if (schema.enum) return "choice";
    if (schema.oneOf) {
        const list = members(schema);
        if (list.every((member) => typeOf(member) !== undefined)) return "family";
        if (list[0]?.minItems === 4) return "rotation";
        return "text";
    }
    if (holds(schema, "array")) {
        if (schema.minItems !== 3 || schema.maxItems !== 3) return "list";
        return name === "color" || name === "background" ? "color" : "vector";
    }
    if (isNumeric(schema)) return "number";
    if (schema.type === "boolean") return "flag";
    return schema.type === "object" ? "object" : "text";
}

export function describeField(name: string, raw: JsonObject, root: JsonObject): FieldInfo {
    const schema = resolved(raw, root);
    const description = String(schema.description ?? "");
    const unit = /\[([^\]]+)\]$/.exec(description)?.[1] ?? "";
    const limits = (holds(schema, "array") ? (schema.items as JsonObject) : schema) ?? {};
    const kind = kindOf(schema, name);
    return {
        name,
        kind,
        help: description.replace(/\s*\[[^\]]+\]$/, ""),
        unit: unit.includes("x, y") ? "" : unit,
        min: (limits.minimum ?? limits.exclusiveMinimum) as number | undefined,
        max: limits.maximum as number | undefined,
        isWhole: holds(limits, "integer"),
        fallback: schema.default,
        choices: kind === "choice" ? (schema.enum as string[]) : members(schema).flatMap((m) => typeOf(m) ?? []),
        schema,
    };
}

// The fields of an object; of a family, those of the member that `value` is.
export function fieldsOf(raw: JsonObject, value: Json | undefined, root: JsonObject): FieldInfo[] {
    const schema = resolved(raw, root);
    const type = (value as JsonObject | undefined)?.type;
    const object = schema.oneOf ? members(schema).find((member) => typeOf(member) === type) : schema;
    const properties = (object?.properties ?? {}) as JsonObject;
    return Object.entries(properties)
        .filter(([name]) => !(name === "type" && schema.oneOf))
        .map(([name, property]) => describeField(name, property as JsonObject, root));
}

// "angular_velocity" as people read it.
export function labelOf(name: string): string {
    if (name.length <= 2) return name;
    const words = name.replaceAll("_", " ");
    return words.charAt(0).toUpperCase() + words.slice(1);
}

export function rangeText(field: FieldInfo): string {
    if (field.min !== undefined && field.max !== undefined) return `${field.min} to ${field.max}`;
    if (field.min !== undefined) return field.schema.exclusiveMinimum !== undefined ? `more than ${field.min}` : `at least ${field.min}`;
    return field.max !== undefined ? `at most ${field.max}` : "";
}

// The types of a family, such as shapes; what they are for, where the schema says it.
export function typesOf(family: string, root: JsonObject): string[] {
    const schema = (root.definitions as JsonObject | undefined)?.[family] as JsonObject | undefined;
    return schema ? members(resolved(schema, root)).flatMap((member) => typeOf(member) ?? []) : [];
}

const fitting: { [list: string]: string } = { bodies: "body", joints: "joint", forces: "force" };
const starts: { [type: string]: JsonObject } = {
    sphere: { radius: 0.25 },
    box: { size: [0.5, 0.5, 0.5] },
    capsule: { radius: 0.15, length: 0.4 },
    cylinder: { radius: 0.2, height: 0.5 },
    cone: { radius: 0.25, height: 0.5 },
    ellipsoid: { radii: [0.35, 0.2, 0.2] },
    convex: { points: [[-0.25, -0.2, -0.2], [0.25, -0.2, -0.2], [0, -0.2, 0.3], [0, 0.3, 0]] },
    mesh: { vertices: [[-0.3, 0, -0.3], [0.3, 0, -0.3], [0, 0, 0.35], [0, 0.5, 0]], triangles: [0, 1, 2, 0, 3, 1, 1, 3, 2, 2, 3, 0] },
    height_field: { columns: 4, spacing: 0.5, heights: [0, 0.1, 0.1, 0, 0.1, 0.3, 0.2, 0, 0, 0.2, 0.1, 0.1, 0, 0, 0.1, 0] },
    compound: { parts: [{ type: "box", size: [0.6, 0.12, 0.12] }, { type: "box", size: [0.12, 0.6, 0.12] }] },
    tube: { radius: 0.25, thickness: 0.06, height: 0.4 },
    bowl: { radius: 0.35, thickness: 0.04 },
    funnel: { radius: 0.35, neck: 0.08, height: 0.4 },
    torus: { radius: 0.25, tube: 0.08 },
    spur_gear: { teeth: 20, module: 0.02, width: 0.1 },
    cam: { radii: [0.2, 0.2, 0.21, 0.25, 0.28, 0.25, 0.21, 0.2], width: 0.1 },
    particles: { points: [[-0.2, 0, 0], [0, 0, 0], [0.2, 0, 0]], links: [0, 1, 1, 2], radius: 0.03 },
};

// A new member of a family with what it must have; other fields keep what they have when they are left out. With `all`
// every field that it may have, to see which there are.
export function emptyMember(family: string, type: string, root: JsonObject, all = false): JsonObject {
    const definition = (root.definitions as JsonObject)[fitting[family] ?? family] as JsonObject;
    const member = members(resolved(definition, root)).find((one) => typeOf(one) === type);
    const required = new Set((member?.required as string[] | undefined) ?? []);
    const value: JsonObject = {};
    for (const field of fieldsOf(definition, { type }, root)) {
        if ((!required.has(field.name) && !all) || ["a", "b", "name", "type"].includes(field.name)) continue;
        value[field.name] = field.fallback ?? (field.kind === "vector" ? [0, 0, 0] : field.kind === "number" ? 1 : field.kind === "list" ? [] : "");
    }
    return family === "shape" ? { type, ...value, ...starts[type] } : value;
}
