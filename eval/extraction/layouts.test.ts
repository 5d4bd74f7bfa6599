import { expect, test } from "bun:test";
import { layoutPages } from "./arabic-layouts/index.ts";
import { measureLayouts } from "./layouts.ts";

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
  expect(figures.F1).toBeGreaterThan(0.95);
  expect(figures.titles).toBe(1);
  const scores = new Map<string, number[]>();
  for (const line of predictions) {
    const [layout = "", f1 = ""] = line.split("\t");
    scores.set(layout, [...(scores.get(layout) ?? []), Number(f1)]);
  }
  for (const [layout, each] of scores) {
    expect([layout, each.reduce((sum, f1) => sum + f1, 0) / each.length > 0.85]).toEqual([layout, true]);
  }
});
