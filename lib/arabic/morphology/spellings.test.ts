import { expect, test } from "bun:test";
import { openMorphology } from "./model.ts";
import { morphAnswer, type MorphToken } from "./answer.ts";
import { bareForm } from "./written-forms.ts";

const morphology = await openMorphology();

/** Reads a text of one word. */
function read(text: string): MorphToken {
  const [token] = morphAnswer(morphology, { text, all: false });
  if (token === undefined) throw new Error("no word");
  return token;
}

const partsOf = ({ proclitics, lemma }: MorphToken): string[] =>
  [...proclitics.map(({ form }) => form), lemma].map(bareForm);

test.each([
  ["وألغت", ["و", "ألغى"]],
  ["وألمح", ["و", "ألمح"]],
  ["فألقى", ["ف", "ألقى"]],
  ["وألهم", ["و", "ألهم"]],
  ["وألبس", ["و", "ألبس"]],
])("a hamza that is written is never the article: %s", (word, parts) => {
  expect(partsOf(read(word))).toEqual(parts.map(bareForm));
});

test("an alef without hamza is still the article, and the hamza that a writer left out", () => {
  expect(partsOf(read("والحق"))).toEqual(["و", "ال", "حق"]);
  expect(partsOf(read("واكد"))).toEqual(["و", bareForm("أكد")]);
});

test.each([
  ["سأساعدكم", "ساعد"],
  ["وسيستقبلونها", "استقبل"],
  ["فسنرسلهم", "أرسل"],
  ["بمدرستهما", "مدرسة"],
])("no guess at a name beats a word that is read in full: %s", (word, lemma) => {
  expect(bareForm(read(word).lemma)).toBe(bareForm(lemma));
  expect(morphology.model.candidates(word).every(({ analysis }) => analysis !== undefined)).toBe(true);
});

test("a name that merely looks like a word with one clitic can still be a name", () => {
  for (const name of ["سيزار", "ساركوزي", "بالوتيلي"])
    expect(
      morphology.model.candidates(name).some(({ analysis, pos }) => analysis === undefined && pos === "noun_prop"),
    ).toBe(true);
});

test.each([
  ["رااااائع", "رائع"],
  ["طويييل", "طويل"],
  ["كبييييرة", "كبير"],
  ["حبيبييي", "حبيب"],
])("letters that are drawn out are read once: %s", (word, lemma) => {
  const token = read(word);
  expect([token.token, bareForm(token.lemma)]).toEqual([word, bareForm(lemma)]);
});

test("two letters of the same kind are none that are drawn out", () => {
  expect(bareForm(read("ممكن").lemma)).toBe("ممكن");
  expect(bareForm(read("تتابع").lemma)).toBe("تابع");
});

test.each([
  ["ياسيدي", "يا", "سيد"],
  ["يارجل", "يا", "رجل"],
  ["لايمكن", "لا", "أمكن"],
  ["لاتوجد", "لا", "وجد"],
  ["ولايزال", "لا", "زال"],
  ["لاشك", "لا", "شك"],
  ["ماكان", "ما", "كان"],
  ["ومازالت", "ما", "زال"],
  ["لاتحزن", "لا", "حزن"],
])("a particle is taken off the word that it is joined to: %s", (word, particle, lemma) => {
  const token = read(word);
  expect(token.proclitics.map(({ form }) => bareForm(form))).toContain(particle);
  expect(bareForm(token.lemma)).toBe(bareForm(lemma));
});

test.each([
  ["ياسمين", "ياسمين"],
  ["لاعب", "لاعب"],
  ["مايو", "مايو"],
  ["لائق", "لائق"],
  ["مادة", "مادة"],
])("what only begins like a particle is one word: %s", (word, lemma) => {
  const token = read(word);
  expect([token.proclitics, bareForm(token.lemma)]).toEqual([[], bareForm(lemma)]);
});

test.each(["إنشاءالله", "انشالله", "ماشاءالله"])("a wish in one word exclaims: %s", (word) => {
  expect(read(word)).toMatchObject({ pos: "INTJ", lemma_id: null });
});

test.each([
  ["العٰلمين", "عالم"],
  ["الكتٰب", "كتاب"],
  ["الصلوٰة", "صلاة"],
  ["الزكوٰة", "زكاة"],
  ["ذٰلك", "ذلك"],
  ["الرحمٰن", "رحمن"],
])("a small alef is read as the letter that it stands for: %s", (word, lemma) => {
  expect(bareForm(read(word).lemma)).toBe(bareForm(lemma));
});

test("a word that is drawn out and not of the lexicon is no name behind a particle", () => {
  expect(read("كتيييير")).toMatchObject({ lemma: "كتير", proclitics: [], lemma_id: null });
});

test.each([
  ["توفي", "تَوَفَّى", "pass"],
  ["ألغي", "أَلغَى", "pass"],
  ["بنى", "بَنَى", "act"],
])("a passive that is spelt out is one: %s", (word, lemma, voice) => {
  const token = read(word);
  expect([token.lemma.normalize("NFC"), token.features.voice]).toEqual([lemma.normalize("NFC"), voice]);
});

test.each([
  ["ووُجهت", ["و", "وجه"]],
  ["ووفق", ["و", "وفق"]],
  ["جلهم", ["جل"]],
  ["قَدَم", ["قدم"]],
])("what nobody says or writes is no reading: %s", (word, parts) => {
  expect(partsOf(read(word))).toEqual(parts);
});

test("a letter by itself is an initial, and no verb", () => {
  for (const letter of ["ع", "ق"]) expect(read(letter).pos).not.toBe("VERB");
});
