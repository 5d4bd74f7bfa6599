import { afterAll, expect, test } from "bun:test";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { runCommand } from "@isnad/lib/service/cli";
import { captureIo } from "@isnad/lib/service/cli/testing";
import { scraperExtract } from "./extract.ts";

const folder = mkdtempSync(join(tmpdir(), "isnad-batch-"));
afterAll(() => rmSync(folder, { recursive: true }));
const at = (name: string) => join(folder, name);
const page = (title: string) =>
  `<html lang="en"><head><title>${title}</title></head><body><article><h1>${title}</h1>${"<p>The ministry said on Monday that the work in the flooded cities went on, and that more was needed.</p>".repeat(5)}</article></body></html>`;

async function batch(lines: readonly string[], ...argv: string[]) {
  writeFileSync(at("in.jsonl"), lines.join("\n"));
  const { io, err } = captureIo();
  const code = await runCommand(scraperExtract, ["--batch", at("in.jsonl"), "--out", at("out.jsonl"), ...argv], io);
  const out = readFileSync(at("out.jsonl"), "utf8")
    .trimEnd()
    .split("\n")
    .filter((line) => line !== "");
  return { code, err: err(), out: out.map((line): Record<string, unknown> => JSON.parse(line)) };
}

test("every line is answered in its place, whatever is wrong with it", async () => {
  mkdirSync(at("pages"));
  writeFileSync(at("pages/1.html"), page("One of the pages"));
  writeFileSync(at("pages/2.html.gz"), gzipSync(page("Two of the pages")));
  writeFileSync(at("pages/cut.html.gz"), gzipSync(page("Cut")).subarray(0, 30));
  writeFileSync(at("pages/block.html"), "<title>Just a moment...</title><p>Verify you are human.</p>");
  const { code, out } = await batch([
    JSON.stringify({ id: "a", url: "https://a.example/news/1", html_path: at("pages/1.html") }),
    JSON.stringify({ id: 2, url: "https://a.example/news/2", html_path: "pages/2.html.gz" }),
    "",
    '{"id": "broken", ',
    "[]",
    "7",
    JSON.stringify({ id: "no path", url: "https://a.example/" }),
    JSON.stringify({ id: "gone", url: "https://a.example/", html_path: at("pages/none.html") }),
    JSON.stringify({ id: "cut", url: "https://a.example/", html_path: at("pages/cut.html.gz") }),
    JSON.stringify({ id: "folder", url: "https://a.example/", html_path: at("pages") }),
    JSON.stringify({ id: "block", url: "https://a.example/", html_path: at("pages/block.html") }),
    JSON.stringify({ id: "no address", html_path: at("pages/1.html") }),
  ]);
  expect(code).toBe(1);
  expect(out.map(({ id, title, error }) => [id, title, error !== undefined])).toEqual([
    ["a", "One of the pages", false],
    [2, "Two of the pages", false],
    ["broken", "", true],
    [null, "", true],
    [null, "", true],
    ["no path", "", true],
    ["gone", "", true],
    ["cut", "", true],
    ["folder", "", true],
    ["block", "Just a moment...", true],
    ["no address", "One of the pages", false],
  ]);
  expect(Object.keys(out[0] ?? {})).toEqual(
    "id title content author published_at canonical_url image language ms".split(" "),
  );
});

test("bytes that are no text are refused with a reason, by line and by file", async () => {
  const bytes = Uint8Array.from({ length: 20_000 }, (_, i) => (i * 7919 + (i >> 3) * 31) % 256);
  writeFileSync(at("bytes.html"), bytes);
  const { code, out } = await batch([JSON.stringify({ id: 1, url: "", html_path: at("bytes.html") })], "--jobs", "1");
  expect({ code, line: out[0] }).toMatchObject({ code: 0, line: { title: "", content: "", error: "not-text" } });
  expect(out[0]?.detail).toContain("no text");
  const { io, out: printed } = captureIo();
  expect(await runCommand(scraperExtract, [at("bytes.html")], io)).toBe(1);
  expect(printed()).toContain("not-text");
});

test("a batch without a fault ends with 0, an empty one too; a paywall is told, and the time of publication in UTC", async () => {
  const head = {
    locked: '<meta property="article:content_tier" content="locked">',
    dated: '<meta property="article:published_time" content="2024-01-15T01:30:00+03:00">',
  };
  const lines = Object.entries(head).map(([name, meta], i) => {
    writeFileSync(at(`${name}.html`), page(name).replace("</head>", `${meta}</head>`));
    return JSON.stringify({ id: i, url: `https://a.example/${i}`, html_path: at(`${name}.html`) });
  });
  const { code, out } = await batch(lines, "--jobs", "1");
  expect({ code, out }).toMatchObject({
    code: 0,
    out: [
      { title: "locked", paywalled: true, published_at: null },
      { title: "dated", published_at: "2024-01-14T22:30:00Z" },
    ],
  });
  expect(out[1]).not.toHaveProperty("paywalled");
  expect(await batch([], "--jobs", "1")).toMatchObject({ code: 0, out: [] });
});

test("a list that is not there, or an output that cannot be written, is named", async () => {
  const { io, err } = captureIo();
  expect(await runCommand(scraperExtract, ["--batch", at("none.jsonl"), "--out", at("out.jsonl")], io)).toBe(1);
  expect(err()).toContain("none.jsonl");
  writeFileSync(at("in.jsonl"), "{}\n");
  expect(await runCommand(scraperExtract, ["--batch", at("in.jsonl"), "--out", at("no/such/out.jsonl")], io)).toBe(1);
  expect(err()).toContain("no/such/out.jsonl");
  expect(await runCommand(scraperExtract, ["--batch", at("in.jsonl")], io)).toBe(2);
});

test("pages at once come out in the order of the list, however many threads there are", async () => {
  const titles = Array.from({ length: 8 }, (_, i) => `Page number ${i}`);
  const lines = titles.map((title, i) => {
    // The earlier, the longer.
    const html = page(title).replace(
      "</article>",
      `${"<p>One more sentence of the report.</p>".repeat((8 - i) * 15)}</article>`,
    );
    writeFileSync(at(`pages/o${i}.html`), html);
    return JSON.stringify({ id: i, url: `https://a.example/${i}`, html_path: at(`pages/o${i}.html`) });
  });
  for (const jobs of ["1", "3"]) {
    const { code, out } = await batch(lines, "--jobs", jobs);
    expect(code).toBe(0);
    expect(out.map(({ title }) => title)).toEqual(titles);
  }
});
