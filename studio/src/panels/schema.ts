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
