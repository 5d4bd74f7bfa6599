import { afterAll, beforeAll, expect, test } from "bun:test";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { evaluateCheckworthiness, readSet } from "./evaluate.ts";

const dir = mkdtempSync(join(tmpdir(), "isnad-check-"));
beforeAll(() => {
  mkdirSync(join(dir, "debates"));
  writeFileSync(
    join(dir, "set.tsv"),
    "9\tIt rose by 5 percent.\tYes\n3\tThanks.\tNo\n7\tGood evening to 2 friends.\tNo\n",
  );
  writeFileSync(join(dir, "debates", "a.tsv"), "1\tX\tIt rose by 5.\t1\n2\tX\tThanks.\t0\n");
  writeFileSync(join(dir, "debates", "b.tsv"), "1\tX\tWe have 3 guests.\t0\n2\tX\tJobs were lost.\t1\n");
  writeFileSync(join(dir, "debates", "README.txt"), "no debate");
});
afterAll(() => rmSync(dir, { recursive: true }));

/** Scores the share of digits: enough to follow by hand. */
const digits = {
  threshold: () => 0.02,
  classify: async (sentences: readonly string[]) =>
    sentences.map((text) => (text.match(/\d/g)?.length ?? 0) / text.length),
};

test("predictions are in the order of the set", async () => {
  const { evaluation, predictions } = await evaluateCheckworthiness(digits, readSet(join(dir, "set.tsv")), {
    name: "set.tsv",
  });
  expect(predictions.map(({ id, checkworthy }) => [id, checkworthy])).toEqual([
    ["9", true],
    ["3", false],
    ["7", true],
  ]);
  expect(evaluation).toMatchObject({
    set: "set.tsv",
    lang: "en",
    sentences: 3,
    precision: 0.5,
    recall: 1,
    map: undefined,
  });
});

test("sentences are scored as what they are from, by default a debate", async () => {
  const genres: (string | undefined)[] = [];
  const asking = {
    threshold: (_lang: string, genre?: string) => (genre === "news" ? 0.9 : 0.02),
    classify: (sentences: readonly string[], { genre }: { genre?: string } = {}) => {
      genres.push(genre);
      return digits.classify(sentences);
    },
  };
  const files = readSet(join(dir, "set.tsv"));
  const thresholds: number[] = [];
  for (const genre of [undefined, "debate", "news"] as const) {
    const options = { name: "set.tsv", ...(genre !== undefined && { genre }) };
    thresholds.push((await evaluateCheckworthiness(asking, files, options)).evaluation.threshold);
  }
  expect(genres).toEqual(["debate", "debate", "news"]);
  expect(thresholds).toEqual([0.02, 0.02, 0.9]);
});

test("a folder of debates has the mean of their average precisions", async () => {
  const { evaluation } = await evaluateCheckworthiness(digits, readSet(join(dir, "debates")), { name: "debates" });
  expect(evaluation.map).toBe((1 + 1 / 2) / 2);
  expect(evaluation.sentences).toBe(4);
});
