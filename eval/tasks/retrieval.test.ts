import { afterAll, expect, test } from "bun:test";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { isHeldOut } from "../retrieval-sets.ts";
import { evalHybrid, heldOutTitles } from "./retrieval.ts";

const news = mkdtempSync(join(tmpdir(), "isnad-titles-"));
afterAll(() => rmSync(news, { recursive: true }));

const rows = Array.from({ length: 200 }, (_, i) => ({
  title: `Headline number ${i}`,
  text: `${i} ${"words of the body ".repeat(20)}`,
  abstract: `${i} ${"an abstract ".repeat(10)}`,
}));
writeFileSync(join(news, "english.jsonl"), rows.map((row) => `${JSON.stringify(row)}\n`).join(""));
const held = rows.filter(({ text }) => isHeldOut(text));

test.each(["body", "abstract"] as const)("each held-out title asks for the %s of its own article", (part) => {
  const { documents, queries, grades } = heldOutTitles(news, "en", part);
  expect(queries.map(({ text }) => text)).toEqual(held.map(({ title }) => title));
  for (const [i, { id }] of queries.entries()) {
    const [wanted] = [...(grades.get(id)?.keys() ?? [])];
    const document = documents.find((each) => each.id === wanted);
    expect(document).toMatchObject({ title: "", text: part === "body" ? held[i]?.text : held[i]?.abstract });
  }
});

test("a title or a text that came before, and what is too short, is left out", () => {
  const [first] = held;
  writeFileSync(
    join(news, "ant_v2_ar.jsonl"),
    [first, first, { ...first, title: "short" }, { ...first, title: "Another headline", abstract: "too short" }]
      .map((row) => `${JSON.stringify(row)}\n`)
      .join(""),
  );
  expect(heldOutTitles(news, "ar", "body").queries).toHaveLength(1);
  expect(heldOutTitles(news, "ar", "abstract").queries).toHaveLength(1);
});

const documents = Array.from({ length: 12 }, (_, i) => ({ id: `d${i + 1}`, title: "", text: `text ${i + 1}` }));
const byWord = (...ids: number[]) => ({
  hits: ids.map((articleId, i) => ({ articleId, score: 10 - i })),
  corrections: [],
});
const byMeaning = (...ids: number[]) =>
  ids.map((articleId, i) => ({ articleId, score: 0.9 - i / 100, chunkNo: 0, start: 0, end: 1 }));

test("each branch and the fused lists are scored by the same grades, averaged over the queries", async () => {
  const collection = {
    documents,
    queries: [
      { id: "q1", text: "first" },
      { id: "q2", text: "second" },
    ],
    grades: new Map([["q1", new Map([["d2", 1]])]]),
  };
  const branches = {
    keyword: async () => byWord(1, 2),
    vector: async () => ({ hits: byMeaning(2, 3), candidates: 12 }),
  };
  const scores = await evalHybrid({ branches }, collection);
  // The second query has no judgement at all: it counts as 0.
  expect(scores.keyword).toBeCloseTo(1 / Math.log2(3) / 2, 10);
  expect(scores.vector).toBe(1 / 2);
  expect(scores.hybrid).toBe(1 / 2);
  expect(scores.recall).toBeUndefined();
  expect(scores.rankings.map(({ query, ids }) => [query, ids[0]])).toEqual([
    ["q1", "d2"],
    ["q2", "d2"],
  ]);
  expect(scores.rankings[0]?.scores).toHaveLength(scores.rankings[0]?.ids.length ?? 0);
});

test("recall is the share of the ten that are nearest in truth, and a ranking ends after ten", async () => {
  const twelve = Array.from({ length: 12 }, (_, i) => i + 1);
  const branches = {
    keyword: async () => byWord(...twelve),
    vector: async () => ({ hits: byMeaning(...twelve), candidates: 12 }),
  };
  const exact = async (_: string, k: number) => byMeaning(12, 11, 1, 2, 3, 4, 5, 6, 7, 8, 9).slice(0, k);
  const collection = { documents, queries: [{ id: "q", text: "x" }], grades: new Map([["q", new Map([["d11", 1]])]]) };
  const { recall, keyword, rankings } = await evalHybrid({ branches, exact }, collection);
  expect(recall).toBe(8 / 10);
  expect(keyword).toBe(0);
  expect(rankings[0]?.ids).toHaveLength(10);
});

test("no query at all is no division by zero", async () => {
  const branches = { keyword: async () => byWord(), vector: async () => ({ hits: [], candidates: 0 }) };
  expect(await evalHybrid({ branches }, { documents, queries: [], grades: new Map() })).toMatchObject({
    ...{ keyword: 0, vector: 0, hybrid: 0, byScore: 0, rankings: [] },
  });
});

test("quotation marks of a headline are not asked for: they would ask for the words as they stand", () => {
  const body = Array.from({ length: 60 }, (_, i) => `${i} ${"words of the body ".repeat(10)}`).find(isHeldOut) ?? "";
  writeFileSync(
    join(news, "english.jsonl"),
    `${JSON.stringify({ title: "\u201cStop\u201d, said the \u00abharbour\u00bb council", text: body })}\n`,
  );
  expect(heldOutTitles(news, "en", "body").queries.map(({ text }) => text)).toEqual([
    "Stop , said the  harbour  council",
  ]);
});
