// Where a time axis has its marks.

// Times from 0 to `end`, at least `room` pixels apart on `width` pixels: multiples of 1, 2 or 5 times a power of ten.
export function ticks(end: number, width: number, room: number): number[] {
    if (!(end > 0) || width <= 0) return [0];
    const wanted = (end * room) / width;
    const power = Math.pow(10, Math.floor(Math.log10(wanted)));
    const step = [1, 2, 5, 10].map((m) => m * power).find((s) => s >= wanted * (1 - 1e-9)) ?? 10 * power;
    const list: number[] = [];
    for (let k = 0; k * step <= end * (1 + 1e-9); ++k) list.push(k * step);
    return list;
}

export function showTime(seconds: number, step: number): string {
    const digits = Math.max(0, Math.min(6, Math.ceil(-Math.log10(step) - 1e-9)));
    return seconds.toFixed(digits);
}
