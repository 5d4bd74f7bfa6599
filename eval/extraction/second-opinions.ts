import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { gunzipSync } from "node:zlib";
import { decodeText } from "@isnad/lib/web/egress";
import { plainTextOf } from "@isnad/lib/web/feeds";
import { extractPage } from "../../lib/extraction/mod.ts";
import { benchmarkWords, wordF1 } from "../../lib/extraction/training/corpus.ts";
import type { Measured } from "../task.ts";
import { likeness } from "./measure.ts";

/** Collections of pages that nothing was trained or tuned on, by the names of their folders. */
export const COLLECTIONS = ["readability", "postlight", "arabic-pages"] as const;

interface Page {
  readonly html: string;
  readonly url: string;
  readonly text?: string;
  readonly title?: string | null;
  readonly author?: string | null;
  readonly published?: string | null;
}

const READERS: Readonly<Record<string, (folder: string) => Iterable<Page>>> = {
  readability,
  postlight,
  "arabic-pages": arabic,
};

/**
 * Measures extraction on a collection: mean word-level F1 of the texts, and shares of right titles, authors and dates,
 * as far as the collection knows them. A date is right within a day, since the collections mix zones. Throws RangeError
 * for an unknown collection.
 */
export function measureCollection(collection: string, folder: string): Measured {
  const pages = READERS[collection];
  if (pages === undefined) throw new RangeError(`${folder} is no folder of pages that can be read`);
  const seen = { F1: [] as number[], titles: [] as number[], authors: [] as number[], dates: [] as number[] };
  let size = 0;
  for (const page of pages(folder)) {
    size++;
    const extraction = extractPage({ html: page.html, url: page.url });
    if (page.text !== undefined) seen.F1.push(wordF1(benchmarkWords(extraction.content), benchmarkWords(page.text)));
    if (page.title) seen.titles.push(likeness(extraction.title, page.title) === "other" ? 0 : 1);
    if (page.author) seen.authors.push(likeness(extraction.authors.join(" "), page.author) === "other" ? 0 : 1);
    if (page.published) seen.dates.push(isNear(extraction.publishedAt, page.published) ? 1 : 0);
  }
  const means = Object.entries(seen)
    .filter(([, values]) => values.length > 0)
    .map(([name, values]) => [name, values.reduce((sum, value) => sum + value, 0) / values.length]);
  return { figures: Object.fromEntries(means), size, predictions: [] };
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
