import { expect, test } from "bun:test";
import { mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { readRegionForms, readRegionSentences, readRegionWords } from "./dialect-sentences.ts";
import { shuffled } from "./perceptron.ts";
import { areCliticsOf, isFormOf, isPosOf, readSpeech, type SpokenWord } from "./morph-sentences.ts";

/** A new folder with these files. */
function folderOf(files: Readonly<Record<string, string>>): string {
  const folder = mkdtempSync(join(tmpdir(), "isnad-regions-"));
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text);
  return folder;
}

test("sentences of regions are read by part, empty lines passed over", () => {
  const folder = folderOf({
    "train.tsv": "msa\tكيف حالك\n\ngulf\tشلونك\n",
    "held-out.tsv": "egyptian\tإزيك\n",
    "words.tsv": "iraqi\tشكو\n",
  });
  expect(readRegionSentences(folder, "train")).toEqual([
    { dialect: "msa", text: "كيف حالك" },
    { dialect: "gulf", text: "شلونك" },
  ]);
  expect(readRegionSentences(folder, "held-out")).toEqual([{ dialect: "egyptian", text: "إزيك" }]);
  expect(readRegionWords(folder)).toEqual([{ dialect: "iraqi", text: "شكو" }]);
});

test("a line of a dialect that there is not is refused", () => {
  expect(() => readRegionWords(folderOf({ "words.tsv": "atlantean\tكلمة\n" }))).toThrow();
});

test("frames are filled in with stems of their kind, and every third form is taken", () => {
  const folder = folderOf({
    "frames.tsv": "egyptian\tب{I}\negyptian\t{P}ش\nlevantine\tهال{N}\n",
    "stems.tsv": "verb\tراح\tروح\nverb\tشاف\tشوف\nnoun\tبيت\tبيت\n",
  });
  // بروح, بشوف, راحش, شافش, هالبيت
  expect(readRegionForms(folder)).toEqual([
    { dialect: "egyptian", text: "بروح" },
    { dialect: "egyptian", text: "شافش" },
  ]);
});

const word = (more: Partial<SpokenWord> = {}): SpokenWord => ({
  ...{ form: "بيتي", lemmas: ["بيت"], pos: ["NOUN"], forms: ["ms"], clitics: ["_+ي"] },
  ...more,
});
const clitic = (form: string) => ({ form, type: "" });

test("a word that somebody says has the lemma, part of speech, form and clitics that its line says", () => {
  const lexicon = join(import.meta.dirname, "../../../nlp/lexicon");
  const [first] = readSpeech(lexicon, "held-out");
  expect(first?.[0]).toEqual({ form: "مدرستي", lemmas: ["مدرسه"], pos: ["NOUN"], forms: ["fs"], clitics: ["_+ي"] });
  expect(first?.find(({ form }) => form === "من")).toMatchObject({ forms: [], clitics: ["_"] });
});

test.each([
  ["NOUN", ["NOUN"], true],
  ["AUX", ["VERB"], true],
  ["SCONJ", ["CONJ"], true],
  ["CCONJ", ["CONJ"], true],
  ["DET", ["PRON"], true],
  ["ADJ", ["NOUN"], false],
  ["ADJ", ["NOUN", "ADJ"], true],
])("%s is one of %p: %p", (upos, pos, expected) => {
  expect(isPosOf(word({ pos }), upos)).toBe(expected);
});

test("clitics are those around the word, one of several ways", () => {
  const given = { proclitics: [clitic("وَ"), clitic("ال")], enclitics: [] };
  expect(areCliticsOf(word({ clitics: ["و+ال+_"] }), given)).toBe(true);
  expect(areCliticsOf(word({ clitics: ["_", "و+ال+_"] }), given)).toBe(true);
  expect(areCliticsOf(word({ clitics: ["و+_"] }), given)).toBe(false);
  expect(areCliticsOf(word(), { proclitics: [], enclitics: [clitic("ِي")] })).toBe(true);
  expect(areCliticsOf(word({ clitics: ["أ+_"] }), { proclitics: [clitic("أَ")], enclitics: [] })).toBe(true);
});

test("gender and number are asked of nouns, verbs and adjectives alone, and each may be left open", () => {
  const feminine = { gender: "fem", number: "sing" };
  expect(isFormOf(word({ forms: ["fs"] }), feminine)).toBe(true);
  expect(isFormOf(word({ forms: ["ms"] }), feminine)).toBe(false);
  expect(isFormOf(word({ forms: ["-s"] }), feminine)).toBe(true);
  expect(isFormOf(word({ forms: ["fp"] }), feminine)).toBe(false);
  expect(isFormOf(word({ forms: ["ms", "fs"] }), feminine)).toBe(true);
  expect(isFormOf(word({ forms: ["ms"], pos: ["ADP"] }), feminine)).toBe(true);
  expect(isFormOf(word({ forms: [] }), feminine)).toBe(true);
  expect(isFormOf(word({ forms: ["ms"], pos: ["NOUN", "ADP"] }), feminine)).toBe(true);
});

test("a list is shuffled the same for a seed, and otherwise for another; nothing is lost and nothing moved in place", () => {
  const items = Array.from({ length: 50 }, (_, i) => i);
  const [once, again, other] = [3, 3, 4].map((seed) => shuffled(items, seed));
  expect(once).toEqual(again ?? []);
  expect(once).not.toEqual(other ?? []);
  expect(once).not.toEqual(items);
  expect([...(once ?? [])].sort((a, b) => a - b)).toEqual(items);
  expect(items[0]).toBe(0);
  expect([shuffled([], 1), shuffled(["x"], 1)]).toEqual([[], ["x"]]);
});
