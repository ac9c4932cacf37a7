// Two eyes beside each other with parallel axes: the frusta are shifted, not turned, so that no point has a vertical
// parallax. A point at the distance of convergence is seen at the same place by both; the disparity of another one is
// e f (1/z - 1/z_c) (spec/workbench.md, 2.15 and T23).
import { PerspectiveCamera, type Scene, type WebGLRenderer } from "three";

export type StereoMode = "off" | "anaglyph" | "anaglyph-bright" | "side-by-side";

export interface StereoSettings {
    mode: StereoMode;
    eyes: number; // m, from eye to eye
    convergence: number; // m
}

// `eye`: -1 the left one, 1 the right one.
export function eyeCamera(camera: PerspectiveCamera, eye: -1 | 1, eyes: number, convergence: number, aspect: number, out: PerspectiveCamera): PerspectiveCamera {
    camera.updateMatrixWorld();
    const top = camera.near * Math.tan((camera.fov * Math.PI) / 360);
    const half = top * aspect;
    const shift = (-eye * (eyes / 2) * camera.near) / convergence;
    out.matrixAutoUpdate = false;
    out.near = camera.near;
    out.far = camera.far;
    out.matrixWorld.copy(camera.matrixWorld);
    const m = out.matrixWorld.elements;
    for (let k = 0; k < 3; ++k) m[12 + k] = (m[12 + k] ?? 0) + (m[k] ?? 0) * eye * (eyes / 2);
    out.matrix.copy(out.matrixWorld);
    out.matrixWorldAutoUpdate = false;
    out.matrixWorldInverse.copy(out.matrixWorld).invert();
    out.projectionMatrix.makePerspective(-half + shift, half + shift, top, -top, camera.near, camera.far);
    out.projectionMatrixInverse.copy(out.projectionMatrix).invert();
    return out;
}

export class Stereo {
    private left = new PerspectiveCamera();
    private right = new PerspectiveCamera();

    // Into a viewport that is set. Coloured anaglyphs: red of the left eye, green and blue of the right one, for a dark
    // background; for a bright one, where a line darkens its own colour, the other way round.
    draw(renderer: WebGLRenderer, scene: Scene, camera: PerspectiveCamera, settings: StereoSettings, box: { x: number; y: number; width: number; height: number }): void {
        const { eyes, convergence, mode } = settings;
        const isBeside = mode === "side-by-side";
        const aspect = (isBeside ? box.width / 2 : box.width) / box.height;
        eyeCamera(camera, -1, eyes, convergence, aspect, this.left);
        eyeCamera(camera, 1, eyes, convergence, aspect, this.right);
        if (isBeside) {
            const half = Math.floor(box.width / 2);
            [this.left, this.right].forEach((eye, k) => {
                renderer.setViewport(box.x + k * half, box.y, half, box.height);
                renderer.setScissor(box.x + k * half, box.y, half, box.height);
                renderer.render(scene, eye);
            });
            return;
        }
        const gl = renderer.getContext();
        const autoUpdate = renderer.shadowMap.autoUpdate;
        // Shadows are drawn before the colours are masked.
        renderer.setScissor(box.x, box.y, 1, 1);
        renderer.render(scene, this.left);
        renderer.setScissor(box.x, box.y, box.width, box.height);
        renderer.shadowMap.autoUpdate = false;
        const first = mode === "anaglyph" ? this.left : this.right;
        gl.colorMask(true, false, false, true);
        renderer.render(scene, first);
        gl.colorMask(false, true, true, true);
        renderer.render(scene, first === this.left ? this.right : this.left);
        gl.colorMask(true, true, true, true);
        renderer.shadowMap.autoUpdate = autoUpdate;
    }
}
