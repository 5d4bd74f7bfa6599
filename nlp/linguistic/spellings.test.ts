import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { openTestService, type TestService } from "./testing.ts";

let service: TestService;
beforeAll(async () => {
  service = await openTestService();
});
afterAll(() => service.close());

async function ask(path: string, text: string) {
  const response = await fetch(`${service.url}${path}`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ text }),
  });
  return Object(await response.json());
}

type Token = Record<string, unknown>;

/** What each route says of a text, without the characters in which it was written. */
async function readingsOf(text: string) {
  const [morph, ner, wsd, re, glossary] = await Promise.all(
    ["/morph", "/ner", "/wsd", "/re", "/dialect/nabra/glossary"].map((path) => ask(path, text)),
  );
  return {
    morph: morph.tokens.map(({ lemma, lemma_id, pos, root, proclitics }: Token) => [
      lemma,
      lemma_id,
      pos,
      root,
      proclitics,
    ]),
    ner: [ner.tokens.map(({ tags }: Token) => tags), ner.entities.map(({ type, level }: Token) => [type, level])],
    wsd: wsd.tokens.map(({ sense_id }: Token) => sense_id),
    re: re.relations.map(({ event, predicate, confidence }: Token) => [event, predicate, confidence]),
    glossary: glossary.tokens.map(({ matches }: Token) => matches),
  };
}

const SENTENCE = "قال الوزير أحمد سعيد إن المدرسة في بيروت كتبت رسالة إلى الأمم المتحدة عن أسباب الهجوم على المستشفى";
const DIALECT = "بقديش كيلو البندورة اليوم يا معلم؟";

const words = (text: string, write: (word: string) => string): string => text.split(" ").map(write).join(" ");
/** Puts a sign between two letters of each word. */
const between = (text: string, sign: string): string => words(text, (word) => word.replace(/(?<=^..)(?=\p{L})/u, sign));

const SPELLINGS: readonly (readonly [name: string, write: (text: string) => string])[] = [
  ["tatweel", (text) => between(text, "ـــ")],
  ["a byte order mark before each word", (text) => words(text, (word) => `\ufeff${word}`)],
  ["joiners within words", (text) => between(text, "\u200d")],
  ["soft hyphens within words", (text) => between(text, "\u00ad")],
  ["marks of direction around words", (text) => words(text, (word) => `\u200f\u2067${word}\u2069`)],
  ["variation selectors behind words", (text) => words(text, (word) => `${word}\ufe0f`)],
  ["hamzas beside their letters", (text) => text.normalize("NFD")],
  ["alef wasla in the article", (text) => text.replaceAll(" ال", " ٱل")],
  ["letters of Persian", (text) => text.replaceAll("ك", "ک").replaceAll("ي", "ی")],
  ["presentation forms", (text) => text.replaceAll("لا", "ﻻ").replaceAll("ب", "ﺑ").replaceAll("م", "ﻣ")],
  ["marks of recitation", (text) => between(text, "\u06e1")],
  ["spaces that do not break", (text) => text.replaceAll(" ", "\u00a0")],
];

test.each(SPELLINGS)("%s: every route says the same as of the plain text", async (_, write) => {
  expect(write(SENTENCE)).not.toBe(SENTENCE);
  expect(await readingsOf(write(SENTENCE))).toEqual(await readingsOf(SENTENCE));
  const { sentence_id } = await ask("/dialect/nabra", DIALECT);
  expect(await ask("/dialect/nabra", write(DIALECT))).toMatchObject({ sentence_id, match_type: "exact" });
});

describe("numbers", () => {
  test.each(["12", "١٢", "۱۲", "1٢"])("in the digits %s are numbers, of money too", async (digits) => {
    const { tokens } = await ask("/morph", `دفع ${digits} دولارا`);
    expect(tokens.map(({ pos }: Token) => pos)).toEqual(["VERB", "NUM", "NOUN"]);
    const { entities } = await ask("/ner", `دفع ${digits} دولارا`);
    expect(entities).toMatchObject([{ type: "MONEY", text: `${digits} دولارا` }, { type: "CURR" }]);
  });

  test.each(["12.5٪", "١٢٫٥٪", "١٢.٥%"])("and signs of percent: %s is one", async (share) => {
    const { tokens } = await ask("/morph", `بلغت ${share} منها`);
    expect(tokens.at(-2)).toMatchObject({ pos: "SYM" });
    expect((await ask("/ner", `بلغت ${share} منها`)).entities).toMatchObject([{ type: "PERCENT", text: share }]);
  });

  test("written onto a word are tokens of their own", async () => {
    const { tokens } = await ask("/morph", "قرأ ٣كتب");
    expect(tokens.map(({ token, pos }: Token) => [token, pos])).toEqual([
      ["قرأ", "VERB"],
      ["٣", "NUM"],
      ["كتب", "NOUN"],
    ]);
  });
});

test.each([
  ["كَتَبَ", "كَتَب"],
  ["كُتُب", "كِتاب"],
  ["عَلِمَ", "عَلِم"],
  ["الرَّحْمَٰن", "رَحمَٰن"],
  ["ٱلَّذِينَ", "الَّذِي"],
  ["مُوسَىٰ", "مُوسَى"],
  ["ءَامَنُوا۟", "آمَن"],
  ["ءامن", "آمَن"],
])("vowels and marks of the Quran decide: %s is of %s", async (word, lemma) => {
  const { tokens } = await ask("/morph", word);
  expect(tokens.map((token: Token) => String(token.lemma).normalize("NFC"))).toEqual([lemma.normalize("NFC")]);
});
