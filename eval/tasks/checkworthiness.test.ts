import { afterAll, beforeAll, expect, test } from "bun:test";
import { createHash } from "node:crypto";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { gzipSync } from "node:zlib";
import {
  adaptiveCalibrationError,
  averagePrecision,
  calibrationError,
  evaluateCheckworthiness,
  heldOutClaims,
  heldOutDebates,
  judgedSentences,
  measure,
  readSentences,
  readSet,
  tsvRows,
} from "./checkworthiness.ts";

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

test("only debates that no training has seen are read", () => {
  const dir = mkdtempSync(join(tmpdir(), "isnad-debates-"));
  for (const name of ["20181010_medicare.tsv", "20160926_1pres.tsv"]) {
    writeFileSync(join(dir, name), "1\tHOLT\tTaxes fell by 4 percent.\t1\n");
  }
  expect([...heldOutDebates(dir).keys()]).toEqual(["20181010_medicare.tsv"]);
  rmSync(dir, { recursive: true });
});

test("only our own sentences of topics that are held out are read, in one language", () => {
  const folder = fileURLToPath(new URL("../../nlp/lexicon/claims", import.meta.url));
  const sentences = heldOutClaims(folder, "ar");
  expect(new Set(sentences.map(({ id }) => id.replace(/-\d+$/, "")))).toEqual(
    new Set(["migration-ar", "sport-ar", "foreign-aid-ar", "transport-ar"]),
  );
  expect(new Set(sentences.map(({ label }) => label))).toEqual(new Set([true, false]));
});

test("average precision of a ranking, by hand", () => {
  expect(averagePrecision([true, false, true, false], [0.9, 0.8, 0.7, 0.1])).toBeCloseTo((1 + 2 / 3) / 2, 12);
});

test("a ranking is by scores, in whatever order the set has them", () => {
  // Ranked: wrong, right, wrong, right.
  expect(averagePrecision([true, false, true, false], [0.1, 0.9, 0.7, 0.3])).toBeCloseTo((1 / 2 + 2 / 4) / 2, 12);
  expect(averagePrecision([false, false, true], [0.1, 0.2, 0.9])).toBe(1);
});

test("what of a calibration error is chance is taken off, and nothing of it where scores are certain", () => {
  const certain = measure([true, false, false, false], [1, 0, 1, 1], 0.5, 0.3);
  expect([certain.ece, certain.eceDebiased]).toEqual([0.5, 0.5]);
  // A hundred fair coins lie some .04 from one half by chance: the mean of |N(0, .05)|.
  const coins = Array.from({ length: 100 }, () => 0.5);
  const heads = measure(
    coins.map(() => true),
    coins,
    0.5,
    0.3,
  );
  expect(heads.ece).toBe(0.5);
  expect(heads.ece - heads.eceDebiased).toBeWithin(0.03, 0.05);
  expect(
    measure(
      coins.map((_, i) => i % 2 === 0),
      coins,
      0.5,
      0.3,
    ).eceDebiased,
  ).toBe(0);
});

test("bins of equal count are filled in the order of the scores", () => {
  const labels = Array.from({ length: 20 }, (_, i) => i >= 10);
  const right = labels.map((label) => (label ? 0.9 : 0.1));
  expect(adaptiveCalibrationError(labels, right)).toBeCloseTo(0.1, 12);
  expect(adaptiveCalibrationError(labels.toReversed(), right)).toBeCloseTo(0.9, 12);
  expect(calibrationError([true, false], [0.15, 0.15])).toBeCloseTo((0.85 - 0.15) / 2, 12);
});

test("ties keep the order of the set", () => {
  expect(averagePrecision([false, true], [0.5, 0.5])).toBe(0.5);
});

test("precision, recall, F1 and accuracy at the threshold, which itself counts as positive", () => {
  const found = measure([true, true, false, false], [0.9, 0.3, 0.5, 0.1], 0.5, 0.3);
  expect(found).toMatchObject({ precision: 0.5, recall: 0.5, f1: 0.5, accuracy: 0.5, sentences: 4, positive: 2 });
});

test("calibration error: certain and wrong is 1, certain and right is 0", () => {
  expect(calibrationError([false, true], [1, 0])).toBe(1);
  expect(calibrationError([true, false], [1, 0])).toBe(0);
  expect(adaptiveCalibrationError([false, true], [1, 0])).toBe(1);
});

test("calibration error within a bin is the gap between mean probability and share", () => {
  const scores = [0.62, 0.64, 0.66, 0.68];
  expect(calibrationError([true, false, true, false], scores)).toBeCloseTo(0.15, 12);
});

test("what chance alone shows is taken off", () => {
  const scores = Array.from({ length: 100 }, (_, i) => (i + 0.5) / 100);
  const labels = scores.map((_, i) => (i * 37) % 100 < i);
  const { ece, eceDebiased } = measure(labels, scores, 0.5, 0.5);
  expect(eceDebiased).toBeLessThan(ece);
});

test("an error that only the share of positives makes goes when rows are weighed", () => {
  // of the scores 0.2 one in five is positive, of 0.8 four in five; then every positive is there four times
  const scores = [0.2, 0.2, 0.2, 0.2, 0.2, 0.8, 0.8, 0.8, 0.8, 0.8];
  const labels = [true, false, false, false, false, true, true, true, true, false];
  const more = labels.flatMap((label, i) => new Array<number>(label ? 4 : 1).fill(i));
  const manyLabels = more.map((i) => labels[i] ?? false);
  const manyScores = more.map((i) => scores[i] ?? 0);
  expect(calibrationError(manyLabels, manyScores)).toBeGreaterThan(0.1);
  expect(calibrationError(manyLabels, manyScores, 0.5)).toBeCloseTo(0, 12);
});

const read = (text: string) => readSentences(text, "set.tsv");

test("CheckThat! in English, with header", () => {
  expect(read('Sentence_id\tText\tclass_label\n26\t"You know, ""so"""\tNo\n80\tIt rose.\tYes\n')).toEqual([
    { id: "26", text: 'You know, "so"', label: false },
    { id: "80", text: "It rose.", label: true },
  ]);
});

test("CheckThat! of tweets, without header", () => {
  expect(read("7\thttps://x.example/7\tنص\tYes\n")).toEqual([{ id: "7", text: "نص", label: true }]);
});

test("a set of earlier years, with a topic before the id", () => {
  const text = "topic\ttweet_id\ttweet_url\ttweet_text\tclass_label\nCOVID\t5\thttps://x.example/5\tIt rose.\t1\n";
  expect(read(text)).toEqual([{ id: "5", text: "It rose.", label: true }]);
});

test("a set without labels, by its header", () => {
  expect(read("Sentence_id\tText\n26\tIt rose.\n")).toEqual([{ id: "26", text: "It rose.", label: undefined }]);
});

test("a debate: marks are letters, labels are 0 and 1", () => {
  expect(read('1\tHOLT\t"Good evening.\t0\r\n2\tTRUMP\tWe lost jobs.\t1\r\n')).toEqual([
    { id: "1", text: '"Good evening.', label: false },
    { id: "2", text: "We lost jobs.", label: true },
  ]);
});

test("a byte order mark is no part of the header", () => {
  expect(read("\ufeffSentence_id\tText\tclass_label\n1\tA b.\tno\n")).toHaveLength(1);
});

test("a row without a label is named", () => {
  expect(() => read("Sentence_id\tText\tclass_label\n1\tA.\tNo\n2\tB.\tperhaps\n")).toThrow("set.tsv: row 2");
});

test("columns are read by the header's names, whatever stands after the label", () => {
  expect(read("Sentence_id\tText\tclass_label\tspeaker\n26\tIt rose.\tYes\tHOLT\n")).toEqual([
    { id: "26", text: "It rose.", label: true },
  ]);
});

const quoted = (text: string) => tsvRows(text, { quoted: true });

test("rows end at line feeds, with or without a return; blank lines are none", () => {
  expect(quoted("a\tb\r\n\nc\td")).toEqual([
    ["a", "b"],
    ["c", "d"],
  ]);
});

test("empty cells are kept, at the end of a row too", () => {
  expect(quoted("a\t\tb\t\nc\t")).toEqual([
    ["a", "", "b", ""],
    ["c", ""],
  ]);
});

test("a quoted cell holds tabs, line feeds and doubled marks", () => {
  expect(quoted('1\t"He said ""no""\tand\nleft"\tYes\n')).toEqual([["1", 'He said "no"\tand\nleft', "Yes"]]);
});

test("a mark that nothing closes is a letter", () => {
  expect(quoted('1\t"so be it\tNo')).toEqual([["1", '"so be it', "No"]]);
});

test("without quoting a mark is a letter", () => {
  expect(tsvRows('1\tX\t"Yes", he said\t0\n', { quoted: false })).toEqual([["1", "X", '"Yes", he said', "0"]]);
});

test("judged sentences are cut from their articles, and another text is refused", () => {
  const folder = mkdtempSync(join(tmpdir(), "isnad-judged-"));
  try {
    const write = (text: string) =>
      writeFileSync(join(folder, "english.jsonl.gz"), gzipSync(`${JSON.stringify({ id: "a-1", lang: "en", text })}\n`));
    const text = "Bread rose.";
    const sha256 = createHash("sha256").update(text).digest("hex").slice(0, 16);
    const judged = { id: "a-1", start: 5, end: 16, sha256, label: "claim" };
    writeFileSync(join(folder, "held-out.en.jsonl"), `${JSON.stringify(judged)}\n`);
    write("Well\n\n Bread  rose. Then it fell.");
    expect(judgedSentences(folder, folder, "en")).toEqual([{ id: "a-1:5", text, label: true }]);
    write("Well, bread rose.");
    expect(() => judgedSentences(folder, folder, "en")).toThrow("a-1 is not the article that was judged");
  } finally {
    rmSync(folder, { recursive: true });
  }
});
