import { expect, test } from "bun:test";
import { mkdirSync, mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { corpusHash, entriesHash, type Figure, raiseFloors, readFloors, underFloors, writeFloors } from "./task.ts";
import { readNested } from "./tasks/ner-nested.ts";

test("the hash of a folder covers names and contents of all files below it", () => {
  const folder = mkdtempSync(join(tmpdir(), "isnad-corpus-"));
  writeFileSync(join(folder, "a.txt"), "one");
  const first = corpusHash(folder);
  expect(corpusHash(folder)).toBe(first);
  writeFileSync(join(folder, "b.txt"), "");
  expect(corpusHash(folder)).not.toBe(first);
  expect(corpusHash(join(folder, "a.txt"))).not.toBe(first);
});

test("the hash of held-out sentences stays when there are more sentences to train on", () => {
  const lexicon = mkdtempSync(join(tmpdir(), "isnad-corpus-"));
  const folder = join(lexicon, "entities");
  mkdirSync(folder);
  const write = (name: string, texts: readonly string[]) =>
    writeFileSync(
      join(folder, `${name}.jsonl`),
      texts.map((text, i) => `${JSON.stringify({ id: `${name}-000${i + 1}`, text, entities: [] })}\n`).join(""),
    );
  const entities = { sport: { held_out: true }, politics: { held_out: false } };
  writeFileSync(join(lexicon, "subjects.json"), JSON.stringify({ senses: {}, relations: {}, dialect: {}, entities }));
  write("sport", ["فاز الفريق."]);
  write("politics", []);
  const first = entriesHash(readNested(folder));
  write("politics", ["انتهت الجلسة."]);
  expect(entriesHash(readNested(folder))).toBe(first);
  write("sport", ["فاز الفريق.", "خسر الفريق."]);
  expect(entriesHash(readNested(folder))).not.toBe(first);
});

const figure = (value: number, more: Partial<Figure> = {}): Figure => ({
  task: "keyword",
  set: "A",
  metric: "nDCG@10",
  value,
  corpus: "c1",
  ...more,
});
const pinned = raiseFloors([figure(0.81239)], []);

test("a floor is the figure cut to four digits", () => {
  expect(pinned).toEqual([{ task: "keyword", set: "A", metric: "nDCG@10", floor: 0.8123, corpus: "c1" }]);
});

test("the floor of a share that is above 1 is 1", () => {
  expect(raiseFloors([figure(1.0165)], [])[0]?.floor).toBe(1);
});

test("a figure at its floor holds; one clearly below is named with both numbers", () => {
  expect(underFloors([figure(0.8123)], pinned)).toEqual([]);
  expect(underFloors([figure(0.8)], pinned)).toEqual(["keyword A nDCG@10 is 0.8000, below its floor of 0.8123"]);
});

test("a figure that has a floor and is no longer told is named, where its set was measured", () => {
  const floors = raiseFloors([figure(0.5), figure(0.5, { metric: "F1" }), figure(0.5, { set: "B" })], []);
  expect(underFloors([figure(0.5)], floors)).toEqual(["keyword A F1 has a floor and no figure"]);
  expect(underFloors([], floors)).toEqual([]);
});

test("a figure of a model may lie a little under its floor, and one of exact reading may not", () => {
  const of = (task: string, value: number) =>
    underFloors([figure(value, { task })], raiseFloors([figure(0.5, { task })], []));
  for (const [task, value, problems] of [
    ["keyword", 0.4981, 0],
    ["keyword", 0.4979, 1],
    ["feeds", 0.5, 0],
    ["feeds", 0.4999, 1],
    ["cases", 0.4999, 1],
    ["extraction", 0.4999, 1],
  ] as const)
    expect([task, value, of(task, value).length]).toEqual([task, value, problems]);
});

test("floors are written and read as they are, and a raised one takes the corpus that it was measured on", () => {
  const path = join(mkdtempSync(join(tmpdir(), "isnad-floors-")), "floors.json");
  const raised = raiseFloors([figure(0.9, { corpus: "c2" })], pinned);
  writeFloors(path, raised);
  expect(readFloors(path)).toEqual([{ task: "keyword", set: "A", metric: "nDCG@10", floor: 0.9, corpus: "c2" }]);
});

test.each(["MRR title, hybrid", "recall moved", "B³ F1", "medium ROUGE-2", "within 3"])("%s is pinned", (metric) => {
  expect(raiseFloors([figure(0.5, { metric })], [])).toHaveLength(1);
});

test.each(["P", "ECE", "lead-1 ROUGE-1", "over better", "recallable", "of clean MRR title"])(
  "%s is not pinned",
  (metric) => {
    expect(raiseFloors([figure(0.5, { metric })], [])).toEqual([]);
  },
);

test("a figure of another corpus is not compared", () => {
  expect(underFloors([figure(0.1, { corpus: "c2" })], pinned)[0]).toContain("the corpus is not the one");
});

test("a figure without a floor is not judged", () => {
  expect(underFloors([figure(0.1, { set: "B" })], pinned)).toEqual([]);
});

test("a floor is raised, never lowered, and others stay as they are", () => {
  const raised = raiseFloors([figure(0.9), figure(0.5, { set: "B" })], pinned);
  expect(raised.map(({ set, floor }) => [set, floor])).toEqual([
    ["A", 0.9],
    ["B", 0.5],
  ]);
  expect(() => raiseFloors([figure(0.8)], pinned)).toThrow("not lowering the floor of keyword A nDCG@10");
  expect(raiseFloors([figure(0.3, { set: "C" })], pinned)).toHaveLength(2);
});

test("what is no score of the whole is not pinned", () => {
  expect(raiseFloors([figure(0.02, { metric: "ECE" }), figure(0.7, { metric: "P" })], [])).toEqual([]);
});

test("the pinned floors of this repository name a corpus each", () => {
  for (const { corpus, floor } of readFloors(new URL("floors.json", import.meta.url).pathname)) {
    expect(corpus).toMatch(/^[0-9a-f]{64}$/);
    expect(floor).toBeWithin(0, 1.0001);
  }
});
