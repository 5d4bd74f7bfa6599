import { forgetCached } from "../std/mod.ts";
import { expect, test } from "bun:test";
import { pieces, randomTexts } from "./testing.ts";
import { seeded } from "../std/random.ts";
import {
  COARSE,
  consonants,
  isStopWord,
  lightStem,
  WordCache,
  wordForm,
  wordTerms,
  wordTermsAt,
} from "./word-terms.ts";
import { forEachWord } from "./words.ts";

test.each([
  ["شاطىء", "شاطئ"],
  ["شيء", "شئ"],
  ["بريء", "برىء"],
  ["مليء", "ملئ"],
  ["مائة", "مئة"],
  ["بالمائة", "بالمئة"],
  ["ثلاثمائة", "ثلاثمئة"],
  ["خمسمائة", "خمسمئة"],
  ["ومائتين", "ومئتين"],
  ["المائوية", "المئوية"],
  ["Łódź", "lodz"],
  ["Sørensen", "sorensen"],
  ["Đoković", "dokovic"],
  ["Kılıçdaroğlu", "kilicdaroglu"],
  ["Encyclopædia", "encyclopaedia"],
  ["Œuvre", "oeuvre"],
  ["Straße", "strasse"],
])("%s is the same word as %s", (one, other) => {
  expect(wordForm(one)).toBe(wordForm(other));
  expect(wordTerms(one)).toEqual(wordTerms(other));
});

test("other words stay what they are", () => {
  for (const [one, other] of [
    ["مائدة", "مئدة"],
    ["دمائه", "دمئه"],
    ["مائل", "مئل"],
    ["جزاء", "جزئ"],
  ]) {
    expect(wordForm(one ?? "")).not.toBe(wordForm(other ?? ""));
  }
});

test("a word is found in the lexicon however it is spelled", () => {
  for (const word of ["شيء", "شاطىء", "بريء"])
    expect(wordTerms(word).lemmas.some((lemma) => lemma.startsWith("#"))).toBe(true);
});

test("function and question words in normal form are stop words", () => {
  for (const word of ["في", "الي", "التي", "متي", "كم", "وهو", "the", "what"])
    expect({ word, stop: isStopWord(word) }).toEqual({ word, stop: true });
});

test("words with a meaning are none", () => {
  for (const word of ["المغرب", "رئيس", "يوم", "news", "us", ""])
    expect({ word, stop: isStopWord(word) }).toEqual({ word, stop: false });
});

test("conjunction, article and endings are taken off", () => {
  expect(lightStem("والميليشيات")).toBe("ميليش");
  expect(lightStem("بالانترنت")).toBe("انترنت");
  expect(lightStem("تويتر")).toBe("تويتر");
});

test("at least two letters stay", () => {
  for (const word of ["ال", "ها", "وال", "اله", "و", ""]) {
    expect(lightStem(word).length).toBeGreaterThanOrEqual(Math.min(2, word.length));
  }
});

test("consonants are equal for spellings of a foreign name", () => {
  expect(consonants("روزفلت")).toBe(consonants("روزافالت"));
  expect(consonants("ترامب")).toBe(consonants("ترمب"));
  expect(consonants("ايا")).toBe("ايا");
});

test("a word's value is made once, wherever the word stands", () => {
  const made: string[] = [];
  const cache = new WordCache((word) => {
    made.push(word);
    return { word };
  }, 10);
  const first = cache.get("xabcx", 1, 4);
  expect(first).toEqual({ word: "abc" });
  expect(cache.get("abc", 0, 3)).toBe(first);
  expect(made).toEqual(["abc"]);
  forgetCached();
  expect(cache.get("abc", 0, 3)).toEqual(first);
  expect(made).toEqual(["abc", "abc"]);
});

test("every word has its own value, also when there are more than are kept", () => {
  const cache = new WordCache((word) => ({ word }), 10);
  const random = seeded(3);
  for (let i = 0; i < 300_000; i++) {
    const word = String(Math.floor(random() * 200_000));
    if (cache.get(`.${word}.`, 1, 1 + word.length).word !== word) throw new Error(`another value for ${word}`);
  }
});

test("long words are not kept", () => {
  const cache = new WordCache((word) => ({ word }), 3);
  const word = "long".repeat(5000);
  expect(cache.get(word, 0, word.length).word).toBe(word);
  expect(cache.get("long", 0, 4)).not.toBe(cache.get("long", 0, 4));
});

test("the empty word is a word", () => {
  const cache = new WordCache((word) => ({ word }), 3);
  expect(cache.get("abc", 1, 1)).toEqual({ word: "" });
});

test("an Arabic word has a stem and its root", () => {
  expect(wordTerms("والمكتشفين")).toMatchObject({ stems: ["مكتشف"], coarse: [`${COARSE}كشف`], stop: false });
});

test("spellings of a foreign name share their consonants", () => {
  expect(wordTerms("لنيوزيلند").coarse).toEqual(wordTerms("نيوزيلندا").coarse);
});

test("an English word has a stem alone", () => {
  expect(wordTerms("Elections")).toMatchObject({
    ...{ form: "elections", stems: ["elect"], coarse: [], lemmas: ["election"], stop: false },
  });
});

test("stop words are told in any spelling, and keep their form", () => {
  expect(wordTerms("إلى")).toMatchObject({ stems: ["الي"], coarse: [], stop: true });
  expect(wordTerms("The").stop).toBe(true);
  expect(wordTerms("المغرب").stop).toBe(false);
});

test("a character that stands for several words has the terms of all", () => {
  expect(wordTerms("ﷺ").stems.length).toBeGreaterThan(1);
});

test("the same word is the same object, wherever it stands", () => {
  expect(wordTermsAt("في المغرب", 3, 9)).toBe(wordTerms("المغرب"));
});

test("a word of any length and kind has terms without spaces, none of a stem's kind among the roots", () => {
  expect(wordTerms("ا".repeat(10_000)).stems[0]?.length).toBeLessThanOrEqual(64);
  for (const text of randomTexts(1000, pieces.scripts)) {
    forEachWord(text, (start, end) => {
      const { stems, coarse } = wordTermsAt(text, start, end);
      for (const stem of stems) expect(stem).not.toMatch(/^~|\s|^$/u);
      for (const root of coarse) expect(root).toMatch(/^~\S+$/u);
    });
  }
});
