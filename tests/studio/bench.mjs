// bench.mjs PROGRAM PACKAGES SCENES [BODIES [SECONDS]]: how many frames a second reach a page that does not draw them, how
// large they are, what a step costs beside the same world without a page, and how long any of many recorded frames takes to
// come. Not a test: it prints numbers, which mean something on a quiet machine alone.
import { execFileSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { Client, enter } from "./client.mjs";
import { places, startStudio } from "./support.mjs";

const bodies = Number(process.argv[5]) || 2000;
const seconds = Number(process.argv[6]) || 10;
const side = Math.ceil(Math.cbrt(bodies));
// Balls apart in the air: what is measured is the way of frames, not contact.
const scene = { impuls: 1, settings: { dt: 0.01, duration: 1e6, gravity: [0, 0, 0] }, variables: { n: bodies }, bodies: [{ name: "ball", shape: { type: "sphere", radius: 0.1 }, velocity: [0.1, 0.2, 0.3], repeat: { count: [side, side, side], spacing: [1, 1, 1], where: "i < n" } }] };

const studio = await startStudio();
const file = join(studio.folder, "bench.json");
writeFileSync(file, JSON.stringify(scene));
const client = await Client.open(studio.port, (await enter(studio)).cookie);
const cpu = () => readFileSync(`/proc/${studio.child.pid}/stat`, "utf8").split(" ").slice(13, 15).reduce((sum, ticks) => sum + Number(ticks) / 100, 0);
await client.ask("open", { path: "bench.json" });

let [count, bytes, last] = [0, 0, 0];
client.frame = (payload) => {
    if (payload[0] !== 1 || (payload[2] & 1) === 0) return;
    ++count;
    bytes += payload.length;
    last = payload.readUInt32LE(8);
    client.sendRaw('{"do":"ack"}');
};
const began = Date.now();
const cpuBefore = cpu();
await client.ask("run", { on: true, speed: 0 });
await new Promise((done) => setTimeout(done, 1000 * seconds));
await client.ask("run", { on: false });
const [took, used] = [(Date.now() - began) / 1000, cpu() - cpuBefore];
console.log(`${bodies} bodies: ${(count / took).toFixed(1)} frames/s of ${(bytes / count / 1000).toFixed(1)} kB; ${last} steps, ${((1000 * used) / last).toFixed(3)} ms of processor time a step`);

// The same steps by the command line, without and with a recording, which the studio always makes.
for (const [name, more] of [["without a recording", []], ["with a recording", ["--record", join(studio.folder, "bench.impuls")]]]) {
    const run = [join(dirname(places.program), "impuls"), "run", file, "--until", String(0.01 * last), "--threads", "1", ...more];
    const times = execFileSync("bash", ["-c", 'TIMEFORMAT="%U %S"; { time "$@" >/dev/null 2>&1; } 2>&1', "bash", ...run], { encoding: "utf8" });
    const [user, system] = times.trim().split(" ").map(Number);
    console.log(`the command line ${name}: ${((1000 * (user + system)) / last).toFixed(3)} ms of processor time a step`);
}

// Any recorded frame.
const times = [];
for (let k = 0; k < 200; ++k) {
    const wanted = Math.floor(Math.random() * last);
    const asked = performance.now();
    const came = new Promise((done) => (client.frame = (payload) => payload[0] === 1 && payload.readUInt32LE(8) === wanted && done()));
    client.sendRaw(JSON.stringify({ do: "frame", frame: wanted }));
    await came;
    times.push(performance.now() - asked);
}
times.sort((a, b) => a - b);
console.log(`one of ${last + 1} recorded frames: median ${times[100].toFixed(2)} ms, slowest of 200 ${times[199].toFixed(2)} ms`);
client.socket.destroy();
await studio.stop();
