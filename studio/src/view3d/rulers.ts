// Rulers along the edges of a view in parallel projection, in metres.
import { ticks, showTime } from "../timeline/ticks";

export interface Range {
    left: number;
    right: number;
    top: number;
    bottom: number;
}

const kWidth = 20; // px

export function drawRulers(canvas: HTMLCanvasElement, range: Range, ink: string, paper: string): void {
    const width = canvas.clientWidth;
    const height = canvas.clientHeight;
    const ratio = window.devicePixelRatio;
    if (canvas.width !== Math.round(width * ratio)) canvas.width = Math.round(width * ratio);
    if (canvas.height !== Math.round(height * ratio)) canvas.height = Math.round(height * ratio);
    const context = canvas.getContext("2d");
    if (!context || width === 0) return;
    context.setTransform(ratio, 0, 0, ratio, 0, 0);
    context.clearRect(0, 0, width, height);
    context.fillStyle = paper;
    context.globalAlpha = 0.82;
    context.fillRect(0, 0, width, kWidth);
    context.fillRect(0, kWidth, kWidth, height - kWidth);
    context.globalAlpha = 1;
    context.fillStyle = context.strokeStyle = ink;
    context.font = "10px Inter, sans-serif";
    context.lineWidth = 1;
    const along = (from: number, to: number, size: number, mark: (at: number, text: string) => void) => {
        const low = Math.min(from, to);
        const span = Math.abs(to - from);
        const steps = ticks(span, size, 62);
        const step = (steps[1] ?? span) - (steps[0] ?? 0);
        if (!(step > 0)) return;
        for (let value = Math.ceil(low / step) * step; value <= low + span; value += step) {
            mark(((value - from) / (to - from)) * size, showTime(Math.abs(value) < step / 1000 ? 0 : value, step));
        }
    };
    context.beginPath();
    along(range.left, range.right, width, (x, text) => {
        if (x < kWidth) return;
        context.moveTo(x + 0.5, 13);
        context.lineTo(x + 0.5, kWidth);
        context.textAlign = "center";
        context.fillText(text, x, 10);
    });
    along(range.top, range.bottom, height, (y, text) => {
        if (y < kWidth) return;
        context.moveTo(13, y + 0.5);
        context.lineTo(kWidth, y + 0.5);
        context.save();
        context.translate(10, y);
        context.rotate(-Math.PI / 2);
        context.textAlign = "center";
        context.fillText(text, 0, 0);
        context.restore();
    });
    context.globalAlpha = 0.6;
    context.stroke();
    context.globalAlpha = 1;
}
