import { afterAll, beforeAll, expect, test } from "bun:test";
import { type TestDesk, testDesk } from "../../api/desk/testing/desk.ts";
import { chromiumPath, faultsOf, openBrowser, openPage } from "./browser.ts";

let desk: TestDesk;
beforeAll(async () => {
  desk = await testDesk();
}, 300_000);
afterAll(() => desk.close());

test.skipIf(chromiumPath() === undefined)(
  "the frame of the desk is sound in a browser (skipped without a Chromium)",
  async () => {
    const browser = await openBrowser();
    const { page, problems, close } = await openPage(browser, desk.site, { lang: "ar", theme: "dark", width: 360 });
    await page.goto(desk.site);
    expect([...(await faultsOf(page)), ...problems]).toEqual([]);
    await page.keyboard.press("/");
    expect(await page.evaluate("document.activeElement.name")).toBe("q");
    await close();
    await browser.close();
  },
  300_000,
);
