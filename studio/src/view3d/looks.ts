// What bodies look like by the name of their material: wood has grain, metal shines, glass lets light through. Only the
// picture depends on it.
import { CanvasTexture, DoubleSide, MeshLambertMaterial, MeshStandardMaterial, RepeatWrapping, SRGBColorSpace, type Material } from "three";
import type { Quality } from "./quality";

export type LookName = "plain" | "metal" | "wood" | "glass" | "rubber" | "stone" | "sensor";

const words: [LookName, RegExp][] = [
    ["metal", /steel|iron|metal|alumin|copper|brass|bronze|tin\b|lead\b|gold|silver|titan|zinc/i],
    ["wood", /wood|oak|pine|beech|maple|timber|plywood|bamboo|domino/i],
    ["glass", /glass|ice\b|crystal|acryl/i],
    ["rubber", /rubber|tyre|tire|latex/i],
    ["stone", /stone|rock|concrete|granite|marble|brick|sand|gravel|asphalt/i],
];

export function lookOf(material: string, isSensor: boolean): LookName {
    if (isSensor) return "sensor";
    return words.find(([, pattern]) => pattern.test(material))?.[0] ?? "plain";
}

const surfaces: { [name in LookName]: { roughness: number; metalness: number; opacity: number } } = {
    plain: { roughness: 0.58, metalness: 0.02, opacity: 1 },
    metal: { roughness: 0.3, metalness: 0.85, opacity: 1 },
    wood: { roughness: 0.72, metalness: 0, opacity: 1 },
    glass: { roughness: 0.05, metalness: 0.1, opacity: 0.38 },
    rubber: { roughness: 0.95, metalness: 0, opacity: 1 },
    stone: { roughness: 0.92, metalness: 0, opacity: 1 },
    sensor: { roughness: 1, metalness: 0, opacity: 0.22 },
};

// A number from 0 to 1 that is the same each time.
function noise(x: number, y: number): number {
    const s = Math.sin(x * 127.1 + y * 311.7) * 43758.5453;
    return s - Math.floor(s);
}

// Brightness alone; the colour is the body's own.
function paint(size: number, shade: (x: number, y: number) => number): CanvasTexture {
    const canvas = document.createElement("canvas");
    canvas.width = canvas.height = size;
    const context = canvas.getContext("2d") as CanvasRenderingContext2D;
    const image = context.createImageData(size, size);
    for (let y = 0; y < size; ++y)
        for (let x = 0; x < size; ++x) {
            const value = Math.round(255 * Math.max(0, Math.min(1, shade(x, y))));
            image.data.set([value, value, value, 255], 4 * (y * size + x));
        }
    context.putImageData(image, 0, 0);
    const texture = new CanvasTexture(canvas);
    texture.colorSpace = SRGBColorSpace;
    texture.wrapS = texture.wrapT = RepeatWrapping;
    texture.anisotropy = 4;
    return texture;
}

const made = new Map<LookName, CanvasTexture>();
function textureOf(look: LookName): CanvasTexture | null {
    if (look !== "wood" && look !== "stone") return null;
    let texture = made.get(look);
    if (!texture) {
        texture =
            look === "wood"
                ? paint(256, (x, y) => {
                      const ring = Math.sin(y * 0.16 + 2.2 * Math.sin(x * 0.025) + 0.7 * Math.sin(y * 0.045 + x * 0.011));
                      return 0.86 + 0.1 * ring + 0.05 * (noise(Math.floor(x / 14), y) - 0.5);
                  })
                : paint(256, (x, y) => 0.8 + 0.22 * (noise(x >> 1, y >> 1) - 0.5) + 0.16 * (noise(x >> 4, y >> 4) - 0.5));
        made.set(look, texture);
    }
    return texture;
}

// `hasUv`: whether the surface says where a texture lies.
export function makeMaterial(look: LookName, quality: Quality, isOpen: boolean, hasUv: boolean): Material {
    const surface = surfaces[look];
    const common = {
        ...(surface.opacity < 1 ? { transparent: true, opacity: surface.opacity, depthWrite: false } : {}),
        ...(isOpen ? { side: DoubleSide } : {}),
        ...(hasUv ? { map: textureOf(look) } : {}),
    };
    return quality.name === "software"
        ? new MeshLambertMaterial(common)
        : new MeshStandardMaterial({ roughness: surface.roughness, metalness: surface.metalness, ...common });
}

export type Style = "shaded" | "wireframe" | "xray";

// The same material in another style; its own values come back with "shaded".
export function setStyle(material: Material, style: Style): void {
    const own = (material.userData.own ??= { transparent: material.transparent, opacity: material.opacity, depthWrite: material.depthWrite });
    const meshMaterial = material as MeshStandardMaterial;
    if ("wireframe" in meshMaterial) meshMaterial.wireframe = style === "wireframe";
    material.transparent = style === "xray" || own.transparent;
    material.opacity = style === "xray" ? Math.min(0.28, own.opacity) : own.opacity;
    material.depthWrite = style === "xray" ? false : own.depthWrite;
    material.needsUpdate = true;
}
