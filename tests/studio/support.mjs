// What the browser tests share: a studio of their own on a free port, a page in Chromium, and waiting: for what the page
// says it has drawn (data-drawn), for a view at rest, for answers. Nothing waits for a time, because a busy machine has no
// clock. IMPULS_WAIT: ms until what is waited for is given up; IMPULS_THROTTLE: how many times slower the page is made.
import { spawn } from "node:child_process";
import { createRequire } from "node:module";
import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

const [program, packages, scenes] = process.argv.slice(2);
const { chromium } = createRequire(join(packages, "package.json"))("playwright-core");

export const places = { program, scenes };

export const kWait = Number(process.env.IMPULS_WAIT) || 120_000; // ms, for what must come

export class Check extends Error {}

export function expect(fine, what) {
    if (!fine) throw new Check(what);
}

// Starts the program in an empty folder, or in a given one; resolves when it has printed its address.
export function startStudio(args = [], given = "") {
    const folder = given || mkdtempSync(join(tmpdir(), "impuls-studio-test-"));
    if (!given) mkdirSync(join(folder, "below"));
    const child = spawn(program, ["--no-open", "--folder", folder, ...args], { stdio: ["ignore", "pipe", "inherit"] });
    process.once("exit", () => child.kill());
    return new Promise((resolve, reject) => {
        let text = "";
        child.stdout.on("data", (bytes) => {
            text += bytes;
            const address = /http:\/\/\S+/.exec(text)?.[0];
            if (!address) return;
            const stop = async () => {
                const gone = new Promise((done) => child.once("exit", done));
                child.kill("SIGTERM");
                await gone;
                rmSync(folder, { recursive: true, force: true });
            };
            resolve({ address, port: Number(new URL(address).port), folder, child, stop });
        });
        child.once("exit", (code) => reject(new Error(`the studio ended with ${code}`)));
    });
}

export async function openPage(address, { width = 1280, height = 800, theme = "dark" } = {}) {
    const browser = await chromium.launch({ executablePath: "/usr/bin/chromium", args: ["--no-sandbox"], timeout: kWait });
    const context = await browser.newContext({ viewport: { width, height }, colorScheme: theme });
    const page = await context.newPage();
    page.setDefaultTimeout(kWait);
    const complaints = [];
    page.on("pageerror", (error) => complaints.push(String(error)));
    page.on("console", (message) => {
        if (message.type() === "error") complaints.push(message.text());
    });
    const rate = Number(process.env.IMPULS_THROTTLE) || 1;
    if (rate > 1) await (await context.newCDPSession(page)).send("Emulation.setCPUThrottlingRate", { rate });
    await page.goto(address);
    await page.waitForSelector("html[data-connected]");
    return { browser, page, complaints };
}

// Asks again and again until the expression is true: the page's policy allows no code that is made in it, so
// Playwright's own waiting cannot be used.
export async function until(page, expression) {
    for (const end = Date.now() + kWait; ; ) {
        if (await page.evaluate(expression)) return;
        if (Date.now() > end) throw new Check(`waited in vain for ${expression}`);
        await new Promise((done) => setTimeout(done, 30));
    }
}

// No camera moves any more, and all changes are on the screen.
export async function untilStill(page) {
    const twoPictures = () => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => done(true))));
    await page.evaluate(twoPictures);
    await until(page, "impulsView.isStill");
}

// The server has answered everything that the page asked.
export const untilAnswered = (page) => until(page, "impulsStudio.isIdle");

// Drags a body by the tool's handle that is at its place.
export async function dragHandle(page, body, right, down) {
    await untilStill(page);
    const from = await page.evaluate((k) => impulsView.screenPlace(k), body);
    await page.mouse.move(from.x, from.y);
    await until(page, "impulsView.isOnHandle");
    await page.mouse.down();
    await page.mouse.move(from.x + right, from.y + down, { steps: 5 });
    await page.mouse.up();
}

// The page has drawn this frame of the structure it now has.
export function untilDrawn(page, index) {
    return until(page, `Number(document.documentElement.dataset.drawn) === ${index} && document.documentElement.dataset.drawnStructure === String(impulsStudio.scene.number)`);
}

export const drawn = (page) => page.evaluate(() => Number(document.documentElement.dataset.drawn ?? -1));

export async function openScene(page, scene) {
    const before = await page.evaluate(() => document.documentElement.dataset.drawnStructure ?? "");
    if ((await page.locator("dialog").count()) === 0 && (await page.locator(".welcome").count()) === 0) await page.click("[data-do=open]");
    await page.getByLabel("Search scenes").fill(scene);
    await page.click(`[data-scene="examples/${scene}.json"]`);
    await until(page, `(document.documentElement.dataset.drawnStructure ?? "") !== "${before}"`);
    await untilDrawn(page, 0);
}

// Runs the tests one after the other in one page; says what failed, and in what it took part.
export async function runTests(tests) {
    const studio = await startStudio();
    const { browser, page, complaints } = await openPage(studio.address);
    let failed = 0;
    for (const [name, test] of Object.entries(tests)) {
        const began = Date.now();
        try {
            await test({ page, studio });
            expect(complaints.length === 0, `the page complained: ${complaints.join(" | ")}`);
            console.log(`ok      ${name} (${Date.now() - began} ms)`);
        } catch (error) {
            ++failed;
            complaints.length = 0;
            console.log(`FAILED  ${name}: ${error.stack}`);
            if (process.env.IMPULS_SHOTS) await page.screenshot({ path: join(process.env.IMPULS_SHOTS, `${name}.png`) });
        }
    }
    await browser.close();
    await studio.stop();
    process.exitCode = failed > 0 ? 1 : 0;
}

