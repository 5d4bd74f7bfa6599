import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { type Browser, chromium, type Page } from "playwright-core";
import type { Language } from "../../api/desk/strings/mod.ts";
import type { DeskArchive } from "./archive.ts";

const PLACES = ["/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome"];

/** Returns where a Chromium is on this machine; undefined where there is none. */
export function chromiumPath(): string | undefined {
  return PLACES.find((path) => existsSync(path));
}

/** Opens the Chromium of this machine. */
export async function openBrowser(): Promise<Browser> {
  const executablePath = chromiumPath();
  if (executablePath === undefined) throw new Error(`no Chromium at ${PLACES.join(", ")}`);
  return await chromium.launch({ executablePath, args: ["--no-sandbox", "--disable-gpu"] });
}

/** Describes how a page is looked at; `scripts`: false in a browser that runs none. */
export type Look = { lang: Language; theme: "light" | "dark"; width: number; scripts?: boolean };

const HEIGHT = 900;

/** Sets how long a page may take for anything, in milliseconds: the machine may be busy. */
const WAIT_MS = 60_000;

/** A page in a browser, and what it did wrong until now: errors on the console, requests to other origins. */
type Watched = { page: Page; problems: string[]; close(): Promise<void> };

/** Opens a page of its own, in a language, with colours and a width. `url`: of the desk. */
export async function openPage(
  browser: Browser,
  url: string,
  { lang, theme, width, scripts = true }: Look,
): Promise<Watched> {
  const context = await browser.newContext({
    ...{ viewport: { width, height: HEIGHT }, colorScheme: theme, locale: lang, timezoneId: "Asia/Beirut" },
    ...{ reducedMotion: "reduce" as const, javaScriptEnabled: scripts },
  });
  context.setDefaultTimeout(WAIT_MS);
  const { origin } = new URL(url);
  await context.addCookies([
    { name: "isnad_lang", value: lang, url: origin },
    { name: "isnad_zone", value: encodeURIComponent("Asia/Beirut"), url: origin },
  ]);
  const page = await context.newPage();
  const problems: string[] = [];
  page.on("console", (message) => {
    if (message.type() === "error" || message.type() === "warning") problems.push(`console: ${message.text()}`);
  });
  page.on("pageerror", (error) => problems.push(`script: ${error.message}`));
  page.on("request", (request) => {
    if (!request.url().startsWith(origin) && !request.url().startsWith("data:"))
      problems.push(`foreign request: ${request.url()}`);
  });
  return { page, problems, close: () => context.close() };
}

/** Sums the layout shifts of a page until now; its limit. */
const LAYOUT_SHIFT = `new Promise((resolve) => {
  let sum = 0;
  new PerformanceObserver((list) => {
    for (const entry of list.getEntries()) sum += entry.value;
  }).observe({ type: "layout-shift", buffered: true });
  setTimeout(() => resolve(sum), 30);
})`;
const MAX_SHIFT = 0.02;

let axe: string | undefined;

/** Returns what is wrong with a page as it is shown: what axe finds, scrolling to the side, shifts, turned texts. */
export async function faultsOf(page: Page): Promise<string[]> {
  axe ??= await readFile(fileURLToPath(import.meta.resolve("axe-core/axe.min.js")), "utf8");
  await page.evaluate(axe);
  const found: string[] = await page.evaluate(
    `axe.run(document, { resultTypes: ["violations"] }).then(({ violations }) => violations.map(({ id, nodes }) =>
      "axe " + id + ": " + nodes.slice(0, 3).map(({ html, failureSummary }) => html.slice(0, 160) + " " + failureSummary).join(" | ")))`,
  );
  const overhang: number = await page.evaluate(
    "document.documentElement.scrollWidth - document.documentElement.clientWidth",
  );
  const shift = Number(await page.evaluate(LAYOUT_SHIFT));
  const turned: boolean = await page.evaluate("/[\\u202a-\\u202e\\u2067\\u2068]/.test(document.body.innerText)");
  return [
    ...found,
    ...(turned ? ["shows controls that turn the direction of texts"] : []),
    ...(overhang > 0 ? [`scrolls to the side by ${overhang} px`] : []),
    ...(shift > MAX_SHIFT ? [`what was shown shifts by ${shift.toFixed(3)}`] : []),
  ];
}

/** A page that is looked at: its path, or what is filled in there and sent, and what is shown then. */
export type DeskPage = string | { path: string; fill: Readonly<Record<string, string>>; submit: string; shows: string };

/** Returns the pages that are looked at, by the names of their pictures. */
export function pagesOf({ articles, stories, hostile }: DeskArchive): Record<string, DeskPage> {
  const article = (externalId: string) => `/articles/${articles.get(externalId)}`;
  return {
    today: "/",
    claims: "/claims?sort=newest",
    claim: "/claims/1",
    "claim-hostile": `/claims/${hostile.claim}`,
    "claim-preview": {
      ...{ path: `/claims/${hostile.claim}`, fill: { "#publisher": hostile.text, "#rating_text": hostile.text } },
      ...{ submit: "button[value=preview]", shows: "form pre" },
    },
    matched: {
      ...{ path: "/claims", fill: { "#match-text": "أبقى المصرف المركزي سعر الفائدة عند 4.75 في المئة" } },
      ...{ submit: "form[action='/claims/match'] button", shows: "main > .narrow" },
    },
    ask: `/ask?q=${encodeURIComponent("كم أبقى المصرف المركزي سعر الفائدة؟")}`,
    "ask-further": `/ask?${new URLSearchParams([
      ...[["q", "ومتى يدخل القرار حيز التنفيذ؟"] as [string, string]],
      ...[["asked", "كم أبقى المصرف المركزي سعر الفائدة؟"] as [string, string]],
      ...[["article", String(articles.get("ar-central-bank-rate"))] as [string, string]],
    ])}`,
    "ask-none": `/ask?q=${encodeURIComponent("What is the melting point of tungsten?")}`,
    analyse: "/analyse",
    analysed: {
      ...{ path: "/analyse", fill: { "#text": `${ANALYSED} ${hostile.text}` } },
      ...{ submit: "main form button", shows: ".words" },
    },
    sources: "/sources",
    source: "/sources/almarsa",
    "source-hostile": "/sources/hostile",
    state: "/state",
    search: "/search?q=%D8%A7%D9%84%D9%85%D9%8A%D9%86%D8%A7%D8%A1",
    "search-all": "/search",
    "search-grouped": "/search?q=port&group=story&mode=hybrid",
    "search-none": "/search?q=zzzqqqxx&source=almarsa&typos=off",
    "search-refused": "/search?q=port&from=never",
    searches: "/searches",
    article: article("ar-central-bank-rate"),
    "article-copied": article("sahlan-wire-museum-bronzes"),
    "article-hostile": article("hostile-1"),
    revisions: `${article("ar-central-bank-rate")}/revisions`,
    ...(stories[0] !== undefined && { story: `/stories/${stories[0]}` }),
    "not-found": "/articles/999999999",
  };
}

const ANALYSED =
  "أعلن وزير الخارجية المصري في القاهرة يوم الأحد أن جامعة الدول العربية ستعقد اجتماعًا طارئًا، وقال إن 12 دولة وافقت على الحضور.";
