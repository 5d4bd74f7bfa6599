import { expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { measurePairs, readPairs, recallAt5, reciprocal } from "./claims-match.ts";

const text = (of: string) =>
  readFileSync(fileURLToPath(new URL(`../claims/pairs.${of}.jsonl`, import.meta.url)), "utf8");

test("each claim makes a pair that is the same and a near miss, and halves of the set do not meet", () => {
  for (const of of ["en", "ar", "ar-en"]) {
    const [development, heldOut] = [readPairs(text(of), "development"), readPairs(text(of), "held-out")];
    expect(development.length + heldOut.length).toBe(2 * text(of).trim().split("\n").length);
    expect(heldOut.filter(({ same }) => same)).toHaveLength(heldOut.length / 2);
    const claims = new Set(development.map(({ a }) => a));
    expect(heldOut.filter(({ a }) => claims.has(a))).toEqual([]);
  }
});

test("ranks are counted from 1; 0 is none", () => {
  expect(recallAt5([1, 5, 6, 0])).toBe(0.5);
  expect(reciprocal([1, 2, 0, 4])).toBe(1.75 / 4);
  expect([recallAt5([]), reciprocal([])]).toEqual([0, 0]);
});

test("a line makes two pairs, and halves are every other line", () => {
  const lines = [1, 2, 3].map((n) => JSON.stringify({ a: `a${n}`, same: `s${n}`, other: `o${n}`, kind: "number" }));
  const pairs = lines.join("\n");
  expect(readPairs(pairs, "development").map(({ a, b, same }) => [a, b, same])).toEqual([
    ["a1", "s1", true],
    ["a1", "o1", false],
    ["a3", "s3", true],
    ["a3", "o3", false],
  ]);
  expect(readPairs(pairs, "held-out").map(({ a }) => a)).toEqual(["a2", "a2"]);
});

/** Models to which texts are alike by how far their first letters are from each other. */
const models = {
  embedder: { embed: async (texts: readonly string[]) => texts.map(vectorOf) },
  reranker: {
    encoder: {
      modelId: "fake",
      read: async (texts: readonly { text: string }[]) => texts.map(({ text }) => vectorOf(text)),
    },
  },
  tagger: { tag: async (texts: readonly string[]) => texts.map(() => []) },
};
function vectorOf(text: string): Float32Array {
  const angle = (text.codePointAt(0) ?? 0) / 10;
  return Float32Array.of(Math.cos(angle), Math.sin(angle));
}

test("precision is over what is told to be the same, recall over what is", async () => {
  const texts = ["A minister resigned on Monday in Sahlan.", "B minister resigned on Monday in Sahlan."];
  const [one = "", near = ""] = texts;
  const far = "Zebras came to the museum.";
  const pair = (a: string, b: string, same: boolean) => ({ a, b, same });
  const measured = await measurePairs(
    [pair(one, one, true), pair(one, near, false), pair(one, far, true), pair(one, far, false)],
    models,
  );
  const told = measured.predictions.map((line) => line.split("\t")[0]);
  expect([told[0], told[2], told[3]]).toEqual(["same", "other", "other"]);
  const said = told.filter((each) => each === "same").length;
  expect(measured.figures).toEqual({ "same precision": 1 / said, "same recall": 1 / 2 });
  expect(measured.size).toBe(4);
  expect(measured.predictions[0]).toMatch(/^same\t[01]\.\d{4}\tA minister/);
});

test("no pair is no division by zero", async () => {
  expect((await measurePairs([], models)).figures).toEqual({ "same precision": 0, "same recall": 0 });
});
