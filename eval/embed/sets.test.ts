import { afterAll, expect, test } from "bun:test";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { isHeldOut } from "./data.ts";
import pairs from "./pairs.json" with { type: "json" };
import { handWritten, heldOutNews, parallelSentences, questionSet } from "./sets.ts";

const data = mkdtempSync(join(tmpdir(), "isnad-sets-"));
for (const folder of ["news", "parallel/pud", "retrieval/tiny"]) mkdirSync(join(data, folder), { recursive: true });
afterAll(() => rmSync(data, { recursive: true }));

const lines = (rows: readonly object[]): string => rows.map((row) => `${JSON.stringify(row)}\n`).join("");

test("news: only held-out articles, a language at a time, title to its body", () => {
  const rows = Array.from({ length: 200 }, (_, i) => ({
    lang: i % 2 ? "en" : "ar",
    title: `Headline number ${i}`,
    text: `${i} ${"words of the body ".repeat(20)}`,
  }));
  writeFileSync(join(data, "news/ant_v2_ar.jsonl"), lines(rows));
  writeFileSync(join(data, "news/ant_v1_ar.jsonl"), "");
  writeFileSync(join(data, "news/english.jsonl"), lines([{ lang: "en", title: "short", text: "too short" }]));
  const sets = heldOutNews(data);
  const held = rows.filter((row) => isHeldOut(row.text));
  expect(sets.map((set) => set.queries.length)).toEqual([
    held.filter((row) => row.lang === "ar").length,
    held.filter((row) => row.lang === "en").length,
  ]);
  for (const set of sets) {
    set.queries.forEach((title, i) => {
      const index = [...(set.wanted[i] ?? [])][0] ?? -1;
      expect(set.documents[index]?.split(" ")[0]).toBe(title.split(" ").at(-1));
    });
  }
});

test("parallel sentences: both directions, and the pool of both languages without the sentence itself", () => {
  writeFileSync(join(data, "parallel/pud/en-ar.tsv"), "one\tواحد\ntwo\tاثنان\n");
  const [there, back, both] = parallelSentences(data);
  expect(there).toMatchObject({ queries: ["واحد", "اثنان"], documents: ["one", "two"] });
  expect(back).toMatchObject({ queries: ["one", "two"], documents: ["واحد", "اثنان"] });
  expect(both?.documents[both.skip?.(1) ?? -1]).toBe("اثنان");
});

test("questions: title and text of the passage, queries without an answer left out", () => {
  writeFileSync(
    join(data, "retrieval/tiny/corpus.jsonl"),
    lines([
      { _id: "d1", title: "T", text: "x" },
      { _id: "d2", text: "y" },
    ]),
  );
  writeFileSync(
    join(data, "retrieval/tiny/queries.jsonl"),
    lines([
      { _id: "q1", text: "a?" },
      { _id: "q2", text: "b?" },
    ]),
  );
  writeFileSync(
    join(data, "retrieval/tiny/qrels.tsv"),
    "query-id\tcorpus-id\tscore\nq1\td2\t1\nq2\td1\t0\nq2\tgone\t1\n",
  );
  expect(questionSet(data, "tiny", "tiny")).toEqual({
    name: "tiny",
    queries: ["a?"],
    documents: ["T\nx", "\ny"],
    wanted: [new Set([1])],
  });
});

test("hand-written pairs are searched among the second halves of all sets", () => {
  const [first, second] = handWritten({
    a: [["q", "d0"]],
    b: [
      ["r", "d1"],
      ["s", "d2"],
    ],
  });
  expect(first?.documents).toEqual(["d0", "d1", "d2"]);
  expect(second?.wanted).toEqual([new Set([1]), new Set([2])]);
});

test("the halves of a hand-written pair share no word", () => {
  const words = (text: string): string[] =>
    text
      .toLowerCase()
      .replaceAll(/[أإآ]/gu, "ا")
      .split(/[^\p{L}\p{N}]+/u)
      .map((word) => word.replace(/^(و|ب|ل|ف)?ال/u, ""))
      .filter((word) => word.length > 3);
  for (const [left = "", right = ""] of Object.values(pairs).flat()) {
    const shared = words(left).filter((word) => words(right).includes(word));
    expect({ left, shared }).toEqual({ left, shared: [] });
  }
});
