// pictures.mjs PROGRAM PACKAGES SCENES OUT: the pictures of docs/studio.md, drawn in full quality (by a processor that takes
// a while) and reduced to 256 colours by ffmpeg. Look at each before it is committed. docs/make_pictures calls this.
import { execFileSync } from "node:child_process";
import { rmSync } from "node:fs";
import { join } from "node:path";
import { openPage, openScene, startStudio, until, untilDrawn } from "./support.mjs";

const [out, ...wanted] = process.argv.slice(5);
const studio = await startStudio();
const wait = (ms) => new Promise((done) => setTimeout(done, ms));

async function shoot(page, name) {
    await page.mouse.move(720, 3);
    await wait(2500);
    const raw = join(studio.folder, "raw.png");
    await page.screenshot({ path: raw, timeout: 90000 });
    execFileSync("ffmpeg", ["-v", "error", "-y", "-i", raw, "-vf", "split[a][b];[a]palettegen=max_colors=200:stats_mode=full[p];[b][p]paletteuse=dither=none", join(out, `studio-${name}.png`)]);
    rmSync(raw);
    console.log(name);
}
// Without being watched: drawing takes much longer than the run.
async function run(page, seconds) {
    await page.evaluate(`impulsStudio.connection.ask("run", { on: true, speed: 0, until: ${seconds} })`);
    await until(page, `impulsStudio.status.time > ${seconds} - 0.6 * impulsStudio.status.dt && !impulsStudio.status.running`);
}
// As the page is when it opens.
async function calm(page) {
    await page.evaluate(() => {
        const s = impulsStudio;
        s.dialog = s.notice = "";
        s.panel = "properties";
        s.select(null);
        s.setTool("select");
        s.setGhost(-1);
        s.setStereo({ mode: "off" });
        s.setColorBy("");
        if (s.overlays.contacts) s.toggle("contacts");
        if (s.layout === "four") s.setLayout("single");
        s.setTheme("dark");
    });
}
async function at(page, seconds) {
    const frame = await page.evaluate(`Math.round(${seconds} / impulsStudio.status.dt)`);
    await page.evaluate(`impulsStudio.seek(${frame})`);
    await untilDrawn(page, frame);
}

const pictures = {
    async gallery(page) {
        await wait(4000);
    },
    async editor(page) {
        await openScene(page, "suspension");
        await page.click("[data-body=car]");
        await page.keyboard.press("g");
    },
    async "four-views"(page) {
        await openScene(page, "sprung-vehicle");
        await page.evaluate("impulsStudio.setLayout('four')");
        await page.click("[data-body=chassis]");
        await page.keyboard.press("g");
    },
    async animation(page) {
        await openScene(page, "dominoes");
        await run(page, 3);
        await page.evaluate("impulsStudio.toggle('contacts')");
        await page.click("[data-panel=time]");
        await at(page, 2.3);
    },
    async branches(page) {
        await openScene(page, "newtons-cradle");
        await run(page, 0.7);
        await page.click("[data-panel=time]");
        await until(page, "impulsStudio.happenings.length > 0");
        await page.click("[data-event=impact]");
        await untilDrawn(page, await page.evaluate("impulsStudio.cursor"));
        await page.keyboard.press("m");
        await page.evaluate(() => impulsStudio.add({ forces: [{ name: "push", type: "constant", b: "balls[4]", anchor: [0.8, -1, 0], force: [12, 0, 0] }] }));
        await until(page, "impulsStudio.branches.list.length === 2");
        await run(page, 0.7);
        await at(page, 0.69);
        await page.evaluate("impulsStudio.select(null), impulsStudio.notice = ''");
    },
    async film(page) {
        await openScene(page, "can-throwing");
        await run(page, 1);
        await at(page, 0.7);
        await page.evaluate("impulsStudio.dialog = 'film'");
        await page.click("[data-format=mp4]");
    },
    async anaglyph(page) {
        await openScene(page, "shapes");
        await page.evaluate("impulsStudio.setStereo({ mode: 'anaglyph' })");
    },
    async light(page) {
        await page.evaluate("impulsStudio.setTheme('light')");
        await openScene(page, "billiards");
        await run(page, 0.6);
        await at(page, 0.4);
    },
    async narrow(page) {
        await page.setViewportSize({ width: 680, height: 860 });
        await openScene(page, "dominoes");
        await run(page, 2);
        await at(page, 1.5);
    },
    async plots(page) {
        await page.setViewportSize({ width: 1360, height: 850 });
        await openScene(page, "sprung-vehicle");
        await run(page, 3);
        await page.click("[data-body=chassis]");
        await page.click("[data-plot-add='bodies.chassis.speed']");
        await page.click("[data-do=statistics]");
        await page.evaluate("impulsStudio.setColorBy('contact_force')");
        await at(page, 2);
        await page.evaluate("impulsView.frameSelected()");
    },
};

const { browser, page } = await openPage(`${studio.address}#full`, { width: 1360, height: 850 });
for (const [name, prepare] of Object.entries(pictures)) {
    if (wanted.length > 0 && !wanted.includes(name)) continue;
    await calm(page);
    await prepare(page);
    await shoot(page, name);
}
await browser.close();
await studio.stop();
