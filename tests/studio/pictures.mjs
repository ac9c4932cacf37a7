// pictures.mjs PROGRAM PACKAGES SCENES OUT: the pictures of the documentation, drawn in full quality (by a processor that
// takes a while). Look at each before it is committed.
import { join } from "node:path";
import { openPage, openScene, startStudio, until, untilDrawn } from "./support.mjs";

const out = process.argv[5];
const studio = await startStudio();
const { browser, page } = await openPage(`${studio.address}#full`, { width: 1280, height: 800 });
await openScene(page, "dominoes");
await page.evaluate("impulsStudio.setSpeed(0)");
await page.evaluate("impulsStudio.play()");
await until(page, "impulsStudio.hasEnded && !impulsStudio.status.running");
await page.evaluate("impulsStudio.setSpeed(1)");
await page.click("[data-body='dominoes[9]']");
await page.click("[data-plot-add='bodies.dominoes[9].speed']");
await page.evaluate("impulsStudio.seek(260)");
await untilDrawn(page, 260);
await page.mouse.move(5, 5);
await new Promise((done) => setTimeout(done, 2500));
await page.screenshot({ path: join(out, "studio.png"), timeout: 60000 });
await browser.close();
await studio.stop();
