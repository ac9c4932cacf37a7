// editor.mjs PROGRAM PACKAGES SCENES: scenes are built by the page's own controls, in Chromium: the five-ball pendulum from
// nothing, every shape, several things at once, links by picking, four views. T24 of spec/workbench.md is here.
import { dragHandle, expect, runTests, until, untilAnswered, untilDrawn, untilStill } from "./support.mjs";

const documentOf = (page) => page.evaluate(() => impulsStudio.scene.document);
const field = (page, path, axis) => page.locator(`[data-field="${path}"]`).getByRole("textbox").nth("xyz".indexOf(axis));
const numberOf = (page) => page.evaluate(() => impulsStudio.scene.number);

// Does something that changes the scene, and waits for the page to have it.
async function changing(page, act) {
    const before = await numberOf(page);
    await act();
    await until(page, `impulsStudio.scene.number !== ${before}`);
}
async function type(page, path, axis, text) {
    if ((await field(page, path, axis).inputValue()) === text) return; // as it is already
    await changing(page, async () => {
        await field(page, path, axis).fill(text);
        await field(page, path, axis).press("Enter");
    });
}
async function newScene(page) {
    await page.evaluate(() => (impulsStudio.dialog = "gallery"));
    await changing(page, () => page.locator("[data-do=new]").last().click());
}
async function add(page, kind, attribute = "data-add") {
    await page.click("[data-do=add]");
    await page.click(`[${attribute}=${kind}]`);
}
async function clickBody(page, index) {
    const place = await page.evaluate((k) => impulsView.screenPlace(k), index);
    await page.mouse.click(place.x, place.y);
}

await runTests({
    // Every step by menus, keys and fields; what comes out is checked in the world's state.
    async pendulum({ page }) {
        await page.click("[data-do=new]");
        await untilDrawn(page, 0);
        await page.keyboard.press("Escape");
        await type(page, "materials.1.restitution", "x", "1");
        await type(page, "materials.1.friction", "x", "0");
        await changing(page, async () => {
            await page.getByLabel("Method").fill("default+impacts=propagating");
            await page.getByLabel("Method").press("Enter");
        });
        await page.click("[data-body=ground]");
        await type(page, "bodies.0.position", "y", "-50 cm");
        await changing(page, () => add(page, "sphere"));
        await type(page, "bodies.1.shape.radius", "x", "10 cm");
        await type(page, "bodies.1.position", "y", "0");
        await page.keyboard.press("Escape");
        await untilDrawn(page, 0);
        await page.evaluate(() => impulsView.lookAlong("z"));
        await untilStill(page);
        await add(page, "hinge", "data-add-joint");
        await page.locator("[data-linking='0']").waitFor();
        const ball = await page.evaluate(() => impulsView.screenPlace(1));
        await page.mouse.click(ball.x + 200, ball.y - 190); // the world
        await page.locator("[data-linking='1']").waitFor();
        await changing(page, () => page.mouse.click(ball.x, ball.y));
        expect((await documentOf(page)).joints[0].b === "sphere", "the hinge holds the ball that was picked");
        await type(page, "joints.0.anchor", "x", "0");
        await type(page, "joints.0.anchor", "y", "1 m");
        await type(page, "joints.0.anchor", "z", "0");
        const axis = (await documentOf(page)).joints[0].axis;
        expect(JSON.stringify(axis) === "[0,0,1]", `the axis stands on the surface that was picked: ${axis}`);
        for (let k = 1; k < 5; ++k) {
            await page.locator("[data-body]").nth(1).click();
            await page.locator("[data-joint]").first().click({ modifiers: ["Control"] });
            await changing(page, () => page.keyboard.press("Control+d"));
            await page.locator("[data-body]").nth(1 + k).click();
            await type(page, `bodies.${1 + k}.position`, "x", `${20 * k} cm`);
            await page.locator("[data-joint]").nth(k).click();
            await type(page, `joints.${k}.anchor`, "x", `${0.2 * k}`);
        }
        await page.locator("[data-body]").nth(1).click();
        await type(page, "bodies.1.position", "x", "-1");
        await type(page, "bodies.1.position", "y", "1");
        await page.getByLabel("Speed").selectOption("0");
        await page.evaluate(() => (impulsStudio.pauseWhen = "time > 1.195"));
        await page.click("[data-do=play]");
        await until(page, "impulsStudio.status.time > 1.19 && !impulsStudio.status.running");
        const series = await page.evaluate(() => impulsStudio.series(["bodies.sphere.position", "bodies.sphere 2.position", "bodies.sphere 4.position", "bodies.sphere 5.position"], 0, 1));
        const highest = (name) => Math.max(...series.columns.find((c) => c.name === `${name}.position.y`).values.slice(60));
        expect(highest("bodies.sphere 5") > 0.98, `the last ball swings out: ${highest("bodies.sphere 5")}`);
        for (const name of ["bodies.sphere 2", "bodies.sphere 4"]) expect(highest(name) < 0.01, `${name} stays: ${highest(name)}`);
        await page.evaluate(() => (impulsStudio.pauseWhen = ""));
        await page.keyboard.press("Home");
        await untilDrawn(page, 0);
    },

    // T24: a session undone and done again is the same, to the last letter and the last bit.
    async SpecWorkbench_T24_undo_and_redo({ page }) {
        const end = JSON.stringify(await documentOf(page));
        await page.evaluate(() => impulsStudio.rewind());
        await until(page, "impulsStudio.frames === 1");
        const hash = await page.evaluate(() => impulsStudio.status.hash);
        await changing(page, () => page.keyboard.press("Control+z"));
        const count = await page.evaluate(async () => {
            let count = 1;
            for (; impulsStudio.scene.undo != null; ++count) await impulsStudio.undo();
            return count;
        });
        await untilAnswered(page);
        expect(await page.locator("[data-do=undo]").isDisabled(), "there is no more to undo");
        expect(count > 20, `every step could be undone: ${count}`);
        expect((await documentOf(page)).bodies.length === 1, "to the empty scene");
        await changing(page, () => page.keyboard.press("Control+Shift+z"));
        await page.evaluate(async () => {
            while (impulsStudio.scene.redo != null) await impulsStudio.redo();
        });
        expect(JSON.stringify(await documentOf(page)) === end, "the same scene");
        expect((await page.evaluate(() => impulsStudio.status.hash)) === hash, "the same world");
    },

    async SpecWorkbench_T24_four_views_agree({ page }) {
        await page.keyboard.press("4");
        await until(page, "document.querySelector('[data-pane=top]').getBoundingClientRect().width > 100");
        await untilStill(page);
        const views = [["front", 0, 1], ["right", 2, 1], ["top", 0, 2]];
        const places = await page.evaluate((all) => all.map(([name]) => [3, 5].map((k) => impulsView.screenPlace(k, name))), views);
        const positions = (await documentOf(page)).bodies.map((b) => b.position ?? [0, 0, 0]);
        // One scale for both directions: pixels per metre from the first view hold in the others.
        const scale = Math.abs(places[0][1].x - places[0][0].x) / (positions[5][0] - positions[3][0]);
        expect(Math.abs(Math.abs(places[2][1].x - places[2][0].x) - scale * (positions[5][0] - positions[3][0])) < 1, "top shows the same distance as front");
        expect(Math.abs(places[1][1].x - places[1][0].x) < 1, "seen from the right both lie in one line");
        const boxes = await page.evaluate(() => ["front", "right", "top"].map((n) => document.querySelector(`[data-pane=${n}]`).getBoundingClientRect().toJSON()));
        places.flat().forEach((p, k) => expect(p.x > boxes[k >> 1].left && p.x < boxes[k >> 1].right, "bodies are inside their views"));
        // The same point, picked in two views, is the same body.
        await page.mouse.click(places[0][0].x, places[0][0].y);
        await until(page, "document.documentElement.dataset.selected === 'sphere 3'");
        await page.keyboard.press("Escape");
        // A frame around the last three in the front view; planes have no place.
        const at = (k) => page.evaluate((n) => impulsView.screenPlace(n, "front"), k);
        const [from, to] = [await at(3), await at(5)];
        await page.mouse.move(from.x - 12, from.y - 30);
        await page.mouse.down();
        await page.mouse.move(to.x + 12, to.y + 30, { steps: 3 });
        await page.mouse.up();
        await until(page, "document.documentElement.dataset.selected === 'sphere 3|sphere 4|sphere 5'");
        await page.keyboard.press("4");
    },

    async several_at_once({ page }) {
        await until(page, "impulsStudio.details?.masses.length === 3");
        expect((await page.locator(".names strong").innerText()) === "3 selected", "the panel says how many");
        const x = page.locator("[data-field='bodies.3.position']").getByRole("textbox").first();
        expect((await x.getAttribute("placeholder")) === "mixed", "what differs is mixed");
        await page.getByRole("button", { name: "Mass", exact: true }).click();
        await type(page, "bodies.3.mass", "x", "2.5");
        expect((await documentOf(page)).bodies.filter((b) => b.mass === 2.5).length === 3, "a change goes to all of them");
        await changing(page, () => page.keyboard.press("Control+g"));
        const grouped = (await documentOf(page)).bodies;
        expect(grouped.length === 4 && grouped.at(-1).shape.parts.length === 3, "three become one");
        expect(Math.abs(grouped.at(-1).shape.parts[2].position[0] - 0.4) < 1e-9, "parts are where they were");
        await until(page, "impulsStudio.selectedBody?.shape.type === 'compound'");
        await changing(page, () => page.keyboard.press("Control+Shift+g"));
        expect((await documentOf(page)).bodies.length === 6, "and three again");
        for (let k = 0; k < 3; ++k) await changing(page, () => page.keyboard.press("Control+z"));
        await page.locator("[data-body]").nth(5).click();
        await page.keyboard.press("Control+c");
        await changing(page, () => page.keyboard.press("Control+v"));
        expect((await documentOf(page)).bodies.at(-1).name === "sphere 6", "a copy has a name of its own");
        await page.keyboard.press("Control+Shift+d");
        await changing(page, () => page.click("[data-do=make-array]"));
        expect((await page.evaluate(() => impulsStudio.bodies.length)) === 10, "an array of four");
        for (let k = 0; k < 2; ++k) await changing(page, () => page.keyboard.press("Control+z"));
    },

    // The menu is the schema's list: whatever is in it can be added and stands in the world.
    async every_shape({ page }) {
        await newScene(page);
        const shapes = await page.evaluate(() => impulsStudio.schema.definitions.shape.oneOf.map((m) => m.properties.type.const));
        expect(shapes.length >= 16, "all shapes are known");
        for (const shape of [...shapes, "fixed-point"]) {
            const before = await page.evaluate(() => impulsStudio.bodies.length);
            await changing(page, () => add(page, shape)).catch(async () => expect(false, `${shape}: ${await page.evaluate(() => impulsStudio.notice || impulsStudio.problem?.message)}`));
            const bodies = await page.evaluate(() => impulsStudio.bodies.map((b) => b.shape.type));
            expect(bodies.length === before + 1 && bodies.at(-1) === (shape === "fixed-point" ? "point" : shape), shape);
            // Hollow bodies take a while each time that a world is built.
            if (["mesh", "tube", "bowl", "funnel", "torus", "spur_gear", "cam"].includes(shape)) await changing(page, () => page.keyboard.press("Control+z"));
        }
        await page.locator("[data-body=box]").click();
        await until(page, "impulsStudio.massOf('box')?.mass > 0");
        const mass = await page.evaluate(() => impulsStudio.massOf("box"));
        expect(Math.abs(mass.mass - 700 / 8) < 1e-9 && Math.abs(mass.inertia[0] - mass.mass / 24) < 1e-9, "m a^2/6 of a cube");
    },

    async scale_and_snap({ page }) {
        await page.evaluate(() => impulsStudio.scaleBy([2, 1, 0.5]));
        await until(page, "impulsStudio.scene.document.bodies.find((b) => b.name === 'box').shape.size[0] === 1");
        const size = (await documentOf(page)).bodies.find((b) => b.name === "box").shape.size;
        expect(JSON.stringify(size) === "[1,0.5,0.25]", `axis by axis: ${size}`);
        await newScene(page);
        await changing(page, () => add(page, "box"));
        await untilDrawn(page, 0);
        await page.keyboard.press("x");
        await page.keyboard.press("g");
        await changing(page, () => dragHandle(page, 1, 83, -41));
        const moved = (await documentOf(page)).bodies[1].position;
        const steps = moved.map((v) => v / 0.05);
        expect(moved[0] !== 0 && steps.every((s) => Math.abs(s - Math.round(s)) < 1e-6), `on whole steps: ${moved}`);
        await page.keyboard.press("x");
        await page.keyboard.press("q");
    },

    async links_by_picking({ page }) {
        await newScene(page);
        await changing(page, () => add(page, "fixed-point"));
        await changing(page, () => add(page, "box"));
        await type(page, "bodies.2.position", "x", "1");
        await type(page, "bodies.2.mass", "x", "2");
        await page.keyboard.press("Escape");
        await untilDrawn(page, 0);
        await page.keyboard.press("f");
        await untilStill(page);
        await add(page, "spring", "data-add-force");
        await clickBody(page, 1);
        await page.locator("[data-linking='1']").waitFor();
        await changing(page, () => clickBody(page, 2));
        const spring = (await documentOf(page)).forces[0];
        expect(spring.a === "fixed point" && spring.b === "box" && spring.anchor_b[0] > 0.7, `a spring from body to body: ${JSON.stringify(spring)}`);
        await until(page, "document.documentElement.dataset.selected === 'spring'");
        await type(page, "forces.0.stiffness", "x", "200");
        await until(page, `Math.abs(Number(document.querySelector("[data-frequency]")?.dataset.frequency) - Math.sqrt(100) / (2 * Math.PI)) < 1e-9`);
        await add(page, "constant", "data-add-force");
        await changing(page, () => clickBody(page, 2));
        expect((await documentOf(page)).forces[1].force[1] > 0, "a force of its own");
        await page.click("[data-force=spring]");
        await changing(page, () => page.keyboard.press("Delete"));
        expect((await documentOf(page)).forces.length === 1, "and gone");
        // What the engine refuses is shown where it is, and nothing has changed.
        await page.locator("[data-body=box]").click();
        await field(page, "bodies.2.mass", "x").fill("-3");
        await field(page, "bodies.2.mass", "x").press("Enter");
        await page.locator("[data-field='bodies.2.mass'] + [role=alert]").waitFor();
        expect((await page.locator("[data-body=box].wrong").count()) === 1, "the list shows the offending object");
    },
});
