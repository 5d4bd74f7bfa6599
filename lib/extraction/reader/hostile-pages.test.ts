import { afterAll, expect, test } from "bun:test";
import { processorMs } from "../../std/testing-processor.ts";
import { extractPage } from "../extract.ts";
import { ReaderError, ReaderPool } from "./pool.ts";
import { HOSTILE_PAGES } from "./testing-hostile-pages.ts";

const pool = new ReaderPool();
afterAll(() => pool.close());
const url = "https://a.example/news/1";

// The bench goes through all of them.
const TRIED = [
  "20,000 nested elements",
  "two million brackets",
  "100,000 attributes",
  "50,000 siblings",
  "one text of five million characters",
  "5,000 nested tables",
  "dates that nearly are",
  "10,000 linked data scripts",
  "linked data that never closes a string",
];

test.each(TRIED)(
  "%s end as a page or as a named error, and the next page is served",
  async (name) => {
    const html = HOSTILE_PAGES[name]?.() ?? "";
    expect(html.length).toBeGreaterThan(50_000);
    const outcome = await pool.extract({ html, url }).catch((error: unknown) => error);
    if (outcome instanceof Error) expect(outcome).toBeInstanceOf(ReaderError);
    const after = await pool.extract({ html: "<h1>Still here</h1><p>It works as before.</p>", url });
    expect(after.title).toBe("Still here");
  },
  300_000,
);

test("a list page is bounded too", async () => {
  const html = HOSTILE_PAGES["100,000 open links"]?.() ?? "";
  const outcome = await pool.list({ html, url, selector: ":not(:has(a))" }).catch((error: unknown) => error);
  if (outcome instanceof Error) expect(outcome).toBeInstanceOf(ReaderError);
  expect((await pool.list({ html: "<a href='/2'>x</a>", url, selector: "a" })).links).toHaveLength(1);
}, 300_000);

/** Pages of some thousand equal parts, each of which once cost as much as all before it. */
const REPEATED: Readonly<Record<string, (count: number) => string>> = {
  "superscripts in one line": (count) => `<p>${"x<sup>2</sup>".repeat(count)}</p>`,
  "nested superscripts": (count) => `<p>x${"<sup>1".repeat(count)}</p>`,
  "nested articles": (count) => "<article><figure>x".repeat(count),
  "dates of two readings": (count) => "<p>On 03/04/2025 and 05/06/2025</p>".repeat(count / 4),
};

test.each(Object.entries(REPEATED))(
  "four times as many %s cost no sixteen times as much",
  async (_, make) => {
    const cost = (count: number) => {
      const html = `<html><body><h1>A title of it</h1>${make(count)}</body></html>`;
      return processorMs(() => extractPage({ html, url }));
    };
    // What is quadratic takes sixteen times as long here, what is linear four times; small sums say nothing.
    expect(await cost(16_000)).toBeLessThan(Math.max(400, 10 * (await cost(4000))));
  },
  300_000,
);
