import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { gunzipSync } from "node:zlib";
import { decodeText } from "@isnad/lib/egress";
import { plainTextOf } from "@isnad/lib/feeds";
import { extractPage } from "../../scraper/extract/index.ts";
import { benchmarkWords, wordF1 } from "../../scraper/training/corpus.ts";
import { likeness } from "./measure.ts";

/** Shares of right answers on pages that nothing was trained or tuned on; undefined where a collection does not say. */
export interface SecondOpinion {
  readonly collection: string;
  readonly pages: number;
  /** Mean word-level F1 of the text. */
  readonly f1?: number;
  readonly titles?: number;
  readonly authors?: number;
  /** Days, in the zone of the publisher or one day off: the collections mix zones. */
  readonly dates?: number;
}

interface Page {
  readonly html: string;
  readonly url: string;
  readonly text?: string;
  readonly title?: string | null;
  readonly author?: string | null;
  readonly published?: string | null;
}

/** Measures extraction on the pages of Mozilla's Readability, of Postlight's parser, and on an Arabic page. */
export function secondOpinions(extraction: string): SecondOpinion[] {
  return [
    measure("readability", readability(join(extraction, "readability"))),
    measure("postlight", postlight(join(extraction, "postlight"))),
    measure("arabic page", arabic(join(extraction, "arabic-pages"))),
  ].filter(({ pages }) => pages > 0);
}

function measure(collection: string, pages: Iterable<Page>): SecondOpinion {
  const seen = { f1: [] as number[], titles: [] as number[], authors: [] as number[], dates: [] as number[] };
  let count = 0;
  for (const page of pages) {
    count++;
    const found = extractPage({ html: page.html, url: page.url });
    if (page.text !== undefined) seen.f1.push(wordF1(benchmarkWords(found.content), benchmarkWords(page.text)));
    if (page.title) seen.titles.push(likeness(found.title, page.title) === "other" ? 0 : 1);
    if (page.author) seen.authors.push(likeness(found.authors.join(" "), page.author) === "other" ? 0 : 1);
    if (page.published) seen.dates.push(isNear(found.publishedAt, page.published) ? 1 : 0);
  }
  const means = Object.entries(seen)
    .filter(([, values]) => values.length > 0)
    .map(([name, values]) => [name, values.reduce((sum, value) => sum + value, 0) / values.length]);
  return { collection, pages: count, ...Object.fromEntries(means) };
}

const DAY = 86_400_000;

function isNear(found: string | null, published: string): boolean {
  return found !== null && Math.abs(Date.parse(found) - Date.parse(published)) <= DAY;
}

function readHtml(path: string): string | undefined {
  if (existsSync(path)) return decodeText(readFileSync(path)).text;
  return existsSync(`${path}.gz`) ? decodeText(gunzipSync(readFileSync(`${path}.gz`))).text : undefined;
}

function* readability(folder: string): Iterable<Page> {
  for (const name of existsSync(folder) ? readdirSync(folder).sort() : []) {
    const html = readHtml(join(folder, name, "source.html"));
    const expected = readHtml(join(folder, name, "expected.html"));
    if (html === undefined || expected === undefined) continue;
    const { title, byline, publishedTime }: { title?: string; byline?: string; publishedTime?: string } = JSON.parse(
      readFileSync(join(folder, name, "expected-metadata.json"), "utf8"),
    );
    yield {
      html,
      url: "http://fakehost/test/page.html",
      text: plainTextOf(expected),
      title: title ?? null,
      author: byline ?? null,
      published: publishedTime ?? null,
    };
  }
}

function* postlight(folder: string): Iterable<Page> {
  const path = join(folder, "expected.json.gz");
  const records: { fixture: string; url: string; expected: Record<string, string | null> }[] = existsSync(path)
    ? JSON.parse(gunzipSync(readFileSync(path)).toString())
    : [];
  for (const { fixture, url, expected } of records) {
    const html = readHtml(join(folder, "fixtures", fixture));
    if (html === undefined) continue;
    const { title = null, author = null, date_published: published = null } = expected;
    yield { html, url, title, author, published };
  }
}

function* arabic(folder: string): Iterable<Page> {
  const path = join(folder, "gold.json");
  const records: { html: string; url: string; title: string; text: string }[] = existsSync(path)
    ? JSON.parse(readFileSync(path, "utf8"))
    : [];
  for (const { html: file, url, title, text } of records) {
    const html = readHtml(join(folder, file));
    if (html !== undefined) yield { html, url, title, text };
  }
}
