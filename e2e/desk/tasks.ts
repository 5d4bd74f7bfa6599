import type { Browser, Page } from "playwright-core";
import { openPage } from "./browser.ts";
import type { DeskArchive } from "./archive.ts";

/** A task of a fact-checker: what is done by keys alone, and what the page must then show. */
export type Task = {
  name: string;
  /** The path where it begins; `article:` and an external id for that article's page. */
  start: string;
  /** Says what is done otherwise: by a pointer, or in a browser that runs no scripts. */
  how?: "pointer" | "no scripts";
  run(keys: Keys, archive: DeskArchive): Promise<void>;
};

/** Presses keys, and counts them; letters of a text count each. */
export type Keys = {
  press(...keys: string[]): Promise<void>;
  type(text: string): Promise<void>;
  /** Moves the focus by Tab until it is on what a selector names. */
  tabTo(selector: string): Promise<void>;
  /** Waits until the address holds a text. */
  arrive(part: string): Promise<void>;
  /** Waits until the page shows what a selector names. */
  see(selector: string): Promise<void>;
  page: Page;
  count: number;
};

/** Presses of Tab until something counts as out of reach. */
const MAX_TABS = 60;

function keysOf(page: Page): Keys {
  const keys: Keys = {
    page,
    count: 0,
    async press(...names) {
      for (const name of names) {
        await page.keyboard.press(name);
        keys.count++;
      }
    },
    async type(text) {
      await page.keyboard.type(text);
      keys.count += Array.from(text).length;
    },
    async tabTo(selector) {
      const isThere = () =>
        page.evaluate(`document.activeElement !== null && document.activeElement.matches(${JSON.stringify(selector)})`);
      for (let tabs = 0; tabs < MAX_TABS; tabs++) {
        if ((await isThere()) === true) return;
        await keys.press("Tab");
      }
      throw new Error(`${selector} is not reached by ${MAX_TABS} presses of Tab`);
    },
    async arrive(part) {
      await page.waitForURL((url) => decodeURIComponent(url.href).includes(part));
    },
    async see(selector) {
      await page.waitForSelector(selector);
    },
  };
  return keys;
}

/** Says what a task took, and why it was not done. */
type Result = Pick<Task, "name" | "how"> & { keys: number; fault?: string };

/** Runs tasks, each on a page of its own. Returns the keys that each took, or why it failed. */
export async function runTasks(browser: Browser, archive: DeskArchive, tasks: readonly Task[]): Promise<Result[]> {
  const results: Result[] = [];
  for (const { name, start, how, run } of tasks) {
    const scripts = how !== "no scripts";
    const { page, close } = await openPage(browser, archive.url, { lang: "en", theme: "light", width: 1440, scripts });
    const keys = keysOf(page);
    try {
      const id = archive.articles.get(start.replace(/^article:/, ""));
      await page.goto(`${archive.url}${start.startsWith("article:") ? `/articles/${id}` : start}`);
      await run(keys, archive);
      results.push({ name, ...(how && { how }), keys: keys.count });
    } catch (error) {
      const fault = error instanceof Error ? (error.message.split("\n")[0] ?? "") : "";
      results.push({ name, ...(how && { how }), keys: keys.count, fault });
    }
    await close();
  }
  return results;
}
