import { extractPage } from "../../lib/extraction/mod.ts";
import { parsePage } from "../../lib/extraction/page/dom.ts";
import { HOSTILE_PAGES } from "../../lib/extraction/reader/hostile-pages.ts";
import { ReaderError, ReaderPool } from "../../lib/extraction/reader/mod.ts";
import { type Figure, interleaved, median } from "../rounds.ts";
import { newsPage } from "./news-page.ts";

const URL = "https://news.example/world/1";
/** Paragraphs of the articles, and links around them: from a note to a long read on a crowded page. */
const SHAPES = [
  { paragraphs: 4, links: 60 },
  { paragraphs: 15, links: 200 },
  { paragraphs: 40, links: 400 },
  { paragraphs: 120, links: 900 },
];
const HOSTILE_LIMIT_MS = 2000;

/** What extraction costs beside parsing alone, and how long hostile pages hold a reader thread. */
export async function extract(rounds: number): Promise<Figure[]> {
  return [await ratio(rounds), await hostile()];
}

async function ratio(rounds: number): Promise<Figure> {
  const ratios: number[] = [];
  for (const shape of SHAPES) {
    const html = newsPage(shape);
    const times = await interleaved(
      [
        { name: "parse", run: () => parsePage(html) },
        { name: "extract", run: () => extractPage({ html, url: URL }) },
      ],
      { rounds, warmup: 3 },
    );
    ratios.push(median(times.get("extract") ?? []) / median(times.get("parse") ?? []));
  }
  const detail = `pages of ${SHAPES.map((shape) => `${Math.round(newsPage(shape).length / 1000)} KB`).join(", ")}`;
  return { name: "extraction of a page, in parses of it", value: median(ratios), bound: { atMost: 10 }, detail };
}

async function hostile(): Promise<Figure> {
  const pool = new ReaderPool();
  let slowest = { name: "", ms: 0 };
  let refused = 0;
  for (const [name, make] of Object.entries(HOSTILE_PAGES)) {
    const html = make();
    await pool.extract({ html: "<p>The thread is up.</p>", url: URL });
    const start = performance.now();
    const outcome = await pool.extract({ html, url: URL }).catch((error: unknown) => error);
    const ms = performance.now() - start;
    if (outcome instanceof ReaderError) refused++;
    if (ms > slowest.ms) slowest = { name, ms };
  }
  await pool.close();
  const count = Object.keys(HOSTILE_PAGES).length;
  return {
    name: "slowest hostile page, ms",
    value: slowest.ms,
    bound: { atMost: HOSTILE_LIMIT_MS },
    detail: `${slowest.name}; ${count} pages, ${refused} refused by name`,
  };
}
