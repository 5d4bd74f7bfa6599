import type { Task } from "./tasks.ts";

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
