import { afterAll, beforeAll, expect, test } from "bun:test";
import type { Browser } from "playwright-core";
import { type TestDesk, testDesk } from "../../api/desk/testing/desk.ts";
import { chromiumPath, faultsOf, openBrowser, openPage } from "./browser.ts";

/** The edge worker: it says the first word of an answer, and the rest when the test has seen that. */
let edge: ReturnType<typeof Bun.serve>;
let seen = Promise.withResolvers<void>();
let desk: TestDesk;
let browser: Browser | undefined;
beforeAll(async () => {
  edge = Bun.serve({
    port: 0,
    fetch: (request) =>
      request.method === "POST"
        ? new Response(answer, { headers: { "content-type": "text/event-stream" } })
        : Response.json({ status: "ok" }),
  });
  desk = await testDesk({ EDGE_URL: `http://127.0.0.1:${edge.port}` });
  if (chromiumPath() !== undefined) browser = await openBrowser();
}, 300_000);
afterAll(async () => {
  await browser?.close();
  await desk.close();
  await edge.stop(true);
});

const event = (name: string, data: unknown) => `event: ${name}\ndata: ${JSON.stringify(data)}\n\n`;

async function* answer() {
  yield event("meta", { request_id: "r", model: "m", sources: [] });
  yield event("delta", { text: "Yes" });
  await seen.promise;
  yield event("delta", { text: ", in 1994." });
  yield event("done", { finish_reason: "stop", usage: null, citations: [] });
}

const inBrowser = (name: string, run: (browser: Browser) => Promise<void>) =>
  test.skipIf(chromiumPath() === undefined)(
    `${name} (skipped without a Chromium)`,
    async () => {
      if (browser !== undefined) await run(browser);
    },
    300_000,
  );

inBrowser("the frame of the desk is sound in a browser", async (browser) => {
  const { page, problems, close } = await openPage(browser, desk.site, { lang: "ar", theme: "dark", width: 360 });
  await page.goto(desk.site);
  expect([...(await faultsOf(page)), ...problems]).toEqual([]);
  await page.keyboard.press("/");
  expect(await page.evaluate("document.activeElement.name")).toBe("q");
  await close();
});

inBrowser("an answer is shown as its words come, and goes below the next question", async (browser) => {
  const { page, problems, close } = await openPage(browser, desk.site, { lang: "en", theme: "light", width: 768 });
  await page.goto(`${desk.site}/ask?story=4`);
  await page.fill("#question", "Is it open?");
  await page.keyboard.press("Enter");
  await page.waitForSelector("#answer p:text-is('Yes')");
  expect(await page.locator(".answer").count()).toBe(0);
  seen.resolve();
  await page.waitForSelector("#answer .answer p:text-is('Yes, in 1994.')");
  expect(new URL(page.url()).search).toBe("?q=Is+it+open%3F&story=4");
  seen = Promise.withResolvers();
  await page.fill("#question", "Since when?");
  await page.keyboard.press("Enter");
  await page.waitForSelector("#earlier .answer p:text-is('Yes, in 1994.')");
  expect(new URL(page.url()).searchParams.getAll("asked")).toEqual(["Is it open?"]);
  seen.resolve();
  await page.waitForSelector("#answer .answer");
  expect(problems).toEqual([]);
  await close();
});

inBrowser("a page is read without scripts", async (browser) => {
  const look = { lang: "en", theme: "light", width: 768, scripts: false } as const;
  const { page, close } = await openPage(browser, desk.site, look);
  await page.goto(`${desk.site}/ask?q=x`);
  await page.waitForSelector("#answer .answer");
  await close();
});
