// Every key that does something: one list for the keyboard and for the sheet that shows it.
import type { Studio } from "./state/studio.svelte";

export interface Shortcut {
    keys: string; // as tinykeys wants it
    shown: string[];
    about: string;
    group: "Time" | "Edit" | "View" | "File";
    act(studio: Studio): void;
}

export const shortcuts: Shortcut[] = [
    { keys: "Space", shown: ["Space"], about: "Run or pause", group: "Time", act: (s) => s.play("forward") },
    { keys: "Shift+Space", shown: ["Shift", "Space"], about: "Play backwards", group: "Time", act: (s) => s.play("reverse") },
    { keys: "ArrowRight", shown: ["→"], about: "One frame on", group: "Time", act: (s) => s.stepBy(1) },
    { keys: "ArrowLeft", shown: ["←"], about: "One frame back", group: "Time", act: (s) => s.stepBy(-1) },
    { keys: "Home", shown: ["Home"], about: "To the start", group: "Time", act: (s) => s.seek(0) },
    { keys: "End", shown: ["End"], about: "To the end of the recording", group: "Time", act: (s) => s.seek(s.frames - 1) },
    { keys: "l", shown: ["L"], about: "Loop", group: "Time", act: (s) => (s.loop = !s.loop) },
    { keys: "k", shown: ["K"], about: "Cut: continue from here as a branch", group: "Time", act: (s) => void s.cutHere() },
    { keys: "q", shown: ["Q"], about: "Select", group: "Edit", act: (s) => ((s.tool = "select"), s.view?.refresh()) },
    { keys: "g", shown: ["G"], about: "Move", group: "Edit", act: (s) => ((s.tool = "move"), s.view?.refresh()) },
    { keys: "r", shown: ["R"], about: "Rotate", group: "Edit", act: (s) => ((s.tool = "rotate"), s.view?.refresh()) },
    { keys: "$mod+z", shown: ["Ctrl", "Z"], about: "Undo", group: "Edit", act: (s) => void s.undo() },
    { keys: "$mod+Shift+z", shown: ["Ctrl", "Shift", "Z"], about: "Redo", group: "Edit", act: (s) => void s.redo() },
    { keys: "$mod+d", shown: ["Ctrl", "D"], about: "Duplicate", group: "Edit", act: (s) => void s.duplicate() },
    { keys: "Delete", shown: ["Del"], about: "Delete", group: "Edit", act: (s) => void s.remove() },
    { keys: "Escape", shown: ["Esc"], about: "Select nothing", group: "Edit", act: (s) => s.select(null) },
    { keys: "f", shown: ["F"], about: "See all", group: "View", act: (s) => s.view?.frameAll() },
    { keys: "1", shown: ["1"], about: "Front", group: "View", act: (s) => s.view?.lookAlong("z") },
    { keys: "2", shown: ["2"], about: "Right", group: "View", act: (s) => s.view?.lookAlong("x") },
    { keys: "3", shown: ["3"], about: "Top", group: "View", act: (s) => s.view?.lookAlong("y") },
    { keys: "c", shown: ["C"], about: "Contact forces", group: "View", act: (s) => s.toggle("contacts") },
    { keys: "t", shown: ["T"], about: "Dark or light", group: "View", act: (s) => s.setTheme(s.theme === "dark" ? "light" : "dark") },
    { keys: "$mod+o", shown: ["Ctrl", "O"], about: "Open", group: "File", act: (s) => (s.dialog = "gallery") },
    { keys: "$mod+s", shown: ["Ctrl", "S"], about: "Save", group: "File", act: (s) => (s.dialog = "save") },
    { keys: "Shift+?", shown: ["?"], about: "This list", group: "File", act: (s) => (s.dialog = "shortcuts") },
];
