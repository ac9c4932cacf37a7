// verbs.mjs PROGRAM PACKAGES SCENES: what a person does in the studio, one test a verb, in Chromium: open, run, scrub,
// select, move, undo, plot, save, cut, push. Numbers that are shown are compared with free fall.
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { dragHandle, drawn, expect, openScene, runTests, until, untilAnswered, untilDrawn, untilStill } from "./support.mjs";

const g = 9.81;
const dt = 0.01;

const fileText = `{
    "impuls": 1,
    "title": "Drop",  // what falls
    "variables": {"r": 0.25, "high": "8 * r"},
    "settings": {"dt": ${dt}, "duration": 3},
    "bodies": [
        {"name": "ball", "shape": {"type": "sphere", "radius": "r"}, "position": [0, "high", 0]},
        // no two of these touch
        {"name": "row", "shape": {"type": "box", "size": [0.2, 0.2, 0.2]}, "position": [2, 1, 0],
         "repeat": {"count": [3, 1, 1], "spacing": [1, 0, 0]}}
    ]
}
`;

// Bodies come and go while it runs.
const changing = `{
    "impuls": 1,
    "settings": {"dt": ${dt}, "duration": 0.5},
    "bodies": [{"name": "a", "shape": {"type": "sphere", "radius": 0.2}}],
    "timeline": [
        {"time": 0.1, "type": "put", "bodies": [{"name": "late", "shape": {"type": "box"}, "position": [3, 0, 0]}]},
        {"time": 0.3, "type": "remove", "bodies": ["a"]}
    ]
}`;

// Matter that is no rigid body: a rope that hangs from one end beside a block of grains.
const loose = `{
    "impuls": 1,
    "settings": {"dt": ${dt}, "duration": 0.2},
    "materials": [{"name": "red", "color": [0.9, 0.1, 0.1]}],
    "bodies": [
        {"name": "floor", "kind": "static", "shape": {"type": "plane"}},
        {"name": "rope", "collides": false, "material": "red", "shape": {"type": "rope", "from": [-0.8, 1, 0], "to": [0.2, 1, 0], "pieces": 8, "radius": 0.03, "pins": [0]}}
    ],
    "grains": [{"name": "sand", "count": 20, "material": "red", "shape": {"type": "sphere", "radius": 0.05},
        "place": {"type": "block", "lower": [0.4, 0.3, -0.2], "upper": [0.9, 1, 0.3]}}]
}`;

const documentOf = (page) => page.evaluate(() => impulsStudio.scene.document);
const frames = (page) => page.evaluate(() => impulsStudio.frames);
const isRunning = (page) => page.evaluate(() => impulsStudio.status.running);
const height = async (page) => Number((await page.locator("[data-now]").innerText()).split(/\s+/).slice(-3)[0]);
const field = (page, path, axis) => page.locator(`[data-field="${path}"]`).getByRole("textbox").nth("xyz".indexOf(axis));

async function openFile(page, studio, name, text) {
    writeFileSync(join(studio.folder, name), text);
    const before = await page.evaluate(() => document.documentElement.dataset.drawnStructure ?? "");
    await page.evaluate(() => impulsStudio.dialog = "gallery");
    await page.locator("dialog").getByLabel("Search scenes").fill(name);
    await page.keyboard.press("Enter");
    await until(page, `document.documentElement.dataset.drawnStructure !== "${before}"`);
    await untilDrawn(page, 0);
}

async function typeInto(box, text) {
    await box.fill(text);
    await box.press("Enter");
}

// How many colours a picture of the view has: one, when nothing is drawn.
async function colours(page) {
    const picture = await page.locator("canvas").first().screenshot();
    return page.evaluate(async (bytes) => {
        const image = await createImageBitmap(new Blob([Uint8Array.from(atob(bytes), (c) => c.charCodeAt(0))], { type: "image/png" }));
        const canvas = new OffscreenCanvas(image.width, image.height);
        const context = canvas.getContext("2d");
        context.drawImage(image, 0, 0);
        return new Set(new Uint32Array(context.getImageData(0, 0, image.width, image.height).data.buffer)).size;
    }, picture.toString("base64"));
}

await runTests({
    async open({ page, studio }) {
        await openScene(page, "shapes");
        expect((await page.locator("[data-body]").count()) === 13, "all bodies are listed");
        expect((await colours(page)) > 200, "bodies are drawn");
        writeFileSync(join(studio.folder, "broken.json"), '{\n  "impuls": 1,\n  "bodies": [{"name": "a", "shape": {"type": "sphere", "radius": -1}}]\n}');
        await page.click("[data-do=open]");
        await page.getByLabel("Search scenes").fill("broken.json");
        await page.keyboard.press("Enter");
        await page.getByText("broken.json, line 3").waitFor();
        for (let k = 0; k < 2; ++k) await page.getByLabel("Close").last().click();
        await until(page, "document.querySelectorAll('dialog').length === 0");
        expect((await page.locator("[data-body]").count()) === 13, "what was open stays");
    },

    async run({ page, studio }) {
        await openFile(page, studio, "drop.json", fileText);
        await page.click("[data-body=ball]");
        await page.evaluate("impulsStudio.setSpeed(0.25)"); // far from its end however late the next key comes
        await page.keyboard.press("Space");
        await until(page, "impulsStudio.frames > 20");
        await page.keyboard.press("Space");
        await until(page, "!impulsStudio.status.running && impulsStudio.playing === ''");
        const count = await frames(page);
        await untilDrawn(page, count - 1);
        const t = (count - 1) * dt;
        expect(Math.abs((await height(page)) - (2 - (g * t * t) / 2)) < 1.1e-3, "the ball falls as it should");
        await page.keyboard.press("ArrowRight");
        await untilDrawn(page, count);
        expect((await frames(page)) === count + 1, "a step makes one frame");
        await page.getByLabel("Speed").selectOption("0");
        await page.click("[data-do=play]");
        await until(page, "impulsStudio.frames === 301 && !impulsStudio.status.running");
        expect(!(await isRunning(page)), "it pauses where the scene's duration ends");
    },

    async scrub({ page }) {
        const track = await page.locator("[data-do=scrub]").boundingBox();
        await page.mouse.move(track.x + track.width * 0.9, track.y + 15);
        await page.mouse.down();
        for (const share of [0.7, 0.31, 0.5]) await page.mouse.move(track.x + track.width * share, track.y + 15);
        await page.mouse.up();
        await untilDrawn(page, 150);
        expect(Math.abs((await height(page)) - (2 - (g * 2.25) / 2)) < 1.1e-3, "half way down the time");
        await page.keyboard.press("ArrowLeft");
        await untilDrawn(page, 149);
        await page.keyboard.press("Shift+Space");
        await untilDrawn(page, 0);
        await until(page, "impulsStudio.playing === ''");
        await page.keyboard.press("Space");
        await untilDrawn(page, 300);
        await until(page, "impulsStudio.playing === '' && !impulsStudio.status.running");
        await page.keyboard.press("Space");
        await until(page, "impulsStudio.status.running && impulsStudio.frames > 301");
        await page.keyboard.press("Space");
        await until(page, "!impulsStudio.status.running && impulsStudio.playing === ''");
        await page.evaluate("impulsStudio.seek(300)");
        await untilDrawn(page, 300);
        await page.keyboard.press("k");
        await until(page, "impulsStudio.frames === 301");
        await untilAnswered(page);
        await page.keyboard.press("Home");
        await untilDrawn(page, 0);
        expect((await frames(page)) === 301, "nothing of the recording is lost");
    },

    async select({ page }) {
        await untilStill(page);
        const place = await page.evaluate(() => impulsView.screenPlace(2));
        await page.mouse.click(place.x, place.y);
        await until(page, "document.documentElement.dataset.selected === 'row[1]'");
        expect((await page.locator("[data-body='row[1]'][aria-selected=true]").count()) === 1, "the list shows it");
        await page.getByLabel("Search", { exact: true }).fill("ball");
        expect((await page.locator("[data-body]").count()) === 1, "search leaves one");
        await page.click("[data-body=ball]");
        await until(page, "document.documentElement.dataset.selected === 'ball'");
        await page.getByLabel("Search", { exact: true }).fill("");
        await page.keyboard.press("Escape");
        await page.locator("[data-pane=free]").click({ position: { x: 60, y: 300 } });
        await until(page, "document.documentElement.dataset.selected === ''");
    },

    async move({ page }) {
        await page.click("[data-body=ball]");
        await page.keyboard.press("g");
        await dragHandle(page, 0, 30, -20);
        await until(page, "Array.isArray(impulsStudio.scene.document.bodies[0].position) && typeof impulsStudio.scene.document.bodies[0].position[1] === 'number'");
        const moved = (await documentOf(page)).bodies[0].position;
        expect(moved[0] > 0.01 && moved[1] > 2.01, `dragged to the right and up: ${moved}`);
        await typeInto(field(page, "bodies.0.position", "x"), "20 cm");
        await until(page, "impulsStudio.scene.document.bodies[0].position[0] === 0.2");
        await typeInto(field(page, "bodies.0.position", "y"), "2 * high");
        await until(page, "impulsStudio.scene.document.bodies[0].position[1] === '2 * high'");
        await untilDrawn(page, 0);
        expect(Math.abs((await height(page)) - 4) < 1e-6, "expressions are computed");
        await typeInto(field(page, "bodies.0.shape.radius", "x"), "-1");
        await page.locator("[role=alert]").first().waitFor();
        expect((await documentOf(page)).bodies[0].shape.radius === "r", "what is out of range changes nothing");
        await page.click("[data-body='row[0]']");
        expect((await page.locator(".note").innerText()).includes("generator"), "copies say what they are");
    },

    async undo({ page }) {
        for (let k = 0; k < 3; ++k) {
            const before = await page.evaluate(() => impulsStudio.scene.number);
            await page.keyboard.press("Control+z");
            await until(page, `impulsStudio.scene.number !== ${before}`);
        }
        await untilAnswered(page);
        expect(await page.locator("[data-do=undo]").isDisabled(), "all is undone");
        expect(JSON.stringify((await documentOf(page)).bodies[0].position) === '[0,"high",0]', "as it was written");
        await page.keyboard.press("Control+Shift+z");
        await until(page, "typeof impulsStudio.scene.document.bodies[0].position[1] === 'number'");
        await page.keyboard.press("Control+z");
        await until(page, "impulsStudio.scene.document.bodies[0].position[1] === 'high'");
    },

    async plot({ page }) {
        await page.click("[data-body=ball]");
        await page.click("[data-do=play]");
        await until(page, "impulsStudio.frames === 301 && !impulsStudio.status.running");
        await page.click("[data-plot-add='bodies.ball.speed']");
        await page.evaluate(() => impulsStudio.seek(60));
        await untilDrawn(page, 60);
        const shown = page.locator("[data-quantity='bodies.ball.speed'] b");
        await until(page, `Number(document.querySelector("[data-quantity='bodies.ball.speed'] b")?.textContent) > 5`);
        expect(Math.abs(Number(await shown.innerText()) - g * 0.6) < 1e-3, "speed is g t at the cursor");
        expect((await page.locator("[data-plot=Energy] canvas").count()) === 1, "energy is plotted by itself");
        const [download] = await Promise.all([page.waitForEvent("download"), page.click("[data-do=csv]")]);
        const rows = readFileSync(await download.path(), "utf8").trim().split("\n");
        expect(rows.length === 302, `one line a frame and a header: ${rows.length}`);
        const column = rows[0].split(",").indexOf("bodies.ball.speed [m/s]");
        expect(Math.abs(Number(rows[301].split(",")[column]) - 3 * g) < 1e-9, "the table has all digits");
    },

    async save({ page, studio }) {
        const own = join(studio.folder, "drop.json");
        await page.keyboard.press("Escape");
        await page.keyboard.press("Home");
        await untilDrawn(page, 0);
        await page.click("[data-body=ball]");
        await typeInto(field(page, "bodies.0.velocity", "x"), "1.5");
        await until(page, "impulsStudio.scene.changed === true");
        await page.keyboard.press("Control+s");
        await page.click("[data-do=save-now]");
        await until(page, "impulsStudio.scene.changed === false");
        const text = readFileSync(own, "utf8");
        for (const kept of ["// what falls", "// no two of these touch", '"8 * r"', '"repeat"', "1.5"]) expect(text.includes(kept), `the file still has ${kept}`);
        const other = join(studio.folder, "other.json");
        writeFileSync(other, "mine");
        await page.keyboard.press("Control+s");
        await page.locator("#path").fill("other.json");
        await page.click("[data-do=save-now]");
        await page.locator("[data-do=replace]").waitFor();
        expect(readFileSync(other, "utf8") === "mine", "nothing is replaced without asking");
        await page.click("[data-do=replace]");
        await until(page, "impulsStudio.dialog === ''");
        expect(readFileSync(other, "utf8") === text, "then it is");
        await page.keyboard.press("Control+s");
        await page.locator("#path").fill("../outside.json");
        await page.click("[data-do=save-now]");
        await page.locator("dialog [role=alert]").waitFor();
        expect(!existsSync(join(studio.folder, "..", "outside.json")), "nothing is written outside");
        await page.keyboard.press("Escape");
    },

    async cut({ page }) {
        await page.getByLabel("Speed").selectOption("0.25");
        await page.click("[data-do=play]");
        await until(page, "impulsStudio.frames > 35");
        await page.keyboard.press("Space");
        await until(page, "!impulsStudio.status.running");
        await page.evaluate(() => impulsStudio.seek(30));
        await untilDrawn(page, 30);
        await page.keyboard.press("k");
        await until(page, "impulsStudio.frames === 31");
        await untilAnswered(page);
        await page.keyboard.press("ArrowRight");
        await untilDrawn(page, 31);
        await page.click("[data-body=ball]");
        expect(Math.abs((await height(page)) - (2 - (g * 0.31 * 0.31) / 2)) < 1.1e-3, "it goes on as before");
    },

    async push({ page }) {
        await page.keyboard.press("g");
        await dragHandle(page, 0, -60, -40);
        await untilAnswered(page);
        const before = await drawn(page);
        await page.keyboard.press("ArrowRight");
        await untilDrawn(page, before + 1);
        const x = Number((await page.locator("[data-now]").innerText()).split(/\s+/).slice(-4)[0]);
        expect(x < 0.3, `the running world's ball was put aside: ${x}`);
        expect((await documentOf(page)).bodies[0].position[1] === "high", "the scene is as before");
    },

    // Ropes, cloth and grains are drawn where they are, can be picked, and are in the picture.
    async matter({ page, studio }) {
        await openFile(page, studio, "loose.json", loose);
        await untilStill(page);
        const drawnRed = async () => {
            const picture = await page.locator("[data-pane=free]").screenshot();
            return page.evaluate(async (bytes) => {
                const image = await createImageBitmap(new Blob([Uint8Array.from(atob(bytes), (c) => c.charCodeAt(0))], { type: "image/png" }));
                const canvas = new OffscreenCanvas(image.width, image.height);
                const context = canvas.getContext("2d");
                context.drawImage(image, 0, 0);
                const { data, width } = context.getImageData(0, 0, image.width, image.height);
                let [left, right] = [0, 0];
                for (let k = 0; k < data.length; k += 4) if (data[k] > 90 && data[k] > 2.5 * data[k + 1] && data[k] > 2.5 * data[k + 2]) (k / 4) % width < width / 2 ? ++left : ++right;
                return { left, right };
            }, picture.toString("base64"));
        };
        const before = await drawnRed();
        expect(before.left > 100 && before.right > 300, `a rope at the left, grains at the right: ${JSON.stringify(before)}`);
        await page.evaluate("impulsStudio.setSpeed(0), impulsStudio.play()");
        await until(page, "impulsStudio.frames === 21 && !impulsStudio.status.running");
        await untilDrawn(page, 20);
        await untilStill(page);
        // What is far from its pin has fallen g t^2 / 2: there it is found by the mouse, and nowhere higher.
        const find = (y) => page.evaluate((y) => impulsView.screenPoint([0, y, 0]), y);
        const low = await find(1 - (g * 0.2 * 0.2) / 2);
        await page.mouse.click(low.x, low.y);
        await until(page, "document.documentElement.dataset.selected === 'rope'");
        await page.keyboard.press("Escape");
        const high = await find(1);
        await page.mouse.click(high.x, high.y);
        expect((await page.evaluate("document.documentElement.dataset.selected")) !== "rope", "it is not where it was");
    },

    async change({ page, studio }) {
        await openFile(page, studio, "changing.json", changing);
        await page.getByLabel("Speed").selectOption("0");
        await page.click("[data-do=play]");
        await until(page, "impulsStudio.frames === 51 && !impulsStudio.status.running");
        for (const [frame, bodies] of [[50, "late"], [5, "a"], [20, "a,late"], [0, "a"], [40, "late"], [11, "a,late"]]) {
            await page.evaluate(`impulsStudio.seek(${frame})`);
            await untilDrawn(page, frame);
            const listed = await page.evaluate("impulsStudio.bodies.map((b) => b.name).join()");
            expect(listed === bodies && (await page.locator("[data-body]").count()) === bodies.split(",").length, `frame ${frame} has ${listed}`);
        }
    },
});
