import { extractPage } from "../lib/extraction/extract.ts";
import { parsePage } from "../lib/extraction/page/dom.ts";
import { HOSTILE_PAGES } from "../lib/extraction/reader/testing-hostile-pages.ts";
import { ReaderError, ReaderPool } from "../lib/extraction/reader/pool.ts";
import { type Figure, interleaved, median, processorMs } from "./rounds.ts";

const SENTENCES = [
  "The ministry said on Monday that the work in the flooded cities went on.",
  "Officials had not answered questions about the cost by the evening.",
  "وقالت الوزارة في بيان إن الفرق الميدانية واصلت عملها في المدن المتضررة.",
  "وأضافت أن عدد المتضررين بلغ نحو ألفي شخص بحسب مصادر محلية.",
];

/** A news page of that many paragraphs and links in menus, teasers and footers, the same each time. */
function newsPage({ paragraphs, links }: { readonly paragraphs: number; readonly links: number }): string {
  const range = (count: number, make: (i: number) => string) =>
    Array.from({ length: count }, (_, i) => make(i)).join("\n");
  const sentence = (i: number) => SENTENCES[i % SENTENCES.length] ?? "";
  const teaser = (i: number) =>
    `<li class="teaser card"><a href="/news/${i}"><img src="/img/${i}.jpg" alt=""><h3 class="headline">Story ${i}: ${sentence(i)}</h3></a><time datetime="2025-05-${10 + (i % 20)}T10:00:00Z">${10 + (i % 20)} May 2025</time></li>`;
  const body = range(
    paragraphs,
    (i) =>
      `<p class="body-text">${sentence(i)} <a href="/topic/${i}">${i} people</a> ${sentence(i + 1)} ${sentence(i + 2)}</p>`,
  );
  return `<!DOCTYPE html><html lang="en"><head><title>Work in flooded cities goes on - News Example</title>
<meta property="og:title" content="Work in flooded cities goes on"><meta property="article:published_time" content="2025-05-14T10:00:00Z">
<script type="application/ld+json">{"@context":"https://schema.org","@type":"NewsArticle","headline":"Work in flooded cities goes on","author":{"@type":"Person","name":"Layla Haddad"}}</script>
<style>${range(60, (i) => `.c${i} { margin: ${i}px; color: #123456; }`)}</style></head><body>
<nav><ul>${range(Math.floor(links / 3), (i) => `<li><a href="/section/${i}">Section ${i}</a></li>`)}</ul></nav>
<main><article><h1>Work in flooded cities goes on</h1><p class="byline">By Layla Haddad, 14 May 2025</p><div class="article-body">${body}</div></article>
<aside class="related"><h2>Related</h2><ul>${range(Math.floor(links / 3), teaser)}</ul></aside></main>
<footer><ul>${range(Math.floor(links / 3), (i) => `<li><a href="/about/${i}">About ${i}</a></li>`)}</ul></footer></body></html>`;
}

const URL = "https://news.example/world/1";
/** Paragraphs of the articles, and links around them: from a note to a long read on a crowded page. */
const SHAPES = [
  { paragraphs: 4, links: 60 },
  { paragraphs: 15, links: 200 },
  { paragraphs: 40, links: 400 },
  { paragraphs: 120, links: 900 },
];
const HOSTILE_LIMIT_MS = 2000;

/** Units of HTML that a round goes through, so that it is long beside the steps of the processor's own clock. */
const ROUND_CHARS = 2_000_000;

/** Measures by processor time what extraction costs beside parsing alone, and what hostile pages take of a thread. */
export async function extract(rounds: number): Promise<Figure[]> {
  return [await ratio(rounds), await hostile()];
}

async function ratio(rounds: number): Promise<Figure> {
  const ratios: number[] = [];
  for (const shape of SHAPES) {
    const html = newsPage(shape);
    const often = (run: () => unknown) => () => {
      for (let chars = 0; chars < ROUND_CHARS; chars += html.length) run();
    };
    const times = await interleaved(
      [
        { name: "parse", run: often(() => parsePage(html)) },
        { name: "extract", run: often(() => extractPage({ html, url: URL })) },
      ],
      { rounds, warmup: 1, now: processorMs },
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
    const start = processorMs();
    const outcome = await pool.extract({ html, url: URL }).catch((error: unknown) => error);
    const ms = processorMs() - start;
    if (outcome instanceof ReaderError) refused++;
    if (ms > slowest.ms) slowest = { name, ms };
  }
  await pool.close();
  const count = Object.keys(HOSTILE_PAGES).length;
  return {
    name: "slowest hostile page, processor ms",
    value: slowest.ms,
    bound: { atMost: HOSTILE_LIMIT_MS },
    detail: `${slowest.name}; ${count} pages, ${refused} refused by name`,
  };
}
