// Where the cursor goes while recorded frames are played: forwards or backwards at a speed, within what is recorded.

export interface Playback {
    cursor: number; // frame
    exact: number; // the same, between frames
    ended: "" | "start" | "end";
}

// `seconds` of wall time later. With `loop` it starts over at the other end.
export function advance(
    now: Playback,
    seconds: number,
    options: { frames: number; dt: number; speed: number; direction: 1 | -1; loop: boolean },
): Playback {
    const last = Math.max(0, options.frames - 1);
    if (last === 0 || options.dt <= 0) return { cursor: 0, exact: 0, ended: options.direction > 0 ? "end" : "start" };
    let exact = now.exact + (options.direction * seconds * options.speed) / options.dt;
    let ended: Playback["ended"] = "";
    if (options.loop) {
        const span = last + 1;
        exact = ((exact % span) + span) % span;
    } else if (exact >= last && options.direction > 0) {
        exact = last;
        ended = "end";
    } else if (exact <= 0 && options.direction < 0) {
        exact = 0;
        ended = "start";
    }
    return { cursor: Math.min(last, Math.floor(exact + 1e-9)), exact, ended };
}
