// The tour: a person builds the five-ball pendulum, runs it and winds back. Each step waits until it is done, or does it
// itself when asked to. Five rubber balls hang on rods, the first is raised to the side (spec/workbench.md part 3).
import type { JsonObject } from "../protocol/types";
import type { Studio } from "../state/studio.svelte";

export interface Step {
    title: string;
    text: string;
    at: string; // selector of what it is about; "": the middle
    isDone(studio: Studio): boolean;
    act(studio: Studio): Promise<unknown> | unknown;
}

export const radius = 0.1;
export const rod = 1;
const count = 5;
const ball = (k: number): JsonObject => ({
    name: k === 0 ? "ball" : `ball ${k + 1}`,
    shape: { type: "sphere", radius },
    position: k === 0 ? [Number((2 * radius * k - rod).toFixed(6)), rod, 0] : [Number((2 * radius * k).toFixed(6)), 0, 0],
    mass: 1,
    color: [0.86, 0.36, 0.3],
});
const hinge = (k: number): JsonObject => ({ name: `hinge ${k + 1}`, type: "hinge", b: k === 0 ? "ball" : `ball ${k + 1}`, anchor: [Number((2 * radius * k).toFixed(6)), rod, 0], axis: [0, 0, 1] });
const hasBalls = (s: Studio, n: number) => s.bodies.filter((b) => b.shape.type === "sphere").length >= n;
const hinges = (s: Studio) => s.joints.filter((j) => j.type === "hinge").length;

export const steps: Step[] = [
    { title: "An empty world", text: "A new scene has a ground, two materials and gravity. Everything else you add.", at: "[data-do=new]", isDone: (s) => s.scene !== null && !s.isRecording && s.bodies.length <= 1, act: (s) => s.open({ new: true }) },
    {
        title: "The first ball",
        text: "Press + or A and choose a sphere. Its size, place and mass are on the right: numbers with units such as 10 cm are fine. The tour's ball has 10 cm, is a metre to the left of where it will hit, and loses nothing in impacts, which the method passes on from ball to ball.",
        at: "[data-do=add]",
        isDone: (s) => hasBalls(s, 1),
        act: async (s) => {
            const ground = s.bodies.findIndex((b) => b.shape.type === "plane");
            if (ground >= 0 && (await s.edit("Lower the ground", [{ path: `bodies.${s.bodies[ground]?.written}.position`, value: [0, -0.5, 0] }]))) await s.edit("Elastic", [{ path: "materials.1.restitution", value: 1 }, { path: "materials.1.friction", value: 0 }, { path: "settings.method", value: "default+impacts=propagating" }]);
            await s.addBody({ ...ball(0), material: "wood" });
        },
    },
    { title: "Four more", text: "Ctrl+D duplicates what is selected, and the Array button makes rows. The other four hang side by side and touch.", at: ".right", isDone: (s) => hasBalls(s, count), act: (s) => s.add({ bodies: [1, 2, 3, 4].map((k) => ({ ...ball(k), material: "wood" })) }) },
    { title: "Hang them up", text: "Each ball turns about an axis a metre above its place. Choose Hinge in the + menu, click empty space for the world, then the ball; axis and anchor are then on the right.", at: "[data-do=add]", isDone: (s) => hinges(s) >= count, act: (s) => s.add({ joints: [0, 1, 2, 3, 4].map(hinge) }) },
    { title: "Run it", text: "Space runs and stops. The first ball falls, the three in the middle stay, and the last one swings out.", at: "[data-do=play]", isDone: (s) => (s.status.time ?? 0) > 0.9, act: (s) => (s.setSpeed(1), s.play("forward")) },
    { title: "Travel in time", text: "Drag along the timeline: all that was computed is there. Dots are events; [ and ] jump between them.", at: "[data-do=scrub]", isDone: (s) => s.playing === "" && !s.status.running && s.cursor < s.frames - 5 && s.cursor > 0, act: (s) => (s.stop(), s.seek(Math.round(s.frames / 2))) },
    { title: "Go on differently", text: "K cuts here: the run goes on as a branch, and the old one is shown as a ghost. Change anything before you go on.", at: "[data-do=cut]", isDone: (s) => s.branches.list.length > 1, act: (s) => s.cutHere() },
    { title: "That is it", text: "Film makes a movie, Ctrl+K finds every command, ? shows all keys. The gallery has scenes to take apart.", at: "[data-do=film]", isDone: () => false, act: (s) => (s.tour = -1) },
];
