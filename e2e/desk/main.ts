/**
 * `bun run desk:check [--few] [--look NAME] [--url URL --path PATH] [--page NAME] [--out FOLDER] [--readme]`: looks at
 * every page of the desk in a real Chromium, in both languages, at three widths, light and dark (`--few`: two of these;
 * `--look`: those whose names hold it, as `ar-768`): what axe finds, errors on the console, requests to other origins,
 * scrolling to the side, shifts of what was shown. Then goes through tasks by keys alone, and counts them, and others
 * by a pointer and without scripts. Pictures go to `--out`; `--readme` makes that of the README anew. Exit code 1 where
 * something is not sound, 0 with a line that says so where there is no Chromium.
 */
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import type { Browser, Page } from "playwright-core";
import { chromiumPath, type DeskPage, faultsOf, type Look, openBrowser, openPage, pagesOf } from "./browser.ts";
import { type DeskArchive, openDeskArchive } from "./archive.ts";
import { CHECKING_TASKS, OTHER_TASKS } from "./checking-tasks.ts";
import { READING_TASKS, runTasks } from "./tasks.ts";

const WIDTHS = [360, 768, 1440];
const FEW: readonly Look[] = [
  { lang: "ar", width: 360, theme: "dark" },
  { lang: "en", width: 1440, theme: "light" },
];
const ALL: readonly Look[] = (["ar", "en"] as const).flatMap((lang) =>
  WIDTHS.flatMap((width) => (["light", "dark"] as const).map((theme) => ({ lang, width, theme }))),
);

/** Pages whose pictures are taken as they are printed, too. */
const PRINTED = ["article-copied", "story", "claim", "today", "revisions"];

/** The picture of the README, and how the page is looked at for it. */
const README_PICTURE = fileURLToPath(new URL("../../docs/desk.png", import.meta.url).href);
const README_LOOK: Look = { lang: "en", theme: "light", width: 1120 };

const { values } = parseArgs({
  options: {
    url: { type: "string" },
    path: { type: "string" },
    page: { type: "string" },
    out: { type: "string" },
    readme: { type: "boolean" },
    few: { type: "boolean" },
    look: { type: "string" },
  },
});
const say = (line: string) => process.stdout.write(`${line}\n`);
process.exitCode = chromiumPath() === undefined ? skip() : await check();

function nameOf({ lang, width, theme }: Look): string {
  return `${lang}-${width}-${theme}`;
}

function skip(): number {
  say("skipped: there is no Chromium on this machine");
  return 0;
}

async function check(): Promise<number> {
  const archive = values.url === undefined ? await openDeskArchive(say) : undefined;
  const url = values.url ?? archive?.url ?? "";
  const all: Record<string, DeskPage> = archive === undefined ? { page: values.path ?? "/" } : pagesOf(archive);
  const pages = Object.entries(all).filter(([name]) => values.page === undefined || values.page === name);
  const browser = await openBrowser();
  let faults = 0;
  const looks = (values.few === true ? FEW : ALL).filter((look) => nameOf(look).includes(values.look ?? ""));
  try {
    for (const look of looks) faults += await lookAt(browser, url, look, pages);
    say(`${looks.length * pages.length} looks, ${faults} faults`);
    if (archive !== undefined && values.page === undefined) {
      faults += await tryTasks(browser, archive);
    }
    if (values.readme === true && archive !== undefined) {
      const { page, close } = await openPage(browser, url, README_LOOK);
      await show(page, url, all["article-copied"] ?? "/");
      await page.screenshot({ path: README_PICTURE });
      await close();
    }
  } finally {
    await browser.close();
    await archive?.stop();
  }
  return faults === 0 ? 0 : 1;
}

/** Goes through the tasks, and says how many keys each took. Returns how many could not be done. */
async function tryTasks(browser: Browser, archive: DeskArchive): Promise<number> {
  const results = await runTasks(browser, archive, [...READING_TASKS, ...CHECKING_TASKS, ...OTHER_TASKS]);
  for (const { name, how, keys, fault = "" } of results)
    say(`${name.padEnd(48)}${how === undefined ? `${String(keys).padStart(4)} keys` : how.padStart(12)} ${fault}`);
  const failed = results.filter(({ fault }) => fault !== undefined).length;
  const byKeys = results.filter(({ how }) => how === undefined).length;
  say(`${byKeys} tasks by keys alone, ${results.length - byKeys} by a pointer or without scripts; ${failed} not done`);
  return failed;
}

/** Takes the picture of a page as it is printed. */
async function print(page: Page, path: string): Promise<void> {
  await page.emulateMedia({ media: "print" });
  await page.screenshot({ path, fullPage: true });
  await page.emulateMedia({ media: "screen" });
}

/** Opens a page, and sends its form where one is to be filled in. */
async function show(page: Page, url: string, at: DeskPage) {
  const response = await page.goto(`${url}${typeof at === "string" ? at : at.path}`, { waitUntil: "load" });
  if (typeof at === "string") return response;
  for (const [field, text] of Object.entries(at.fill)) await page.fill(field, text);
  await page.click(at.submit);
  await page.waitForSelector(at.shows);
  return response;
}

/** Looks at pages, one after the other, and says what is wrong with each. Returns how much. */
async function lookAt(
  browser: Browser,
  url: string,
  look: Look,
  pages: readonly (readonly [string, DeskPage])[],
): Promise<number> {
  let faults = 0;
  const { page, problems, close } = await openPage(browser, url, look);
  for (const [name, at] of pages) {
    problems.length = 0;
    const response = await show(page, url, at);
    const isMissing = name === "not-found";
    const found = [...(await faultsOf(page)), ...problems.filter((each) => !isMissing || !each.includes("404"))];
    if ((response?.status() ?? 0) >= 400 && !isMissing) found.push(`status ${response?.status()}`);
    const shot = `${name}-${nameOf(look)}`;
    if (values.out !== undefined) {
      mkdirSync(values.out, { recursive: true });
      await page.screenshot({ path: join(values.out, `${shot}.png`), fullPage: true });
      if (PRINTED.includes(name)) await print(page, join(values.out, `${shot}-printed.png`));
    }
    for (const fault of found) say(`${shot}: ${fault}`);
    faults += found.length;
  }
  await close();
  return faults;
}
