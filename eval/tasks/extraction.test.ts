import { expect, test } from "bun:test";
import { layoutPages } from "../extraction/arabic-layouts/pages.ts";
import { likeness, measureLayouts, measurePage, summarise } from "./extraction.ts";

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
