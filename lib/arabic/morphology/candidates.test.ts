import { expect, test } from "bun:test";
import { vowelledLemma } from "./candidates.ts";
import { openAnalyser } from "./model.ts";
import { vowelForm } from "./written-forms.ts";

const { candidates } = openAnalyser();
const lemmasOf = (word: string): string[] =>
  candidates(word).map((each) => `${vowelForm(vowelledLemma(each))} ${each.pos}`);
const reading = (lemma: string, pos: string): string => `${vowelForm(lemma)} ${pos}`;

test("lemmas that differ in their vowels are readings of their own", () => {
  expect(lemmasOf("وقع")).toEqual(
    expect.arrayContaining([reading("وَقَع", "verb"), reading("وَقَّع", "verb"), reading("وَقع", "noun")]),
  );
  expect(lemmasOf("علم")).toEqual(
    expect.arrayContaining([
      reading("عِلم", "noun"),
      reading("عَلَم", "noun"),
      reading("عَلِم", "verb"),
      reading("عَلَّم", "verb"),
    ]),
  );
});

test("the cheapest reading has the hamza that is written, and the form that news use", () => {
  expect(lemmasOf("إن")[0]).toBe(reading("إِنَّ", "verb_pseudo"));
  expect(lemmasOf("أن")[0]).toBe(reading("أَنَّ", "conj_sub"));
  expect(lemmasOf("بين")[0]).toBe(reading("بَين", "noun"));
  expect(candidates("ستدعم")[0]?.analysis?.features).toMatchObject({ per: "3", gen: "f" });
  expect(candidates("علي").find(({ pos }) => pos === "prep")?.cost).toBeGreaterThan(candidates("على")[0]?.cost ?? 99);
});

test("spellings of hamza that the lexicon does not have are read as those that it has", () => {
  for (const [written, lemma] of [
    ["بدأوا", reading("بَدَأ", "verb")],
    ["جاءوا", reading("جَاء", "verb")],
    ["سيء", reading("سَيِّئ", "adj")],
    ["الشئ", reading("شَيء", "noun")],
    ["رجاءا", reading("رَجاء", "noun")],
  ] as const)
    expect(lemmasOf(written)[0]).toBe(lemma);
});

test("words are known that the lexicon lacks, with their clitics", () => {
  for (const [written, lemma] of [
    ["وبينهما", reading("بَين", "noun")],
    ["للذهاب", reading("ذَهاب", "noun")],
    ["براءته", reading("بَراءَة", "noun")],
    ["الكاميرات", reading("كامِيرا", "noun")],
  ] as const)
    expect(lemmasOf(written)[0]).toBe(lemma);
});

test("plurals and adjectives of the news that the lexicon lacks are readings of their words", () => {
  for (const [written, lemma] of [
    ["قوات", reading("قُوَّة", "noun")],
    ["والميليشيات", reading("مِيلِيشِيا", "noun")],
    ["مشفرة", reading("مُشَفَّر", "adj")],
  ] as const)
    expect(lemmasOf(written)[0]).toBe(lemma);
});

test("the particle of questions is read only where its hamza is written", () => {
  const questions = (word: string) =>
    candidates(word).filter(({ analyses }) => analyses.some(({ features }) => features.prc3?.startsWith(">a")));
  expect(questions("اليمني")).toEqual([]);
  expect(questions("المحبوب")).toEqual([]);
  expect(questions("أليس")).not.toEqual([]);
});

test("a word that is frequent as a particle is no verb that hardly occurs", () => {
  for (const word of ["فعلى", "وفي"]) expect(candidates(word).map(({ pos }) => pos)).not.toContain("verb");
});

test("a word that our own sentences know as a place is one before it is a rare verb or noun", () => {
  expect(candidates("تعز")[0]).toMatchObject({ pos: "noun_prop", analysis: { lemma: { form: "taEiz~" } } });
  expect(candidates("والإمارات")[0]).toMatchObject({ pos: "noun_prop", lemma: "إمارات", before: "وال" });
  expect(candidates("للإمارات")[0]).toMatchObject({ pos: "noun_prop", before: "لل" });
  expect(candidates("كان")[0]?.pos).toBe("verb");
});

test("particles and nouns that stand as prepositions are no rare verbs or names", () => {
  const posOf = (word: string): Set<string> =>
    new Set(candidates(word).flatMap(({ analysis, pos }) => (analysis === undefined ? [] : [pos])));
  for (const word of ["فهناك", "وأين", "وقبل", "وبعد", "وحول"])
    expect([word, posOf(word).has("verb")]).toEqual([word, false]);
  expect(posOf("فإن").has("noun_prop")).toBe(false);
  expect(posOf("وليس").has("noun")).toBe(false);
  expect(posOf("الأحد").has("adj_comp")).toBe(false);
  expect(posOf("اليوم").has("noun_prop")).toBe(false);
  expect(posOf("قبل").has("verb")).toBe(true);
});

test("an article that a number follows is an article, with what is joined to it", () => {
  for (const word of ["الـ", "والـ", "بالـ", "للـ"])
    expect([word, lemmasOf(word)]).toEqual([word, [reading("ال", "part_det")]]);
  expect(lemmasOf("لـ")[0]).toBe(reading("لِ", "prep"));
});

test("words that news use have their own lemma", () => {
  for (const [word, lemma] of [
    ["جدا", reading("جِدًّا", "adv")],
    ["معلومات", reading("مَعلُومَة", "noun")],
    ["المستخدمين", reading("مُستَخدِم", "noun")],
    ["كذلك", reading("كَذَلِكَ", "adv")],
  ] as const)
    expect([word, lemmasOf(word)[0]]).toEqual([word, lemma]);
  expect(lemmasOf("فتاة")).toContain(reading("فَتَاة", "noun"));
  expect(lemmasOf("صحفي")).toEqual(expect.arrayContaining([reading("صَحَفِيّ", "noun"), reading("صُحُفِيّ", "adj")]));
});
