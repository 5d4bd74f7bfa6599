import { expect, test } from "bun:test";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { LabelledArticle } from "../stories/archive.ts";
import { bCubed, changedPairs, measureStories, pairScores, stories, type Told } from "./stories.ts";

const told = (...rows: [lang: string, story: string, told: string][]): Told[] =>
  rows.map(([lang, story, into]) => ({ lang, story, told: into }));

// Two stories of two articles each; one article of the second was put into the first.
const MIXED = told(["en", "a", "1"], ["ar", "a", "1"], ["en", "b", "1"], ["en", "b", "2"]);

test("B³ is 1 for what is told right, and counts each article's own story", () => {
  expect(bCubed(told(["en", "a", "1"], ["en", "a", "1"], ["en", "b", "2"])).f1).toBe(1);
  const { precision, recall } = bCubed(MIXED);
  expect(precision).toBeCloseTo((2 / 3 + 2 / 3 + 1 / 3 + 1) / 4);
  expect(recall).toBeCloseTo((1 + 1 + 1 / 2 + 1 / 2) / 4);
});

test("pairs of one language and of two are counted apart", () => {
  expect(pairScores(MIXED, { across: false })).toMatchObject({ precision: 0, recall: 0 });
  expect(pairScores(MIXED, { across: true })).toMatchObject({ precision: 1 / 2, recall: 1 });
});

test("where nothing is joined, precision is 1", () => {
  expect(pairScores(told(["en", "a", "1"], ["en", "a", "2"]), { across: false })).toEqual({
    f1: 0,
    precision: 1,
    recall: 0,
  });
});

test("pairs that one telling has and the other has not are changed", () => {
  expect(changedPairs(["x", "x", "y"], [5, 5, 6])).toBe(0);
  expect(changedPairs(["x", "x", "x"], [5, 5, 6])).toBeCloseTo(2 / 3);
});

const tokens = (text: string): string[] => text.toLowerCase().match(/\p{L}+/gu) ?? [];
const SUBJECTS = ["harbour", "election", "vaccine", "museum"];
/** Says what a text is about: one dimension a subject. */
const vectorOf = (text: string): Float32Array => {
  const counts = SUBJECTS.map((subject) => tokens(text).filter((word) => word === subject).length);
  const length = Math.hypot(...counts) || 1;
  return Float32Array.from({ length: 384 }, (_, i) => (counts[i] ?? 0) / length);
};
const models = {
  embedder: { modelId: "fake", embed: async (texts: readonly string[]) => texts.map(vectorOf) },
  tagger: { modelId: "fake", tag: async (texts: readonly string[]) => texts.map(() => []) },
};

const article = (
  id: string,
  story: string | undefined,
  text: string,
  more: Partial<LabelledArticle> = {},
): LabelledArticle => ({
  ...{ id, lang: "en", source: `paper-${id}`, url: `https://n.example/${id}`, story },
  ...{
    title: text.split(".")[0] ?? "",
    content: text,
    publishedAt: `2024-05-0${1 + (id.charCodeAt(0) % 2)}T10:00:00.000Z`,
  },
  ...more,
});
const SET = [
  article(
    "a",
    "fire",
    "Fire closes the harbour of Sahlan. The harbour fire began at night, and the harbour stays closed on Sunday.",
  ),
  article(
    "b",
    "fire",
    "Harbour of Sahlan closed by fire. A harbour fire at night closed the harbour of Sahlan until Sunday.",
  ),
  article(
    "c",
    "vote",
    "Voters choose a mayor. The election in Noma had three candidates, and the election office counts.",
  ),
  article("d", undefined, "A museum opens. The museum of Derwan shows old coins, and the museum is free."),
];

/** Returns the place of an article in the set. */
const placeOf = (id: string): number => SET.findIndex((each) => each.id === id);

test("a set is told from nothing, in two orders, beside plain ways to join and a first reading", async () => {
  const read = SET.map((each) => ({ ...each, firstReading: each.id === "b" ? undefined : each.story }));
  const { figures, size, predictions, corpus } = await measureStories(read, models, { isBoth: false });
  expect([size, corpus?.length]).toEqual([4, 64]);
  expect(figures["same in any order"]).toBe(1);
  for (const way of ["", ", titles", ", tf-idf", ", cosine"]) {
    expect([way, figures[`B³ F1${way}`], figures[`pairwise F1${way}`]]).toEqual([way, 1, 1]);
  }
  expect(Object.keys(figures).some((name) => name.startsWith("across"))).toBe(false);
  const told = predictions.map((line) => line.split("\t"));
  expect(told.map(([id = ""]) => placeOf(id)).toSorted()).toEqual([0, 1, 2, 3]);
  // What is alone has a story of its own.
  expect(new Set(told.map(([, story]) => story)).size).toBe(3);
  // The first reading took one of the two of the fire to be alone: each of them is told with a stranger.
  expect(figures["readings agree, B³ F1"]).toBeCloseTo((2 * 1 * (3 / 4)) / (1 + 3 / 4), 6);
  expect(figures["B³ F1, first reading"]).toBeCloseTo((2 * (3 / 4) * 1) / (3 / 4 + 1), 6);
});

test("of two languages the pairs across are told as well; plain ways join nothing that is days apart", async () => {
  const late = SET.map(
    (each): LabelledArticle => (each.id === "b" ? { ...each, publishedAt: "2024-05-20T10:00:00.000Z" } : each),
  );
  const { figures } = await measureStories(late, models, { isBoth: true });
  expect([figures["across recall"], figures["across precision"]]).toEqual([1, 1]);
  expect(figures["across recall, tf-idf"]).toBe(1);
  expect([figures["pairwise F1, titles"], figures["pairwise F1, tf-idf"], figures["pairwise F1, cosine"]]).toEqual([
    0, 0, 0,
  ]);
});

test("stories are a task only where both files of the news are there", () => {
  const dir = mkdtempSync(join(tmpdir(), "isnad-stories-"));
  mkdirSync(join(dir, "news"));
  writeFileSync(join(dir, "news/ant_v2_ar.jsonl.gz"), "");
  expect(stories.sets(dir, { full: false })).toEqual([]);
  writeFileSync(join(dir, "news/english.jsonl.gz"), "");
  expect(stories.sets(dir, { full: false }).map(({ set }) => set)).toEqual([
    "Arabic days",
    "English days",
    "both languages",
  ]);
  rmSync(dir, { recursive: true });
});
