/**
 * `bun run desk:check [--url URL] [--page NAME] [--out FOLDER]`: looks at every page of the desk in a real Chromium, in
 * both languages, at three widths, light and dark: what axe finds, errors on the console, requests to other origins,
 * scrolling to the side. Pictures go to `--out`, that of the README to docs. Exit code 1 where a page is not sound, 0
 * with a line that says so where there is no Chromium.
 */
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { chromiumPath, faultsOf, type Look, openBrowser, openPage } from "../../api/desk/testing/browser.ts";
import { openDeskArchive } from "./archive.ts";
import { pagesOf } from "./pages.ts";

const WIDTHS = [360, 768, 1440];

const LOOKS: readonly Look[] = (["ar", "en"] as const).flatMap((lang) =>
  WIDTHS.flatMap((width) => (["light", "dark"] as const).map((theme) => ({ lang, width, theme }))),
);

const { values } = parseArgs({
  options: { url: { type: "string" }, page: { type: "string" }, out: { type: "string" }, path: { type: "string" } },
});
const say = (line: string) => process.stdout.write(`${line}\n`);
process.exitCode = chromiumPath() === undefined ? skip() : await check();

function skip(): number {
  say("skipped: there is no Chromium on this machine");
  return 0;
}

async function check(): Promise<number> {
  const archive = values.url === undefined ? await openDeskArchive(say) : undefined;
  const url = values.url ?? archive?.url ?? "";
  const pages: Record<string, string> =
    values.path !== undefined ? { page: values.path } : archive !== undefined ? pagesOf(archive) : { today: "/" };
  const browser = await openBrowser();
  let faults = 0;
  let looks = 0;
  try {
    for (const [name, path] of Object.entries(pages)) {
      if (values.page !== undefined && values.page !== name) continue;
      for (const look of LOOKS) {
        const { page, problems, close } = await openPage(browser, url, look);
        const response = await page.goto(`${url}${path}`, { waitUntil: "networkidle" });
        const isMissing = name === "not-found";
        const found = [...(await faultsOf(page)), ...problems.filter((each) => !isMissing || !each.includes("404"))];
        if ((response?.status() ?? 0) >= 400 && !isMissing) found.push(`status ${response?.status()}`);
        const shot = `${name}-${look.lang}-${look.width}-${look.theme}`;
        if (values.out !== undefined) {
          mkdirSync(values.out, { recursive: true });
          await page.screenshot({ path: join(values.out, `${shot}.png`), fullPage: true });
        }
        await close();
        looks++;
        faults += found.length;
        for (const fault of found) say(`${shot}: ${fault}`);
      }
    }
  } finally {
    await browser.close();
    await archive?.stop();
  }
  say(`${looks} looks, ${faults} faults`);
  return faults === 0 ? 0 : 1;
}
