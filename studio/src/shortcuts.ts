// Every key that does something: one list for the keyboard and for the sheet that shows it.
import type { Studio } from "./state/studio.svelte";

export interface Shortcut {
    keys: string; // as tinykeys wants it
    shown: string[];
    about: string;
    group: "Time" | "Edit" | "View" | "File";
    act(studio: Studio): unknown;
}

export const shortcuts: Shortcut[] = [
    { keys: "Space", shown: ["Space"], about: "Run or pause", group: "Time", act: (s) => s.play("forward") },
    { keys: "Shift+Space", shown: ["Shift", "Space"], about: "Play backwards", group: "Time", act: (s) => s.play("reverse") },
    { keys: "ArrowRight", shown: ["→"], about: "One frame on", group: "Time", act: (s) => s.stepBy(1) },
    { keys: "ArrowLeft", shown: ["←"], about: "One frame back", group: "Time", act: (s) => s.stepBy(-1) },
    { keys: "Home", shown: ["Home"], about: "To the start", group: "Time", act: (s) => s.seek(0) },
    { keys: "End", shown: ["End"], about: "To the end of the recording", group: "Time", act: (s) => s.seek(s.frames - 1) },
    { keys: "l", shown: ["L"], about: "Loop", group: "Time", act: (s) => (s.loop = !s.loop) },
    { keys: "m", shown: ["M"], about: "Sync point: keep this moment", group: "Time", act: (s) => void s.mark() },
    { keys: "]", shown: ["]"], about: "To the next event or sync point", group: "Time", act: (s) => s.jump(1) },
    { keys: "[", shown: ["["], about: "To the event or sync point before", group: "Time", act: (s) => s.jump(-1) },
    { keys: "Shift+ArrowRight", shown: ["Shift", "→"], about: "Ten frames on", group: "Time", act: (s) => s.seek(s.cursor + 10) },
    { keys: "Shift+ArrowLeft", shown: ["Shift", "←"], about: "Ten frames back", group: "Time", act: (s) => s.seek(s.cursor - 10) },
    { keys: "k", shown: ["K"], about: "Cut: continue from here as a branch", group: "Time", act: (s) => void s.cutHere() },
    { keys: "a", shown: ["A"], about: "Add bodies, joints, forces", group: "Edit", act: (s) => (s.wantsAdd = true) },
    { keys: "q", shown: ["Q"], about: "Select", group: "Edit", act: (s) => s.setTool("select") },
    { keys: "g", shown: ["G"], about: "Move", group: "Edit", act: (s) => s.setTool("move") },
    { keys: "r", shown: ["R"], about: "Rotate", group: "Edit", act: (s) => s.setTool("rotate") },
    { keys: "s", shown: ["S"], about: "Scale", group: "Edit", act: (s) => s.setTool("scale") },
    { keys: "h", shown: ["H"], about: "Hand: pull bodies", group: "Edit", act: (s) => s.setTool("hand") },
    { keys: "x", shown: ["X"], about: "Snap to steps", group: "Edit", act: (s) => s.setSnap(!s.snap) },
    { keys: "$mod+z", shown: ["Ctrl", "Z"], about: "Undo", group: "Edit", act: (s) => void s.undo() },
    { keys: "$mod+Shift+z", shown: ["Ctrl", "Shift", "Z"], about: "Redo", group: "Edit", act: (s) => void s.redo() },
    { keys: "$mod+d", shown: ["Ctrl", "D"], about: "Duplicate", group: "Edit", act: (s) => void s.duplicate() },
    { keys: "$mod+Shift+d", shown: ["Ctrl", "Shift", "D"], about: "Array of copies", group: "Edit", act: (s) => s.selectedBody && (s.dialog = "array") },
    { keys: "$mod+c", shown: ["Ctrl", "C"], about: "Copy", group: "Edit", act: (s) => s.copy() },
    { keys: "$mod+x", shown: ["Ctrl", "X"], about: "Cut out", group: "Edit", act: (s) => void s.cutOut() },
    { keys: "$mod+v", shown: ["Ctrl", "V"], about: "Paste", group: "Edit", act: (s) => void s.paste() },
    { keys: "$mod+a", shown: ["Ctrl", "A"], about: "Select all bodies", group: "Edit", act: (s) => s.selectAll() },
    { keys: "$mod+g", shown: ["Ctrl", "G"], about: "Group into one body", group: "Edit", act: (s) => void s.group() },
    { keys: "$mod+Shift+g", shown: ["Ctrl", "Shift", "G"], about: "Ungroup", group: "Edit", act: (s) => void s.ungroup() },
    { keys: "Delete", shown: ["Del"], about: "Delete", group: "Edit", act: (s) => void s.remove() },
    { keys: "Escape", shown: ["Esc"], about: "Select nothing", group: "Edit", act: (s) => (s.linking ? s.stopLink() : s.select(null)) },
    { keys: "f", shown: ["F"], about: "See all", group: "View", act: (s) => s.view?.frameAll() },
    { keys: "1", shown: ["1"], about: "Front", group: "View", act: (s) => s.view?.lookAlong("z") },
    { keys: "2", shown: ["2"], about: "Right", group: "View", act: (s) => s.view?.lookAlong("x") },
    { keys: "3", shown: ["3"], about: "Top", group: "View", act: (s) => s.view?.lookAlong("y") },
    { keys: "Shift+f", shown: ["Shift", "F"], about: "See what is selected", group: "View", act: (s) => s.view?.frameSelected() },
    { keys: "4", shown: ["4"], about: "Four views or one", group: "View", act: (s) => s.setLayout(s.layout === "four" ? "single" : "four") },
    { keys: "5", shown: ["5"], about: "Camera: orbit or fly", group: "View", act: (s) => s.setCamera(s.camera === "fly" ? "orbit" : "fly") },
    { keys: "6", shown: ["6"], about: "Camera: go with the selected body", group: "View", act: (s) => s.setCamera(s.camera === "follow" ? "orbit" : "follow") },
    { keys: "w", shown: ["W"], about: "Wireframe", group: "View", act: (s) => s.setStyle(s.style === "wireframe" ? "shaded" : "wireframe") },
    { keys: "z", shown: ["Z"], about: "X-ray", group: "View", act: (s) => s.setStyle(s.style === "xray" ? "shaded" : "xray") },
    { keys: "v", shown: ["V"], about: "Velocities", group: "View", act: (s) => s.toggle("velocities") },
    { keys: "b", shown: ["B"], about: "Trails", group: "View", act: (s) => s.toggle("trails") },
    { keys: "j", shown: ["J"], about: "Joints, springs and forces", group: "View", act: (s) => s.toggle("joints") },
    { keys: "p", shown: ["P"], about: "Properties, time, profile", group: "View", act: (s) => (s.panel = s.panel === "properties" ? "time" : s.panel === "time" ? "profile" : "properties") },
    { keys: "y", shown: ["Y"], about: "Anaglyph on or off", group: "View", act: (s) => s.setStereo({ mode: s.stereo.mode === "off" ? (s.theme === "dark" ? "anaglyph" : "anaglyph-bright") : "off" }) },
    { keys: "c", shown: ["C"], about: "Contact forces", group: "View", act: (s) => s.toggle("contacts") },
    { keys: "t", shown: ["T"], about: "Dark or light", group: "View", act: (s) => s.setTheme(s.theme === "dark" ? "light" : "dark") },
    { keys: "$mod+k", shown: ["Ctrl", "K"], about: "All commands by name", group: "File", act: (s) => (s.dialog = "palette") },
    { keys: "$mod+e", shown: ["Ctrl", "E"], about: "Film and export", group: "File", act: (s) => s.frames > 0 && (s.dialog = "film") },
    { keys: "Shift+T", shown: ["Shift", "T"], about: "The tour", group: "File", act: (s) => (s.tour = 0) },
    { keys: "$mod+o", shown: ["Ctrl", "O"], about: "Open", group: "File", act: (s) => (s.dialog = "gallery") },
    { keys: "$mod+s", shown: ["Ctrl", "S"], about: "Save", group: "File", act: (s) => (s.dialog = "save") },
    { keys: "Shift+?", shown: ["?"], about: "This list", group: "File", act: (s) => (s.dialog = "shortcuts") },
];
