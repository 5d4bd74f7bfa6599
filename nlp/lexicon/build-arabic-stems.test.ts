import { expect, test } from "bun:test";
import { mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import type { Reading } from "@isnad/lib/text";
import { endings, frequentNames, KINDS, kindsOf, passiveForms } from "./build-arabic-stems.ts";

/** The frequent names of articles that have each word so many times, as the lexicon reads words by these readings. */
function namesOf(counts: Readonly<Record<string, number>>, readings: Readonly<Record<string, Reading>> = {}): string[] {
  const file = join(mkdtempSync(join(tmpdir(), "isnad-names-")), "news.jsonl.gz");
  const text = Object.entries(counts)
    .map(([word, count]) => `${word} `.repeat(count))
    .join("");
  writeFileSync(file, gzipSync(`${JSON.stringify({ title: "", text })}\n`));
  return frequentNames(file, (word) => readings[word]).map(({ word }) => word);
}

const reading = (stem: string, cost: number): Reading => ({ stem, root: "", cost, lemmas: [] });

test("a word is frequent from twelve times on, counted in titles and texts", () => {
  expect(namesOf({ ترامب: 12 })).toEqual(["ترامب"]);
  expect(namesOf({ ترامب: 11 })).toEqual([]);
  const file = join(mkdtempSync(join(tmpdir(), "isnad-names-")), "news.jsonl.gz");
  const article = { title: "ترامب ".repeat(6), text: "ترامب ".repeat(6) };
  writeFileSync(file, gzipSync(JSON.stringify(article)));
  const [name, ...others] = frequentNames(file, () => undefined);
  expect([name?.word, Math.abs(name?.cost ?? 1), others]).toEqual(["ترامب", 0, []]);
});

test("the cost of a name is minus the logarithm of its share of all words", () => {
  const file = join(mkdtempSync(join(tmpdir(), "isnad-names-")), "news.jsonl.gz");
  writeFileSync(file, gzipSync(JSON.stringify({ title: "", text: `${"ترامب ".repeat(25)}${"بيت ".repeat(75)}` })));
  const [name] = frequentNames(file, (word) => (word === "بيت" ? reading("بيت", 1) : undefined));
  expect(name?.word).toBe("ترامب");
  expect(name?.cost).toBeCloseTo(Math.log(4), 6);
});

test("a name has three Arabic letters at least, and no others", () => {
  expect(namesOf({ تر: 40, CNN: 40, ترا: 40, بي2: 40 })).toEqual(["ترا"]);
});

test("a word that is a more frequent one with a clitic is left out, and one that is more frequent than that is not", () => {
  expect(namesOf({ ترامب: 40, وترامب: 15, بترامب: 13, والترامب: 14 })).toEqual(["ترامب"]);
  expect(namesOf({ الهلال: 40, هلال: 13 })).toEqual(["الهلال", "هلال"]);
  expect(namesOf({ وليد: 40, ليد: 13 })).toEqual(["وليد", "ليد"]);
});

test("a word that the lexicon reads well is no name, however frequent", () => {
  expect(namesOf({ كتاب: 50 }, { كتاب: reading("كتاب", 8) })).toEqual([]);
  expect(namesOf({ كتاب: 50 }, { كتاب: reading("كتاب", 14.4) })).toEqual([]);
});

test("a far-fetched reading is doubted of a word that is far more frequent, and whose stem hardly occurs otherwise", () => {
  const readings = { فيسبوك: reading("سب", 24) };
  expect(namesOf({ فيسبوك: 50 }, readings)).toEqual(["فيسبوك"]);
  expect(namesOf({ فيسبوك: 50, سب: 6 }, readings)).toEqual([]);
  expect(namesOf({ فيسبوك: 50, السب: 3, سبات: 3 }, readings)).toEqual([]);
  expect(namesOf({ فيسبوك: 50 }, { فيسبوك: reading("سب", 14.6) })).toEqual(["فيسبوك"]);
});

test("each kind is a bit of its own, and all nominal ones are six", () => {
  const bits = Object.values(KINDS);
  expect(new Set(bits).size).toBe(10);
  expect(bits.every((bit) => Number.isInteger(Math.log2(bit)))).toBe(true);
  expect(bits.reduce((sum, bit) => sum + bit, 0)).toBe(1023);
  expect(kindsOf("MS||MD||MP||FS||FD||FP")).toBe(63);
});

test.each([
  ["MS", 1],
  ["FS", 2],
  ["MD", 4],
  ["FD", 8],
  ["MP", 16],
  ["FP", 32],
  ["MS||FS", 3],
  ["FD FP", 40],
  ["MS #dip", 1],
  ["MSX", 63],
])("a condition of %s asks for the kinds %d", (condition, mask) => {
  expect(kindsOf(condition)).toBe(mask);
});

test("the first class that fits says what stands before an ending", () => {
  expect(endings("#A'-w #iy")).toEqual(["ء", "ئ", "ؤ", "", "و"]);
  expect(endings("x #ap-w y")).toEqual(["", "و"]);
  expect(endings("#aX")).toEqual([""]);
});

test.each([
  ["زار", "زور", "perfect", ["زير"]],
  ["صام", "صوم", "perfect", ["صيم"]],
  ["زور", "زور", "imperfect", ["زار"]],
  ["عيش", "عيش", "imperfect", ["عاش"]],
  ["نام", "نوم", "imperfect", []],
  ["وصل", "وصل", "perfect", []],
  ["قاتل", "قتل", "perfect", []],
  ["رام", "روم", "noun", []],
])("a hollow verb in the %s of %s (%s) has the passive %p", (form, root, kind, forms) => {
  expect(passiveForms(form, root, kind)).toEqual(forms);
});

test("words are counted with their letters folded, vowels and all", () => {
  expect(namesOf({ إيلون: 6, ايلون: 6, أيلون: 1 })).toEqual(["ايلون"]);
  expect(namesOf({ تَرامب: 6, ترامب: 6 })).toEqual(["ترامب"]);
  expect(namesOf({ "ترامب،": 6, "«ترامب»": 6 })).toEqual(["ترامب"]);
});

test("of no articles there are no names", () => {
  expect(namesOf({})).toEqual([]);
  expect(namesOf({ بيت: 11 })).toEqual([]);
});
