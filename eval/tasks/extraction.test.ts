import { afterAll, expect, test } from "bun:test";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { gzipSync } from "node:zlib";
import { layoutPages } from "../extraction/arabic-layouts/pages.ts";
import { extraction, likeness, measureLayouts, measurePage, summarise } from "./extraction.ts";

test.each([
  ["Floods in the north", "floods, in the north!", "same"],
  ["Floods in the north - News", "Floods in the north", "close"],
  ["Floods in a north today", "Floods in the north today", "close"],
  ["Floods", "Elections", "other"],
  ["", "Elections", "other"],
] as const)("%p is %p: %s", (found, gold, expected) => {
  expect(likeness(found, gold)).toBe(expected);
});

test("a page is right where it says what people found, and unknown where they found nothing", () => {
  const sentence = "The ministry said on Monday that the work in the flooded cities went on, and that more was needed.";
  const html = `<html lang="en"><head><title>Floods</title><meta property="article:published_time" content="2025-05-14T23:00:00-05:00"></head>
    <body><h1>Floods in the north</h1>${`<p>${sentence}</p>`.repeat(5)}</body></html>`;
  const gold = {
    id: "1",
    url: "https://a.example/1",
    title: "Floods in the north",
    author: "",
    published: "2025-05-14",
    text: Array(5).fill(sentence).join(" "),
  };
  const outcome = measurePage(gold, html);
  expect(outcome).toMatchObject({ id: "1", date: true, author: undefined, title: "same" });
  expect(outcome.f1).toBeGreaterThan(0.9);
  const figures = summarise([outcome, { ...outcome, f1: 0, date: false, title: "other" }]);
  expect(figures).toMatchObject({ dates: 0.5, titles: 0.5, sameTitles: 0.5 });
});

test("made-up pages hold their articles whole, in thirty layouts and more", () => {
  const pages = layoutPages();
  expect(new Set(pages.map(({ layout }) => layout)).size).toBeGreaterThanOrEqual(30);
  for (const { layout, article, html, text } of pages) {
    for (const paragraph of article.paragraphs) {
      if (!html.includes(paragraph) || !text.includes(paragraph)) throw new Error(`${layout} leaves out ${paragraph}`);
    }
  }
});

test("the text of articles is found between the boxes of Arabic layouts", () => {
  const { figures, predictions } = measureLayouts();
  expect(figures.F1).toBeGreaterThan(0.99);
  expect(figures.titles).toBe(1);
  expect(figures.dates).toBe(1);
  const scores = new Map<string, number[]>();
  for (const line of predictions) {
    const [layout = "", f1 = ""] = line.split("\t");
    scores.set(layout, [...(scores.get(layout) ?? []), Number(f1)]);
  }
  for (const [layout, each] of scores) {
    expect([layout, each.reduce((sum, f1) => sum + f1, 0) / each.length > 0.97]).toEqual([layout, true]);
  }
});

const dir = mkdtempSync(join(tmpdir(), "isnad-pages-"));
afterAll(() => rmSync(dir, { recursive: true }));

/** Writes files below a folder, packed where their names say so. */
function write(folder: string, files: Record<string, string | object>): string {
  const root = join(dir, folder);
  for (const [name, content] of Object.entries(files)) {
    const text = typeof content === "string" ? content : JSON.stringify(content);
    mkdirSync(dirname(join(root, name)), { recursive: true });
    writeFileSync(join(root, name), name.endsWith(".gz") ? gzipSync(text) : text);
  }
  return root;
}

const paragraph =
  "The council said on Monday that work at the flooded harbour went on, and that more money was needed.";
const htmlOf = (title: string, date: string, author = "Layla Haddad"): string =>
  `<html lang="en"><head><title>${title}</title><meta name="author" content="${author}">
  <meta property="article:published_time" content="${date}"></head><body><article><h1>${title}</h1>${`<p>${paragraph}</p>`.repeat(4)}</article></body></html>`;
const text = Array(4).fill(paragraph).join(" ");

async function figuresOf(path: string, set = "own") {
  const { measure, close } = await extraction.load({ full: false });
  const { figures, size } = await measure({ set, path });
  await close();
  return { size, figures };
}

test("pages of readability are read beside what its authors expect; one that lacks a file is left out", async () => {
  const path = write("readability", {
    "a/source.html": htmlOf("Harbour floods", "2025-05-14T08:00:00Z"),
    "a/expected.html": `<div><p>${text}</p></div>`,
    "a/expected-metadata.json": {
      title: "Harbour floods",
      byline: "Layla Haddad",
      publishedTime: "2025-05-14T08:00:00Z",
    },
    "b/source.html.gz": htmlOf("Another storm", "2025-05-14T08:00:00Z"),
    "b/expected.html.gz": `<div><p>Nothing of this is said there.</p></div>`,
    "b/expected-metadata.json": { title: "Elections", byline: "Omar Said" },
    "c/source.html": htmlOf("Without an expectation", "2025-05-14T08:00:00Z"),
  });
  const { figures, size } = await figuresOf(path);
  expect(size).toBe(2);
  expect(figures).toMatchObject({ titles: 0.5, authors: 0.5, dates: 1 });
  expect(figures.F1).toBeWithin(0.5, 0.6);
});

test("a date of a collection is right within a day, and wrong beyond", async () => {
  const record = (fixture: string, published: string) => ({
    ...{ fixture, url: "https://n.example/1" },
    expected: { title: "Harbour floods", date_published: published },
  });
  const page = { "fixtures/a.html": htmlOf("Harbour floods", "2025-05-14T08:00:00Z") };
  for (const [published, right] of [
    ["2025-05-15T08:00:00Z", 1],
    ["2025-05-15T08:00:01Z", 0],
    ["2025-05-13T08:00:00Z", 1],
    ["2025-05-13T07:59:59Z", 0],
  ] as const) {
    const path = write("postlight", {
      ...page,
      "expected.json.gz": [record("a.html", published), record("gone.html", published)],
    });
    expect(await figuresOf(path)).toEqual({ size: 1, figures: { titles: 1, dates: right } });
  }
});

test("what a collection does not know is no figure of it", async () => {
  const path = write("arabic-pages", {
    "gold.json": [{ html: "a.html", url: "https://n.example/1", title: "", text }],
    "a.html": htmlOf("Harbour floods", "2025-05-14T08:00:00Z"),
  });
  expect(Object.keys((await figuresOf(path)).figures)).toEqual(["F1"]);
  expect(await figuresOf(write("postlight", { "expected.json.gz": [] }))).toEqual({ size: 0, figures: {} });
});

test("a folder that no reader is for is refused", async () => {
  await expect(figuresOf(write("pages-of-mine", { "a.html": "" }))).rejects.toThrow("no folder of pages");
});

test("pages of the benchmark are read with their gold, one prediction a page", async () => {
  const gold = (more: object) => ({
    url: "https://n.example/1",
    ground_truth: { title: "Harbour floods", author: "", publish_date: "", main_content: text, ...more },
  });
  const path = write("own-wcxb", {
    "html/1.html.gz": htmlOf("Harbour floods", "2025-05-14T08:00:00Z"),
    "html/2.html.gz": htmlOf("Harbour floods - News", "2025-05-14T08:00:00Z"),
    "ground-truth/1.json": gold({ publish_date: "2025-05-14", author: "Omar Said" }),
    "ground-truth/2.json": gold({ main_content: "" }),
  });
  const { measure } = await extraction.load({ full: false });
  const { figures, size, predictions } = await measure({ set: "own", path });
  expect(size).toBe(2);
  // The second page has text where none is wanted, and a title that holds the gold one.
  expect(figures).toMatchObject({ F1: 0.5, dates: 1, authors: 0, titles: 1 });
  expect(predictions).toEqual(["1\t1.0000\tsame\ttrue", expect.stringMatching(/^2\t0\.0000\t\w+\t$/)]);
});

test("no page at all is no division by zero, and the median is of the ratios in order", () => {
  const outcome = { id: "1", f1: 1, date: undefined, author: undefined, title: "same" as const, ratio: 3 };
  expect(summarise([outcome])).toMatchObject({ f1: 1, dates: 0, authors: 0, titles: 1, ratio: 3 });
  expect(summarise([outcome, { ...outcome, ratio: 10 }, { ...outcome, ratio: 9 }]).ratio).toBe(9);
});

test("collections that the data folder lacks are no sets; our own pages always are", () => {
  const data = join(dir, "data");
  const names = () => extraction.sets(data, { full: false }).map(({ set }) => set);
  expect(names()).toEqual(["arabic-layouts", "arabic-tables"]);
  mkdirSync(join(data, "extraction/postlight"), { recursive: true });
  expect(names()).toEqual(["postlight", "arabic-layouts", "arabic-tables"]);
});
