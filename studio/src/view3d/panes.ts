// A view of the scene: a camera, what steers it and where on the canvas it is. The free one sees in perspective; front,
// right and top in parallel projection, so that lengths can be compared.
import CameraControls from "camera-controls";
import { OrthographicCamera, PerspectiveCamera, Vector3, type Camera } from "three";
import type { Range } from "./rulers";

export type PaneName = "free" | "front" | "right" | "top";

const sides: { [name in Exclude<PaneName, "free">]: { out: Vector3; across: "x" | "z"; along: "y" | "z" } } = {
    front: { out: new Vector3(0, 0, 1), across: "x", along: "y" },
    right: { out: new Vector3(1, 0, 0), across: "z", along: "y" },
    top: { out: new Vector3(0, 1, 0), across: "x", along: "z" },
};

export class Pane {
    readonly camera: PerspectiveCamera | OrthographicCamera;
    readonly controls: CameraControls;
    box = { x: 0, y: 0, width: 1, height: 1 }; // px of the canvas, from its lower left corner

    constructor(
        readonly name: PaneName,
        readonly element: HTMLElement,
    ) {
        this.camera = name === "free" ? new PerspectiveCamera(42, 1, 0.01, 1000) : new OrthographicCamera(-1, 1, 1, -1, 0, 1000);
        if (name === "top") this.camera.up.set(0, 0, -1);
        this.controls = new CameraControls(this.camera, element);
        this.controls.smoothTime = 0.12;
        this.controls.draggingSmoothTime = 0.05;
        this.controls.dollyToCursor = true;
        const { ACTION } = CameraControls;
        this.controls.mouseButtons.right = ACTION.TRUCK;
        this.controls.mouseButtons.middle = ACTION.TRUCK;
        if (name === "free") return;
        this.controls.mouseButtons.left = ACTION.NONE; // draws a frame around what is to be selected
        this.controls.mouseButtons.wheel = ACTION.ZOOM;
        this.controls.touches.one = ACTION.TOUCH_TRUCK;
    }

    get isParallel(): boolean {
        return this.name !== "free";
    }

    // False while it is not on the screen.
    place(canvas: DOMRect): boolean {
        const box = this.element.getBoundingClientRect();
        if (box.width < 2 || box.height < 2) return false;
        this.box = { x: box.left - canvas.left, y: canvas.bottom - box.bottom, width: box.width, height: box.height };
        const aspect = box.width / box.height;
        if (this.camera instanceof PerspectiveCamera) {
            if (this.camera.aspect !== aspect) {
                this.camera.aspect = aspect;
                this.camera.updateProjectionMatrix();
            }
        } else if (this.camera.right !== this.camera.top * aspect) {
            this.camera.right = this.camera.top * aspect;
            this.camera.left = -this.camera.right;
            this.camera.updateProjectionMatrix();
        }
        return true;
    }

    // A view in parallel projection of all that lies within `size` around a place.
    fitParallel(center: Vector3, size: number, isSmooth: boolean): void {
        if (!(this.camera instanceof OrthographicCamera) || this.name === "free") return;
        const half = 0.62 * size;
        const aspect = this.box.width / this.box.height;
        this.camera.top = half;
        this.camera.bottom = -half;
        this.camera.right = half * aspect;
        this.camera.left = -half * aspect;
        this.camera.near = 0;
        this.camera.far = 400 * size;
        this.camera.updateProjectionMatrix();
        const eye = center.clone().addScaledVector(sides[this.name].out, 100 * size);
        void this.controls.setLookAt(eye.x, eye.y, eye.z, center.x, center.y, center.z, isSmooth);
        void this.controls.zoomTo(1, isSmooth);
    }

    // Of the world's coordinates that its edges show.
    range(): Range | null {
        if (!(this.camera instanceof OrthographicCamera) || this.name === "free") return null;
        const { across, along } = sides[this.name];
        const center = this.camera.position;
        const half = { x: this.camera.right / this.camera.zoom, y: this.camera.top / this.camera.zoom };
        const signX = this.name === "right" ? -1 : 1;
        const signY = this.name === "top" ? -1 : 1;
        return {
            left: center[across] - signX * half.x,
            right: center[across] + signX * half.x,
            top: center[along] + signY * half.y,
            bottom: center[along] - signY * half.y,
        };
    }

    // Metres that a pixel is wide at a place.
    pixelAt(place: Vector3): number {
        if (this.camera instanceof PerspectiveCamera) {
            const distance = (this.camera as Camera).getWorldPosition(new Vector3()).distanceTo(place);
            return (2 * distance * Math.tan((this.camera.fov * Math.PI) / 360)) / this.box.height;
        }
        return (this.camera.top - this.camera.bottom) / this.camera.zoom / this.box.height;
    }
}
