import { afterAll, expect, test } from "bun:test";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { runCommand } from "@isnad/lib/service/cli";
import { captureIo } from "@isnad/lib/service/cli/testing";
import { scraperExtract, scraperFeed } from "./extract.ts";

const folder = mkdtempSync(join(tmpdir(), "isnad-read-"));
afterAll(() => rmSync(folder, { recursive: true }));
const file = (name: string, content: string | Uint8Array) => {
  writeFileSync(join(folder, name), content);
  return join(folder, name);
};

test("scraper:feed prints a feed in the form that is documented", async () => {
  const path = file(
    "feed.xml.gz",
    gzipSync(`<rss><channel><title>T</title><item><title>One</title><link>/1</link><pubDate>Thu, 01 Jan 2004 19:48:21 EST</pubDate>
    <description>&lt;b&gt;short&lt;/b&gt;</description></item></channel></rss>`),
  );
  const { io, out } = captureIo();
  expect(await runCommand(scraperFeed, [path, "--url", "https://a.example/feed"], io)).toBe(0);
  expect(JSON.parse(out())).toEqual({
    feed: { title: "T", link: null, language: null },
    entries: [
      {
        id: "https://a.example/1",
        title: "One",
        link: "https://a.example/1",
        published_at: "2004-01-02T00:48:21Z",
        updated_at: null,
        author: "",
        content_text: "",
        summary_text: "short",
        categories: [],
        enclosures: [],
      },
    ],
  });
});

test("scraper:feed gives up a feed that takes too long, and takes the zone of its times", async () => {
  // It takes several times as long as it may.
  const item = `<item><description>${"&lt;head&gt;x".repeat(100_000)}</description></item>`;
  const slow = `<rss><channel>${item.repeat(12)}</channel></rss>`;
  const { io, err } = captureIo();
  expect(await runCommand(scraperFeed, [file("slow.xml", slow)], io)).toBe(1);
  expect(err()).toContain("it took longer than");
  const dated = file("dated.xml", "<rss><channel><item><pubDate>2024-01-15T10:00:00</pubDate></item></channel></rss>");
  const zoned = captureIo();
  expect(await runCommand(scraperFeed, [dated, "--zone", "Asia/Riyadh"], zoned.io)).toBe(0);
  expect(JSON.parse(zoned.out())).toMatchObject({ entries: [{ published_at: "2024-01-15T07:00:00Z" }] });
  expect(await runCommand(scraperFeed, [dated, "--zone", "Asia/Nowhere"], captureIo().io)).toBe(2);
});

test("what is no feed, or is not there, is named", async () => {
  const { io, err } = captureIo();
  expect(await runCommand(scraperFeed, [file("page.html", "<html></html>")], io)).toBe(1);
  expect(await runCommand(scraperFeed, [join(folder, "none.xml")], io)).toBe(1);
  expect(err()).toContain("<html>");
  expect(err()).toContain("none.xml");
});

test("scraper:extract reads a page in its own charset, and says when it is none", async () => {
  const html =
    '<html><head><meta charset="windows-1256"></head><body><h1>\u00e3\u00d1\u00cd\u00c8\u00c7</h1></body></html>';
  const { io, out } = captureIo();
  await runCommand(
    scraperExtract,
    [file("page.html", Buffer.from(html, "latin1")), "--url", "https://a.example/1"],
    io,
  );
  expect(JSON.parse(out())).toMatchObject({ title: "مرحبا" });
  const blocked = captureIo();
  const page = file("block.html", "<title>Just a moment...</title><p>Verify you are human.</p>");
  expect(await runCommand(scraperExtract, [page], blocked.io)).toBe(1);
  expect(JSON.parse(blocked.out())).toMatchObject({ error: "block-page" });
});
