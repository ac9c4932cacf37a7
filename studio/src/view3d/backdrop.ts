// What stands around the bodies: light and shadow, sky, fog, and the grid of each view.
import {
    AmbientLight,
    CanvasTexture,
    Color,
    DirectionalLight,
    Fog,
    HemisphereLight,
    PMREMGenerator,
    SRGBColorSpace,
    Vector3,
    type LineSegments,
    type Material,
    type Scene,
    type Texture,
    type WebGLRenderer,
} from "three";
import { RoomEnvironment } from "three/addons/environments/RoomEnvironment.js";
import type { Look } from "./hooks";
import { makeGrid, niceStep } from "./overlays";
import type { Pane, PaneName } from "./panes";
import type { Quality } from "./quality";

const kFog = { dark: "#262c37", light: "#dfe6ee" };
const kSky = { dark: ["#161a21", "#262c37", "#1d222b"], light: ["#c9d6e4", "#e6ecf2", "#dde3ea"] };
const kPlain = { dark: "#1b2028", light: "#eef2f6" }; // behind views in parallel projection
const kGridInk = { dark: "#aab4c5", light: "#4a5568" };

export const plainColor = (theme: Look["theme"]) => kPlain[theme];

export class Backdrop {
    private sun = new DirectionalLight("#fff4e6", 2);
    private grids = new Map<PaneName, LineSegments>();
    private gridInk = "";
    private sky: { [theme: string]: Texture } = {};
    private size = 1;
    private floor = 0;

    constructor(
        private scene: Scene,
        private panes: Pane[],
        private quality: Quality,
        renderer: WebGLRenderer,
    ) {
        this.addLights(renderer);
    }

    private addLights(renderer: WebGLRenderer): void {
        if (this.quality.name === "full") {
            const generator = new PMREMGenerator(renderer);
            this.scene.environment = generator.fromScene(new RoomEnvironment(), 0.04).texture;
            this.scene.environmentIntensity = 0.35;
            generator.dispose();
            this.scene.add(new HemisphereLight("#dfe9f7", "#6f6a62", 0.3));
        } else {
            this.scene.add(new HemisphereLight("#f2f6fc", "#777067", 1.9), new AmbientLight("#ffffff", 0.25));
        }
        this.sun.castShadow = this.quality.shadows;
        this.sun.shadow.mapSize.set(2048, 2048);
        this.scene.add(this.sun, this.sun.target);
    }

    // For a scene of this size.
    place(center: Vector3, size: number, floor: number): void {
        [this.size, this.floor, this.gridInk] = [size, floor, ""];
        const r = size;
        this.sun.position.copy(center).add(new Vector3(0.55, 1.15, 0.7).multiplyScalar(2 * r));
        this.sun.target.position.copy(center);
        const shadow = this.sun.shadow.camera;
        shadow.left = shadow.bottom = -1.3 * r;
        shadow.right = shadow.top = 1.3 * r;
        this.sun.shadow.normalBias = 0.003 * r;
        shadow.near = 0.1 * r;
        shadow.far = 6 * r;
        shadow.updateProjectionMatrix();
    }

    // Before a picture, and before each of its views.
    prepare(look: Look): void {
        this.sun.castShadow = this.quality.shadows && look.shadows;
        this.makeGrids(look);
    }
    preparePane(look: Look, pane: Pane): void {
        for (const [name, grid] of this.grids) grid.visible = name === pane.name && look.grid;
        this.scene.background = pane.isParallel ? new Color(kPlain[look.theme]) : this.skyOf(look.theme);
        this.scene.fog = pane.isParallel ? null : new Fog(kFog[look.theme], 4 * this.size, 26 * this.size);
    }

    // Lighter towards the horizon.
    private skyOf(theme: "dark" | "light"): Texture {
        const known = this.sky[theme];
        if (known) return known;
        const canvas = document.createElement("canvas");
        [canvas.width, canvas.height] = [4, 256];
        const context = canvas.getContext("2d") as CanvasRenderingContext2D;
        const gradient = context.createLinearGradient(0, 0, 0, 256);
        kSky[theme].forEach((color, k) => gradient.addColorStop(k / 2, color));
        context.fillStyle = gradient;
        context.fillRect(0, 0, 4, 256);
        const texture = new CanvasTexture(canvas);
        texture.colorSpace = SRGBColorSpace;
        this.sky[theme] = texture;
        return texture;
    }

    // One for each view, in the plane that it looks at.
    private makeGrids(look: Look): void {
        const ink = kGridInk[look.theme];
        if (ink === this.gridInk) return;
        this.gridInk = ink;
        for (const grid of this.grids.values()) {
            this.scene.remove(grid);
            grid.geometry.dispose();
            (grid.material as Material).dispose();
        }
        this.grids.clear();
        for (const pane of this.panes) {
            const grid = makeGrid(niceStep(this.size / 15), 40, ink);
            if (pane.name === "front") grid.rotation.x = Math.PI / 2;
            else if (pane.name === "right") grid.rotation.z = Math.PI / 2;
            else grid.position.y = this.floor;
            this.grids.set(pane.name, grid);
            this.scene.add(grid);
        }
    }
}
