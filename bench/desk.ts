import { existsSync } from "node:fs";
import type { Browser } from "playwright-core";
import { chromiumPath, openBrowser, openPage } from "../e2e/desk/browser.ts";
import type { Stack } from "../e2e/faults/stack.ts";
import { importNews, newsRows, withStack } from "./news-stack.ts";
import { usage } from "./processes.ts";
import { type Figure, median } from "./rounds.ts";

/** Names where the news corpora are; without them, or without a Chromium, nothing is measured. */
const SHARED = `${process.env.ISNAD_SHARED ?? "../shared"}/data`;
const ARTICLES = Number(process.env.BENCH_ARTICLES ?? 50_000);

/** Visits of each page, each in a browser without anything stored. */
const VISITS = 7;

const MAX_PAINT_MS = 300;
const MAX_WHOLE_MS = 1_000;
const MAX_BROWSER_MS = 200;
/** Of all processes of the stack for a request of a page. */
const MAX_PROCESSOR_MS = 200;
const MAX_PAGE_KB = 150;
const MAX_FONT_KB = 120;

/** Requests of a page whose processor time is measured. */
const REQUESTS = 20;

/**
 * Holds what a visit took: until something was painted, until the last of the page had come, the processor time of the
 * browser's thread that makes the page, and what came over the network, uncompressed.
 */
type Visit = { paintMs: number; wholeMs: number; browserMs: number; pageKb: number; fontKb: number };

const PAGES: Readonly<Record<string, string>> = {
  today: "/",
  search: "/search?q=%D8%A7%D9%84%D8%AD%D9%83%D9%88%D9%85%D8%A9",
  "search in English": "/search?q=government",
  article: "/articles/1",
  claims: "/claims",
  state: "/state",
};

/**
 * Measures the desk as a reader meets it, over 50,000 articles (`BENCH_ARTICLES`), or over a stack that runs
 * (`BENCH_DESK_URL`): time until the first paint and until the last of a page in a Chromium of this machine, the weight
 * of pages and fonts, and the processor time of the services for a page.
 */
export async function desk(): Promise<Figure[]> {
  const url = process.env.BENCH_DESK_URL;
  if (chromiumPath() === undefined || (url === undefined && !existsSync(SHARED))) return [];
  if (url !== undefined) return await measure(url, "a running stack");
  return await withStack({}, async (stack) => {
    const rows = newsRows(SHARED, ARTICLES);
    await importNews(stack, rows);
    const { api = "" } = stack.info().urls;
    const detail = `${rows.length} articles`;
    return [...(await measure(api, detail)), ...(await processorTimes(stack, api, detail))];
  });
}

async function measure(url: string, detail: string): Promise<Figure[]> {
  const browser = await openBrowser();
  try {
    const figures: Figure[] = [];
    for (const [name, path] of Object.entries(PAGES)) {
      const visits: Visit[] = [];
      for (let i = 0; i < VISITS; i++) visits.push(await visit(browser, url.replace(/\/$/, ""), path));
      const of = (key: keyof Visit) => median(visits.map((each) => each[key]));
      figures.push(
        { name: `desk: ms to the first paint, ${name}`, value: of("paintMs"), bound: { atMost: MAX_PAINT_MS }, detail },
        {
          name: `desk: ms to the end of the page, ${name}`,
          value: of("wholeMs"),
          bound: { atMost: MAX_WHOLE_MS },
          detail,
        },
        {
          ...{ name: `desk: ms of processor in the browser, ${name}`, value: of("browserMs"), detail },
          bound: { atMost: MAX_BROWSER_MS },
        },
        { name: `desk: KB of ${name}, without fonts`, value: of("pageKb"), bound: { atMost: MAX_PAGE_KB }, detail },
        { name: `desk: KB of fonts, ${name}`, value: of("fontKb"), bound: { atMost: MAX_FONT_KB }, detail },
      );
    }
    return figures;
  } finally {
    await browser.close();
  }
}

/** Measures what a page costs the services of a stack: a busy machine adds nothing. */
async function processorTimes(stack: Stack, url: string, detail: string): Promise<Figure[]> {
  const headers = { accept: "text/html" };
  const used = () => Object.values(usage(stack)).reduce((sum, { cpuS }) => sum + cpuS, 0) * 1000;
  const figures: Figure[] = [];
  for (const [name, path] of Object.entries(PAGES)) {
    const before = used();
    for (let i = 0; i < REQUESTS; i++) await (await fetch(new URL(path, url), { headers })).text();
    const value = (used() - before) / REQUESTS;
    figures.push({ name: `desk: ms of processor, ${name}`, value, bound: { atMost: MAX_PROCESSOR_MS }, detail });
  }
  return figures;
}

async function visit(browser: Browser, url: string, path: string): Promise<Visit> {
  const { page, close } = await openPage(browser, url, { lang: "ar", theme: "light", width: 1440 });
  const devtools = await page.context().newCDPSession(page);
  await devtools.send("Performance.enable", { timeDomain: "threadTicks" });
  await page.goto(`${url}${path}`, { waitUntil: "load" });
  const measured: { paint: number; whole: number; sizes: [string, number][] } = await page.evaluate(`(async () => {
    for (let i = 0; i < 100 && performance.getEntriesByName("first-contentful-paint").length === 0; i++)
      await new Promise((resolve) => setTimeout(resolve, 10));
    const loads = [...performance.getEntriesByType("navigation"), ...performance.getEntriesByType("resource")];
    return {
      paint: performance.getEntriesByName("first-contentful-paint")[0]?.startTime ?? NaN,
      whole: performance.getEntriesByType("navigation")[0]?.responseEnd ?? NaN,
      sizes: loads.map(({ name, decodedBodySize }) => [name, decodedBodySize]),
    };
  })()`);
  const { metrics } = await devtools.send("Performance.getMetrics");
  const browserMs = (metrics.find(({ name }) => name === "TaskDuration")?.value ?? Number.NaN) * 1000;
  await close();
  const isFont = (name: string) => name.endsWith(".woff2");
  const sum = (wanted: boolean) =>
    measured.sizes.filter(([name]) => isFont(name) === wanted).reduce((all, [, size]) => all + size / 1000, 0);
  return { paintMs: measured.paint, wholeMs: measured.whole, browserMs, pageKb: sum(false), fontKb: sum(true) };
}
