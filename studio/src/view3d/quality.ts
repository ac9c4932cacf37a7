// How well to draw, by what draws: a processor that stands in for a graphics card gets no shadows and plain shading.

export interface Quality {
    name: "full" | "software";
    shadows: boolean;
    antialias: boolean;
    pixelRatio: number;
}

export function qualityOf(renderer: string, devicePixelRatio: number): Quality {
    const isSoftware = /swiftshader|llvmpipe|softpipe|software|basic render/i.test(renderer);
    return isSoftware
        ? { name: "software", shadows: false, antialias: false, pixelRatio: 1 }
        : { name: "full", shadows: true, antialias: true, pixelRatio: Math.min(devicePixelRatio, 2) };
}

// The name of what draws, asked of a context that is thrown away.
export function rendererName(): string {
    const gl = document.createElement("canvas").getContext("webgl2");
    if (!gl) return "none";
    const info = gl.getExtension("WEBGL_debug_renderer_info");
    const name = String(gl.getParameter(info ? info.UNMASKED_RENDERER_WEBGL : gl.RENDERER));
    gl.getExtension("WEBGL_lose_context")?.loseContext();
    return name;
}
