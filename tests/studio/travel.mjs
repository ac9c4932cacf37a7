// travel.mjs PROGRAM PACKAGES SCENES: time, branches, looks, plots and films of the studio, in Chromium. T18, T23, T25 of
// spec/workbench.md, and what is left after kill -9.
import { execFileSync } from "node:child_process";
import { existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect, openPage, openScene, places, runTests, startStudio, until, untilAnswered, untilDrawn, untilStill } from "./support.mjs";

const impuls = join(dirname(places.program), "impuls");
const hasProgram = (name) => (process.env.PATH ?? "").split(":").some((folder) => existsSync(join(folder, name)));
const hashOf = (page) => page.evaluate(() => impulsStudio.status.hash);

async function runTo(page, seconds) {
    await page.evaluate(`impulsStudio.setSpeed(0), impulsStudio.pauseWhen = "time > ${seconds - 1e-9}"`);
    await page.evaluate("impulsStudio.seek(impulsStudio.frames - 1)");
    await page.evaluate("impulsStudio.play()");
    await until(page, `impulsStudio.status.time > ${seconds - 1e-6} && !impulsStudio.status.running`);
    await page.evaluate("impulsStudio.pauseWhen = '', impulsStudio.problem = null");
}
// Keeps the view's pixels in the page under a name, once nothing moves there and no words stand before it.
async function keep(page, name) {
    await page.evaluate("impulsStudio.notice = ''");
    await untilStill(page);
    const picture = await page.locator("[data-pane=free]").screenshot();
    return page.evaluate(async ([name, bytes]) => {
        const image = await createImageBitmap(new Blob([Uint8Array.from(atob(bytes), (c) => c.charCodeAt(0))], { type: "image/png" }));
        const canvas = new OffscreenCanvas(image.width, image.height);
        const context = canvas.getContext("2d");
        context.drawImage(image, 0, 0);
        (window.kept ??= {})[name] = context.getImageData(0, 0, image.width, image.height);
        return image.width * image.height;
    }, [name, picture.toString("base64")]);
}
// In how many pixels two of them differ, by colour: red, green, blue.
const differences = (page, a, b) =>
    page.evaluate(([a, b]) => {
        const counts = [0, 0, 0];
        const [p, q] = [window.kept[a].data, window.kept[b].data];
        for (let k = 0; k < p.length; ++k) if (k % 4 < 3 && Math.abs(p[k] - q[k]) > 24) ++counts[k % 4];
        return counts;
    }, [a, b]);

await runTests({
    // T25: the studio's world is that of the command line.
    async SpecWorkbench_T25_same_hash_as_headless({ page }) {
        await openScene(page, "box-stack");
        const duration = await page.evaluate("impulsStudio.status.duration");
        await runTo(page, duration);
        const headless = JSON.parse(execFileSync(impuls, ["run", join(places.scenes, "examples", "box-stack.json"), "--json"], { encoding: "utf8" }));
        expect((await hashOf(page)) === headless.state_hash, `${await hashOf(page)} is not ${headless.state_hash}`);
    },

    // T18: on from a sync point is the same run, to the last bit.
    async SpecWorkbench_T18_sync_point({ page }) {
        await openScene(page, "newtons-cradle");
        await runTo(page, 0.2);
        await page.keyboard.press("m");
        await until(page, "impulsStudio.branches.marks.length === 1");
        await runTo(page, 0.6);
        const hash = await hashOf(page);
        await page.click("[data-panel=time]");
        await page.click("[data-mark='0']");
        await untilDrawn(page, 200);
        await page.keyboard.press("k");
        await until(page, "impulsStudio.branches.list.length === 2 && impulsStudio.frames === 201");
        await untilAnswered(page);
        await runTo(page, 0.6);
        expect((await hashOf(page)) === hash, "the same state");
    },

    async cut_at_the_first_impact({ page }) {
        await page.click("[data-branch='0']");
        await until(page, "impulsStudio.branches.current === 0 && impulsStudio.isIdle && impulsStudio.happenings.length > 0");
        await page.click("[data-event=impact]");
        const at = await page.evaluate("impulsStudio.cursor");
        const time = await page.evaluate("impulsStudio.happenings[0].time");
        // A quarter of the period from 30 degrees, the amplitude's share 1 + a^2/16 + 11 a^4/3072 of it.
        const a = Math.PI / 6;
        const quarter = (Math.PI / 2) * Math.sqrt((1 + 0.4 * 0.01) / 9.81) * (1 + a ** 2 / 16 + (11 * a ** 4) / 3072);
        expect(Math.abs(time - quarter) < 0.003, `the first impact is at ${time}, not ${quarter}`);
        await untilDrawn(page, at);
        // A force from here on: the world goes on as a branch, and the old one is its ghost.
        await page.evaluate(() => impulsStudio.add({ forces: [{ name: "push", type: "constant", b: "balls[4]", anchor: [0.8, -1, 0], force: [30, 0, 0] }] }));
        await until(page, "impulsStudio.branches.list.length === 3 && impulsStudio.ghost === 0");
        await page.locator("[data-force=push]").waitFor();
        await runTo(page, 0.6);
        await page.locator("[data-ghosted='0']").waitFor();
        const [mine, old] = await page.evaluate(async () => {
            const x = async () => (await impulsStudio.series(["bodies.balls[4].position"], 600, 1)).columns[0].values[0];
            const mine = await x();
            await impulsStudio.goToBranch(0);
            return [mine, await x()];
        });
        expect(mine > old + 0.05, `the force shows: ${mine} against ${old}`);
        await page.evaluate("impulsStudio.dropBranch(2)");
        await until(page, "impulsStudio.branches.list.length === 2");
    },

    // A change in the middle is taken back by a branch without it, and done again: the same worlds, to the last bit.
    async undo_in_the_middle({ page }) {
        await page.evaluate("impulsStudio.goToBranch(0)");
        await page.evaluate("impulsStudio.rewind()");
        await until(page, "impulsStudio.frames === 1");
        await runTo(page, 0.06);
        const calm = await hashOf(page);
        await page.evaluate("impulsStudio.seek(30)");
        expect(await page.evaluate("impulsStudio.edit('Moon', [{ path: 'settings.gravity', value: [0, -1.6, 0] }])"), "it can be changed");
        await runTo(page, 0.06);
        const changed = await hashOf(page);
        expect(changed !== calm, "the change shows");
        const label = await page.locator("[data-do=undo]").getAttribute("title");
        expect(label.includes("Moon"), `undo says what: ${label}`);
        await page.keyboard.press("Control+z");
        await until(page, "impulsStudio.branches.list.length === 3 && impulsStudio.frames === 31 && impulsStudio.isIdle");
        await runTo(page, 0.06);
        expect((await hashOf(page)) === calm, "without it the world is as it was");
        await page.keyboard.press("Control+Shift+z");
        await until(page, "impulsStudio.branches.list.length === 4 && impulsStudio.frames === 32 && impulsStudio.isIdle");
        await runTo(page, 0.06);
        expect((await hashOf(page)) === changed, "with it again as it was with it");
    },

    async stop_and_jump({ page }) {
        await page.locator("[aria-label='Stop when']").fill("bodies.balls[4].velocity.x > 0.5");
        await page.locator("[aria-label='Stop when']").press("Enter");
        await page.evaluate("impulsStudio.goToBranch(1)");
        await until(page, "impulsStudio.branches.current === 1");
        await page.evaluate("impulsStudio.rewind()");
        await until(page, "impulsStudio.frames === 1");
        await page.click("[data-do=play]");
        await until(page, "!impulsStudio.status.running && impulsStudio.status.message.startsWith('It holds that')");
        await page.evaluate("impulsStudio.pauseWhen = ''");
        await untilDrawn(page, (await page.evaluate("impulsStudio.frames")) - 1);
        await until(page, "impulsStudio.happenings.length > 0");
        await page.keyboard.press("Home");
        await page.keyboard.press("]");
        await until(page, "impulsStudio.cursor === impulsStudio.happenings[0].frame");
        await page.click("[data-panel=profile]");
        await until(page, "Number(document.querySelector('[data-profile]')?.dataset.profile) === 7");
        await page.click("[data-panel=properties]");
    },

    async hand({ page }) {
        await page.evaluate("impulsStudio.open({ new: true })");
        await until(page, "impulsStudio.bodies.length === 1");
        await page.evaluate(() => impulsStudio.addBody({ name: "ball", shape: { type: "sphere", radius: 0.2 }, position: [0, 0.2, 0], material: "wood" }));
        await until(page, "impulsStudio.bodies.length === 2");
        await untilDrawn(page, 0);
        await untilStill(page);
        await page.evaluate("impulsStudio.setSpeed(1)");
        await page.keyboard.press("h");
        const at = await page.evaluate(() => impulsView.screenPlace(1));
        await page.mouse.move(at.x, at.y);
        await page.mouse.down();
        await page.mouse.move(at.x + 30, at.y - 120, { steps: 4 });
        await until(page, "impulsStudio.time > 0.4 && impulsStudio.poseOf(1).position[1] > 0.3");
        await page.mouse.up();
        await page.keyboard.press("Space");
        await until(page, "!impulsStudio.status.running");
        await page.keyboard.press("q");
    },

    // T23: each eye's picture is in its own colours, and they differ; beside each other they are two halves.
    async SpecWorkbench_T23_two_eyes({ page }) {
        await openScene(page, "shapes");
        const all = await keep(page, "plain");
        await page.keyboard.press("y");
        await until(page, "impulsStudio.stereo.mode !== 'off'");
        for (const [name, eyes] of [["both", 0.3], ["one", 1e-9]]) {
            await page.evaluate(`impulsStudio.setStereo({ mode: 'anaglyph', eyes: ${eyes} })`);
            await keep(page, name);
        }
        const ofOne = await differences(page, "one", "plain");
        expect(ofOne.every((n) => n < 0.01 * all), `one eye sees the plain picture, but for ${ofOne} of ${all} pixels`);
        const [red, , blue] = await differences(page, "both", "plain");
        expect(red > 400 && blue > 400, `both pictures are there: ${red}, ${blue}`);
        await page.evaluate("impulsStudio.setStereo({ mode: 'side-by-side', eyes: 1e-9 })");
        await keep(page, "beside");
        const same = await page.evaluate(() => {
            const { width, height, data } = window.kept.beside;
            const half = Math.floor(width / 2);
            let [count, equal] = [0, 0];
            for (let y = 150; y < height; ++y)
                for (let x = 60; x < half - 60; ++x, ++count) if (Math.abs(data[4 * (y * width + x)] - data[4 * (y * width + x + half)]) < 12) ++equal;
            return equal / count;
        });
        expect(same > 0.97, `the same eye twice is the same picture twice: ${same}`);
        await page.evaluate("impulsStudio.setStereo({ mode: 'off' })");
    },

    async looks({ page }) {
        await page.evaluate("impulsStudio.select(null), impulsStudio.setSpeed(0.5), impulsStudio.play()");
        await until(page, "impulsStudio.time > 0.31"); // the film below is of the first 0.3 s
        await page.keyboard.press("Space");
        await until(page, "!impulsStudio.status.running");
        await page.evaluate("impulsStudio.setColorBy('velocity')");
        await until(page, "impulsStudio.colorScale.max > 0.1");
        await page.locator("[data-legend=velocity]").waitFor();
        for (const column of ["island", "asleep", "stepper", "contact_force", ""]) {
            await page.evaluate(`impulsStudio.setColorBy('${column}')`);
            await untilStill(page);
        }
        for (const name of ["velocities", "trails", "centers", "boxes", "contacts"]) await page.evaluate(`impulsStudio.toggle('${name}')`);
        await until(page, "impulsStudio.columnNow('velocity') !== null");
        await untilStill(page);
        const speeds = await page.evaluate(() => Array.from(impulsStudio.columnNow("velocity").values));
        expect(speeds.some((v) => Math.abs(v) > 0.1), "velocities come along with frames");
        await page.keyboard.press("Control+k");
        await page.getByRole("textbox", { name: "Command" }).fill("wirefr");
        await page.keyboard.press("Enter");
        await until(page, "impulsStudio.style === 'wireframe'");
        await page.keyboard.press("z");
        await until(page, "impulsStudio.style === 'xray'");
        await page.evaluate("impulsStudio.setStyle('shaded')");
        await page.locator("[data-body]").nth(2).click();
        for (const mode of ["follow", "attached", "fly", "orbit"]) await page.evaluate(`impulsStudio.setCamera('${mode}')`);
        for (const name of ["velocities", "trails", "centers", "boxes", "contacts"]) await page.evaluate(`impulsStudio.toggle('${name}')`);
    },

    async plots({ page }) {
        const name = await page.evaluate(() => impulsStudio.selectedBody.name);
        await page.click(`[data-plot-add='bodies.${name}.position']`);
        await page.click(`[data-plot-add='bodies.${name}.velocity']`);
        await page.click("[data-do=statistics]");
        await page.locator(`[data-statistics='bodies.${name}.velocity.y']`).waitFor();
        expect((await page.locator("[data-plot]").count()) === 3, "one panel for each unit");
        await page.getByLabel("Along the axis").selectOption(`bodies.${name}.position.y`);
        await until(page, "document.querySelectorAll('[data-phase] canvas').length === 3");
        const [svg] = await Promise.all([page.waitForEvent("download"), page.click("[data-do=svg]")]);
        const text = readFileSync(await svg.path(), "utf8");
        expect(text.startsWith("<svg") && (text.match(/<path/g) ?? []).length === 9, "a line for each column");
        const [png] = await Promise.all([page.waitForEvent("download"), page.click("[data-do=png]")]);
        expect(readFileSync(await png.path()).subarray(1, 4).toString() === "PNG", "and a picture");
        await page.getByLabel("Along the axis").selectOption("");
    },

    // T22 by the studio: as many pictures as frames, and where ffmpeg is installed a film of as many that ffprobe reads.
    // Where it is not, the dialog says so.
    async SpecWorkbench_T22_films({ page, studio }) {
        await page.keyboard.press("Control+e");
        await page.locator("dialog").getByLabel("Size").selectOption("640x360");
        await page.locator("dialog").getByLabel("To", { exact: true }).fill("0.3");
        await page.locator("dialog").getByLabel("To", { exact: true }).press("Enter");
        await page.locator("dialog").getByLabel("Name").fill("short");
        const wanted = Math.floor(0.3 / (await page.evaluate("impulsStudio.status.dt")) / 3 + 1e-9) + 1;
        await page.click("[data-do=film-make]");
        if (hasProgram("ffmpeg") && hasProgram("ffprobe")) {
            await page.locator("[data-film=done]").waitFor();
            const film = join(studio.folder, "short.mp4");
            expect(existsSync(film) && statSync(film).size > 1000, "the film is there");
            const stream = JSON.parse(execFileSync("ffprobe", ["-v", "error", "-of", "json", "-show_streams", film], { encoding: "utf8" })).streams[0];
            expect(stream.codec_type === "video" && stream.width === 640, JSON.stringify(stream));
            expect(Math.abs(Number(stream.nb_frames) - wanted) <= 1, `${stream.nb_frames} pictures instead of ${wanted}`);
        } else {
            await page.locator("[data-film=failed]").waitFor();
            expect((await page.locator("[data-film=failed]").innerText()).includes("apt install ffmpeg"), "it says what is missing");
        }
        await page.click("[data-format=png]");
        await page.click("[data-do=film-make]");
        await until(page, "document.querySelector('[data-film=done]')?.textContent.includes('short')");
        const pictures = readdirSync(join(studio.folder, "short")).filter((name) => name.endsWith(".png"));
        expect(pictures.length === wanted, `${pictures.length} pictures instead of ${wanted}`);
        await page.click("[data-format=html]");
        await page.click("[data-do=film-make]");
        await until(page, "document.querySelector('[data-film=done]')?.textContent.includes('short.html')");
        expect(readFileSync(join(studio.folder, "short.html"), "utf8").includes("<html"), "a page");
        await page.click("[data-do=film-make]");
        await page.locator("[data-do=film-replace]").waitFor();
        await page.locator("dialog [aria-label=Close]").click();
    },

    async recordings_of_the_command_line({ page, studio }) {
        const file = join(studio.folder, "fall.impuls");
        execFileSync(impuls, ["run", join(places.scenes, "examples", "falling-ball.json"), "--until", "0.3", "--record", file]);
        await page.evaluate("impulsStudio.open({ path: 'fall.impuls' })");
        await until(page, "impulsStudio.isRecording && impulsStudio.frames > 10");
        await page.evaluate("impulsStudio.seek(impulsStudio.frames - 1)");
        await untilDrawn(page, (await page.evaluate("impulsStudio.frames")) - 1);
        await page.evaluate("impulsStudio.edit('x', [{ path: 'bodies.0.mass', value: 1 }])");
        await until(page, "impulsStudio.notice.includes('recording')");
    },

    // A second page watches until it takes over.
    async second_page({ page, studio }) {
        const second = await page.context().newPage();
        await second.goto(`http://127.0.0.1:${studio.port}/`);
        await until(second, "impulsStudio.hello !== null && impulsStudio.scene !== null");
        expect(!(await second.evaluate("impulsStudio.isOwner")), "it watches");
        await second.evaluate("impulsStudio.open({ new: true })");
        await until(second, "impulsStudio.problem !== null");
        await second.evaluate("impulsStudio.problem = null");
        await second.click("[data-do=control]");
        await until(second, "impulsStudio.isOwner");
        await until(page, "!impulsStudio.isOwner");
        await second.close();
        await until(page, "impulsStudio.isOwner");
    },

    async tour({ page }) {
        await page.evaluate("impulsStudio.tour = 0");
        for (let k = 0; k < 5; ++k) {
            // At one go, because the button goes away by itself when the step is done.
            await page.evaluate((k) => {
                window.act = () => {
                    const button = document.querySelector("[data-do=tour-act]:not([disabled])");
                    if (impulsStudio.tour === k) button?.click();
                    return impulsStudio.tour > k;
                };
            }, k);
            await until(page, "act()");
        }
        expect((await page.evaluate("impulsStudio.joints.length")) === 5, "the tour built the pendulum");
        await page.evaluate("impulsStudio.stop(), impulsStudio.tour = -1");
        await until(page, "!impulsStudio.status.running");
    },

    // Nothing is lost: scene, branch and recording are there up to the last second, and go on as they would have.
    async kill() {
        const studio = await startStudio();
        const first = await openPage(studio.address);
        await openScene(first.page, "box-stack");
        await first.page.evaluate(() => impulsStudio.edit("Mass", [{ path: "title", value: "Mine" }, { path: "settings.duration", value: 1000 }]));
        await runTo(first.page, 0.3);
        await first.page.evaluate("impulsStudio.seek(10)");
        await first.page.evaluate("impulsStudio.cutHere()");
        await until(first.page, "impulsStudio.branches.list.length === 2");
        await first.page.evaluate("impulsStudio.setSpeed(1), impulsStudio.play()");
        await until(first.page, "impulsStudio.frames > 40");
        // What is a second old is on the disk by the time of the next frame.
        const [frames, began] = await first.page.evaluate(() => [impulsStudio.frames, performance.now()]);
        await until(first.page, `performance.now() > ${began + 1000}`);
        const later = await first.page.evaluate("impulsStudio.frames");
        await until(first.page, `impulsStudio.frames > ${later + 1}`);
        const gone = new Promise((done) => studio.child.once("exit", done));
        studio.child.kill("SIGKILL");
        await gone;
        await first.browser.close();
        const again = await startStudio([], studio.folder);
        const second = await openPage(again.address);
        await until(second.page, "impulsStudio.scene !== null && impulsStudio.frames > 0");
        const state = await second.page.evaluate(() => ({ title: impulsStudio.scene.title, changed: impulsStudio.scene.changed, branches: impulsStudio.branches.list.length, frames: impulsStudio.frames }));
        expect(state.title === "Mine" && state.changed && state.branches === 2, JSON.stringify(state));
        expect(state.frames >= frames, `${state.frames} frames are there, a second before it were ${frames}`);
        const end = (await second.page.evaluate("impulsStudio.status.time")) + 0.2;
        await runTo(second.page, end);
        const hash = await hashOf(second.page);
        await second.page.evaluate("impulsStudio.rewind()");
        await until(second.page, "impulsStudio.frames === 1");
        await runTo(second.page, end);
        expect((await hashOf(second.page)) === hash, "it went on as if there had been no kill");
        await second.browser.close();
        await again.stop();
    },
});
