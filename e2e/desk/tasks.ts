import type { Browser, Page } from "playwright-core";
import { openPage } from "./browser.ts";
import type { DeskArchive } from "./archive.ts";

/** The tasks on the pages of reading. */
export const READING_TASKS: readonly Task[] = [
  {
    name: "find: search from any page",
    start: "/",
    async run(keys) {
      await keys.press("/");
      await keys.type("ميناء");
      await keys.press("Enter");
      await keys.arrive("q=ميناء");
      await keys.see(".entry mark");
    },
  },
  {
    name: "find: take a suggestion",
    start: "/search",
    async run(keys) {
      await keys.press("/");
      await keys.type("centr");
      await keys.see(".suggestions li");
      await keys.press("ArrowDown", "Enter");
      await keys.see(".entry");
    },
  },
  {
    name: "narrow: to one language",
    start: "/search?q=port",
    async run(keys) {
      await keys.press("f");
      await keys.tabTo("aside a[href*='lang=en']");
      await keys.press("Enter");
      await keys.arrive("lang=en");
    },
  },
  {
    name: "narrow: to a source",
    start: "/search?q=port",
    async run(keys) {
      await keys.press("f");
      await keys.tabTo("aside a[href*='source=almarsa']");
      await keys.press("Enter");
      await keys.arrive("source=almarsa");
    },
  },
  {
    name: "order: newest first",
    start: "/search?q=port",
    async run(keys) {
      await keys.tabTo("select[name=sort]");
      await keys.press("ArrowDown", "Shift+Tab", "Enter");
      await keys.arrive("sort=newest");
    },
  },
  {
    name: "understand: why this hit",
    start: "/search?q=port",
    async run(keys) {
      await keys.press("j");
      await keys.tabTo(".why summary");
      await keys.press("Enter");
      await keys.see(".why[open]");
    },
  },
  {
    name: "save: keep a search",
    start: "/search?q=port",
    async run(keys) {
      await keys.press("s", "Enter");
      await keys.arrive("/searches#search-");
    },
  },
  {
    name: "export: hits as a table",
    start: "/search?q=port",
    async run(keys) {
      await keys.press("f");
      await keys.tabTo("a[href*='format=csv']");
      const [file] = await Promise.all([keys.page.waitForEvent("download"), keys.press("Enter")]);
      if (file.suggestedFilename() !== "isnad-search.csv") throw new Error("the file has another name");
    },
  },
  {
    name: "read: the first hit",
    start: "/search?q=port",
    async run(keys) {
      await keys.press("j", "Enter");
      await keys.arrive("/articles/");
    },
  },
  {
    name: "mark: switch claims off",
    start: "article:ar-central-bank-rate",
    async run(keys) {
      await keys.tabTo("#show-claims");
      await keys.press("Space");
      await keys.see("#show-claims:not(:checked)");
    },
  },
  {
    name: "chain: open where it came from",
    start: "article:sahlan-wire-central-bank-rate",
    async run(keys) {
      await keys.tabTo(".chain a");
      await keys.press("Enter");
      await keys.see(".kind-origin");
    },
  },
  {
    name: "compare: revisions",
    start: "article:ar-central-bank-rate",
    async run(keys) {
      await keys.tabTo("a[href$='/revisions']");
      await keys.press("Enter");
      await keys.see("ins");
    },
  },
  {
    name: "story: from an article to its story",
    start: "article:ar-central-bank-rate",
    async run(keys) {
      await keys.tabTo("a[href^='/stories/']");
      await keys.press("Enter");
      await keys.see(".order");
    },
  },
  {
    name: "go: to the search by two keys",
    start: "/",
    async run(keys) {
      await keys.press("g", "s");
      await keys.arrive("/search");
    },
  },
  {
    name: "go: past the head of the page",
    start: "/",
    async run(keys) {
      await keys.press("Tab", "Enter", "Tab");
      const inMain = await keys.page.evaluate("document.activeElement.closest('main') !== null");
      if (inMain !== true) throw new Error("the focus is not in the content");
    },
  },
  {
    name: "read: in the other language",
    start: "/",
    async run(keys) {
      await keys.tabTo("a[hreflang]");
      await keys.press("Enter");
      await keys.see("html[lang=ar]");
    },
  },
  {
    name: "help: list the keys, and close the list",
    start: "/",
    async run(keys) {
      await keys.press("?");
      await keys.see("dialog[open]");
      await keys.press("Escape");
      await keys.page.waitForFunction("document.querySelector('dialog[open]') === null");
    },
  },
];

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
