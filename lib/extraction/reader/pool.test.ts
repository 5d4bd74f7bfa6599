import { gzipSync } from "node:zlib";
import { afterAll, expect, test } from "bun:test";
import { ReaderError, ReaderPool } from "./pool.ts";

const pool = new ReaderPool();
afterAll(() => pool.close());
const url = "https://a.example/news/1";
const errorOf = (promise: Promise<unknown>) => promise.then(() => undefined).catch((error: unknown) => error);

test("pages, list pages, feeds and sitemaps are read in the same thread", async () => {
  expect(await pool.extract({ html: "<h1>Title</h1><p>Text.</p>", url })).toMatchObject({ title: "Title" });
  expect(await pool.list({ html: "<a href='/2'>two</a>", url, selector: "a" })).toEqual({
    links: [{ url: "https://a.example/2", text: "two" }],
    next: null,
  });
  expect(await pool.feed({ text: "<rss><channel><title>F</title></channel></rss>", url })).toMatchObject({
    title: "F",
  });
  const bytes = gzipSync("<urlset><url><loc>https://a.example/3</loc></url></urlset>");
  expect(await pool.sitemap({ bytes, url })).toMatchObject({ kind: "pages", pages: [{ url: "https://a.example/3" }] });
});

test.each([
  ["not-a-feed", () => pool.feed({ text: "<html>", url })],
  ["not-a-sitemap", () => pool.sitemap({ bytes: new Uint8Array(), url })],
  ["bad-selector", () => pool.list({ html: "<a>", url, selector: "a[" })],
  ["bad-selector", () => pool.extract({ html: "<a>", url, selectors: { content: "]" } })],
  ["too-large", () => pool.extract({ html: " ".repeat(8_000_001), url })],
])("a failure has its name: %s", async (code, attempt) => {
  expect(await errorOf(attempt())).toMatchObject({ name: "ReaderError", code });
});

test("a task beyond the deadline is given up, and the next one is served by a new thread", async () => {
  const hasty = new ReaderPool({ deadlineMs: 0 });
  const html = `<p>${"a <b>word</b> ".repeat(300_000)}</p>`;
  const outcomes = await Promise.all([errorOf(hasty.extract({ html, url })), errorOf(hasty.extract({ html, url }))]);
  await hasty.close();
  for (const error of outcomes) expect(error).toMatchObject({ code: "too-slow" });
});

test("what waits behind a slow feed is read all the same", async () => {
  const single = new ReaderPool({ deadlineMs: 600 });
  // It takes several times as long as it may.
  const item = `<item><description>${"&lt;head&gt;x".repeat(100_000)}</description></item>`;
  const slow = `<rss><channel>${item.repeat(12)}</channel></rss>`;
  const feed = (text: string) => single.feed({ text, url });
  const quick = "<rss><channel><title>F</title></channel></rss>";
  const [before, late, ...after] = await Promise.all([feed(quick), errorOf(feed(slow)), feed(quick), feed(quick)]);
  await single.close();
  expect(late).toMatchObject({ code: "too-slow", message: "parser: it took longer than 600 ms of processor time" });
  for (const each of [before, ...after]) expect(each).toMatchObject({ title: "F" });
  expect(single.threads()).toMatchObject({ restarts: 1, lastError: undefined });
});

test("a closed pool ends what waits and takes no more", async () => {
  const other = new ReaderPool();
  const waiting = errorOf(other.extract({ html: "", url }));
  await other.close();
  expect(await waiting).toMatchObject({ code: "closed" });
  const error = await errorOf(other.extract({ html: "", url }));
  expect(error).toBeInstanceOf(ReaderError);
  expect(error).toMatchObject({ code: "closed" });
});
