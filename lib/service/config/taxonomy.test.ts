import { expect, test } from "bun:test";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { clampConfidence, createTaxonomy, loadTaxonomy, TaxonomyError } from "./taxonomy.ts";

const shipped = loadTaxonomy();

test("the shipped taxonomy has a version and no category twice", () => {
  expect(shipped.version).toMatch(/^\d{4}\.\d+$/);
  expect(new Set(shipped.categories).size).toBe(shipped.categories.length);
});

test.each([
  ["newsdata", "business", "economy"],
  ["rss", "Sports", "sport"],
  ["anything", "internationalNews", "world"],
  ["anything", "middleEast", "world"],
  ["anything", "localNews", "local"],
  ["anything", "politic", "politics"],
  ["anything", "diverse", "miscellany"],
  ["rss", "رياضة", "sport"],
  ["rss", "الرِّيَاضَة", "sport"],
  ["rss", "رأي", "opinion"],
  ["rss", "آراء", "opinion"],
  ["reuters1987", "money-fx", "economy"],
  ["rss", "World_News", "world"],
  ["rss", " science ", "science"],
])("the label of %s, %s, is mapped to %s", (provider, label, category) => {
  expect(shipped.mapLabel(provider, label)?.categoryId).toBe(category);
});

test("every canonical category maps to itself with full confidence, whoever the provider is", () => {
  for (const id of shipped.categories) {
    expect(shipped.mapLabel("nobody", id)).toEqual({ categoryId: id, confidence: 100 });
  }
});

test("an unknown label maps to nothing", () => {
  expect(shipped.mapLabel("rss", "quidditch")).toBeNull();
  expect(shipped.mapLabel("rss", "")).toBeNull();
  expect(shipped.mapLabel("rss", "constructor")).toBeNull();
});

const FILE = {
  version: "t1",
  categories: ["a", "b"],
  labels: { "*": { x: "a", y: { category: "b", confidence: 140 } }, Wire: { x: { category: "b", confidence: -3 } } },
};

test("a provider's own map wins over the map for every provider", () => {
  const taxonomy = createTaxonomy(FILE);
  expect(taxonomy.mapLabel("wire", "X")?.categoryId).toBe("b");
  expect(taxonomy.mapLabel("other", "X")?.categoryId).toBe("a");
  expect(taxonomy.mapLabel("wire", "y")?.categoryId).toBe("b");
});

test("a confidence outside 0 to 100 is clamped", () => {
  const taxonomy = createTaxonomy(FILE);
  expect(taxonomy.mapLabel("other", "y")?.confidence).toBe(100);
  expect(taxonomy.mapLabel("wire", "x")?.confidence).toBe(0);
  expect([clampConfidence(Number.NaN), clampConfidence(-1), clampConfidence(55.5), clampConfidence(101)]).toEqual([
    0, 0, 55.5, 100,
  ]);
});

test("a file takes the place of the shipped taxonomy", () => {
  const dir = mkdtempSync(join(tmpdir(), "isnad-taxonomy-"));
  const path = join(dir, "mine.json");
  writeFileSync(path, JSON.stringify(FILE));
  expect(loadTaxonomy(path).version).toBe("t1");
  rmSync(dir, { recursive: true });
});

test.each([
  ["no object", []],
  ["no version", { categories: ["a"], labels: {} }],
  ["no categories", { version: "1", categories: [], labels: {} }],
  ["labels of the wrong shape", { version: "1", categories: ["a"], labels: { "*": 3 } }],
  ["a label without a category", { version: "1", categories: ["a"], labels: { "*": { x: { confidence: 3 } } } }],
  ["a label for a category that is not there", { version: "1", categories: ["a"], labels: { "*": { x: "b" } } }],
])("a file with %s is refused", (_name, file) => {
  expect(() => createTaxonomy(file)).toThrow(TaxonomyError);
});

test("a file that is missing or no JSON is refused by name", () => {
  expect(() => loadTaxonomy("/nowhere/taxonomy.json")).toThrow("/nowhere/taxonomy.json");
});
