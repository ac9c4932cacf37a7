// gate.mjs PROGRAM PACKAGES SCENES: what the studio's server refuses, by raw sockets, because a browser would not even
// ask: strangers without the token, other hosts and origins, other methods, bodies, paths outside its folder, messages
// that are none. The world that runs meanwhile ends with the same hash as one that was left in peace.
import { randomBytes } from "node:crypto";
import { readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { ask, Client, enter, status } from "./client.mjs";
import { expect, kWait, places, startStudio } from "./support.mjs";

const scene = join(places.scenes, "examples", "dominoes.json");

async function hashAfterRun(client) {
    client.messages = client.messages.filter((m) => m.event !== "status");
    await client.ask("run", { on: true, speed: 0, until: 1 });
    const status = await client.until((m) => m.event === "status" && !m.running && m.time > 0.99);
    return status.hash;
}

const calm = await startStudio([scene]);
const peaceful = await Client.open(calm.port, (await enter(calm)).cookie);
const wanted = await hashAfterRun(peaceful);
peaceful.socket.destroy();
await calm.stop();

const studio = await startStudio([scene]);
const { port } = studio;
const host = `Host: 127.0.0.1:${port}`;
let failed = 0;
async function check(name, test) {
    try {
        await test();
        console.log(`ok      ${name}`);
    } catch (error) {
        ++failed;
        console.log(`FAILED  ${name}: ${error.stack}`);
    }
}
const { cookie, token } = await enter(studio);
const refusesHttp = (name, lines, codes = [403]) =>
    check(name, async () => {
        const answer = await ask(port, lines);
        expect(codes.includes(status(answer)), `got ${answer.split("\r\n")[0]}`);
    });

await refusesHttp("without a token", ["GET / HTTP/1.1", host]);
await refusesHttp("a wrong token", [`GET /?token=${"0".repeat(32)} HTTP/1.1`, host]);
await refusesHttp("a token with more behind it", [`GET /?token=${token}0 HTTP/1.1`, host]);
await refusesHttp("a wrong cookie", ["GET / HTTP/1.1", host, `Cookie: impuls_studio_${port}=${"0".repeat(32)}`]);
await refusesHttp("the right token under another host", [`GET /?token=${token} HTTP/1.1`, `Host: evil.example:${port}`]);
await refusesHttp("the right token without a host", [`GET /?token=${token} HTTP/1.0`]);
await refusesHttp("another port's host", ["GET / HTTP/1.1", `Host: 127.0.0.1:${port + 1}`, `Cookie: ${cookie}`]);
await refusesHttp("another origin", ["GET / HTTP/1.1", host, `Cookie: ${cookie}`, "Origin: http://evil.example"]);
await refusesHttp("other methods", ["DELETE / HTTP/1.1", host, `Cookie: ${cookie}`], [405]);
await refusesHttp("paths out of the program", ["GET /../../etc/passwd HTTP/1.1", host, `Cookie: ${cookie}`], [404]);
await check("an upload of a gigabyte", async () => {
    const answer = await ask(port, ["POST / HTTP/1.1", host, `Cookie: ${cookie}`, "Content-Length: 1073741824"], "x".repeat(1 << 20));
    expect([413, 405, 0].includes(status(answer)), `got ${answer.split("\r\n")[0]}`);
});
await check("the page itself, with a policy", async () => {
    const answer = await ask(port, ["GET / HTTP/1.1", host, `Cookie: ${cookie}`]);
    expect(status(answer) === 200 && /Content-Security-Policy: default-src 'self';/.test(answer) && !/unsafe/.test(answer.split("\r\n\r\n")[0]), answer.slice(0, 400));
});
const refusesSocket = (name, given, headers) =>
    check(name, async () => {
        const opened = await Client.open(port, given, headers).then(() => true, (error) => expect(status(error.message) === 403, error.message));
        expect(!opened, "it was let in");
    });
await refusesSocket("a socket without a cookie", "");
await refusesSocket("a socket from another origin", cookie, { Origin: "http://evil.example" });
await refusesSocket("a socket from another port", cookie, { Origin: `http://127.0.0.1:${port + 1}` });
await refusesSocket("a socket from a page of a file", cookie, { Origin: "null" });
await refusesSocket("a socket under another host", cookie, { Host: `evil.example:${port}` });

const client = await Client.open(port, cookie);
const refuses = (name, what, rest) =>
    check(name, async () => {
        const answer = await client.ask(what, rest);
        expect(typeof answer.error === "string", `got ${JSON.stringify(answer)}`);
    });
writeFileSync(join(studio.folder, "fine.json"), '{"impuls": 1}');
symlinkSync("/etc", join(studio.folder, "way-out"));
symlinkSync("/etc/hostname", join(studio.folder, "link.json"));
await refuses("reading outside", "open", { path: "../../../etc/passwd" });
await refuses("reading outside by a full path", "open", { path: "/etc/passwd" });
await refuses("reading through a link", "open", { path: "link.json" });
await refuses("writing outside", "save", { path: "../x.json", overwrite: true });
await refuses("writing through a linked folder", "save", { path: "way-out/x.json", overwrite: true });
await refuses("writing through a link", "save", { path: "link.json", overwrite: true });
await refuses("writing other kinds of files", "save", { path: "x.sh" });
await check("replacing a file unasked, which is said", async () => {
    const answer = await client.ask("save", { path: "fine.json" });
    expect(answer.result?.exists === true && readFileSync(join(studio.folder, "fine.json"), "utf8") === '{"impuls": 1}', JSON.stringify(answer));
});
await refuses("frames that are not there", "frame", { frame: 1e9 });
await refuses("frames of no number", "frame", { frame: -1 });
await refuses("commands about nobody", "command", { command: { type: "remove_body", body: "nobody" } });
await refuses("quantities that are none", "series", { names: ["nonsense"] });
await refuses("requests that are none", "shutdown", {});
await check("a thousand messages that are none, and one client that does not read", async () => {
    const deaf = await Client.open(port, cookie);
    deaf.socket.pause();
    for (let k = 0; k < 1000; ++k) {
        const kinds = ["", "{", "[]", "null", '{"do":5}', '{"do":"open"}', '{"do":"edit","what":"set","changes":7}', "\u0000\u0001", "[".repeat(5000), '{"do":"step","id":{}}'.slice(0, k % 21)];
        client.sendRaw(kinds[k % kinds.length]);
    }
    client.sendRaw(randomBytes(60), 2);
    expect((await hashAfterRun(client)) === wanted, "the world ends as one that was left in peace");
    deaf.socket.destroy();
});
await check("a message of a gigabyte", async () => {
    const large = await Client.open(port, cookie);
    const gone = new Promise((done, fail) => {
        large.socket.once("close", done);
        setTimeout(() => fail(new Error("it is still open")), kWait).unref();
    });
    const head = Buffer.alloc(14);
    head.set([129, 255]);
    head.writeBigUInt64BE(1n << 30n, 2);
    large.socket.write(Buffer.concat([head, Buffer.alloc(1 << 20, 32)]));
    await gone;
    const answer = await client.ask("list", { what: "quantities" });
    expect(answer.result.length > 0, "others are served as before");
});
await check("what changes something, from a page without the controls", async () => {
    const watcher = await Client.open(port, cookie);
    const answer = await watcher.ask("edit", { label: "x", changes: [] });
    expect(/controls/.test(answer.error ?? ""), JSON.stringify(answer));
    expect((await watcher.ask("series", { names: ["energy.total"] })).result !== undefined, "it may look");
    watcher.socket.destroy();
});
client.socket.destroy();
await studio.stop();
console.log(failed === 0 ? "all refused" : `${failed} failed`);
process.exitCode = failed > 0 ? 1 : 0;
