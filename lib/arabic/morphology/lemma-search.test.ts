import { expect, test } from "bun:test";
import type { Lemma } from "./lexicon.ts";
import { createLemmaSearch, type LemmaQuestion, rootKey } from "./lemmas.ts";

const LEMMAS: readonly (readonly [form: string, root: string, gloss: string, cost: number])[] = [
  ["kitAb", "كتب", "book", 15],
  ["kAtib", "كتب", "writer;author | clerk", 18],
  ["kut~Ab", "كتب", "elementary school (religious)", 25],
  ["maktab", "كتب", "office | desk;bureau", 14],
  ["maktabap", "كتب", "library;book store", 16],
  ["daftar", "دفتر", "book;notebook", 22],
  ["qalob", "قلب", "heart | centre", 17],
  ["sa>al", "سءل", "ask", 16],
  ["", "", "", 99],
  ["<izA'", "", "facing", 30],
];

const lemmas: Lemma[] = LEMMAS.map(([form, root, gloss, cost], id) => ({ id, form, pos: "noun", root, gloss, cost }));
const lexicon = { size: lemmas.length, lemma: (id: number) => lemmas[id] ?? lemmas[0] ?? neverLemma() };

function neverLemma(): never {
  throw new Error("there are lemmas");
}

const search = createLemmaSearch(lexicon);
const find = async (question: Partial<LemmaQuestion>): Promise<string[]> => {
  const { lemmas } = await search({ offset: 0, limit: 10, ...question });
  return lemmas.map(({ form }) => form);
};

test("lemmas of a root come by their cost, however the root is written", async () => {
  const all = ["maktab", "kitAb", "maktabap", "kAtib", "kut~Ab"];
  for (const root of ["كتب", "ك ت ب", "ك-ت-ب", "ك.ت.ب"]) expect(await find({ root })).toEqual(all);
  expect(await find({ root: "س أ ل" })).toEqual(["sa>al"]);
  expect(await find({ root: "زحل" })).toEqual([]);
});

test("every hamza of a root is the same letter, and signs are none", () => {
  expect(rootKey("س أ ل")).toBe("سءل");
  expect(rootKey("ب ؤ س")).toBe("بءس");
  expect(rootKey("ش ئ م")).toBe("شءم");
  expect(rootKey("ء-ك-ل, abc 1")).toBe("ءكل");
});

test("a lemma is found by its letters, and with vowels only where these are its own", async () => {
  expect(await find({ lemma: "كتاب" })).toEqual(["kitAb", "kut~Ab"]);
  expect(await find({ lemma: "كِتاب" })).toEqual(["kitAb"]);
  expect(await find({ lemma: "كُتّاب" })).toEqual(["kut~Ab"]);
  expect(await find({ lemma: "كتابة" })).toEqual([]);
});

test("by English those that mean just that come first, the first meaning before others", async () => {
  expect(await find({ en: "book" })).toEqual(["kitAb", "daftar", "maktabap"]);
  expect(await find({ en: "Book store" })).toEqual(["maktabap"]);
  expect(await find({ en: "centre" })).toEqual(["qalob"]);
  expect(await find({ en: "bo" })).toEqual([]);
});

test("all that is asked must hold", async () => {
  expect(await find({ root: "كتب", en: "book" })).toEqual(["kitAb", "maktabap"]);
  expect(await find({ root: "دفتر", en: "heart" })).toEqual([]);
  expect(await find({ lemma: "قلب", root: "ق ل ب", en: "heart" })).toEqual(["qalob"]);
});

test("a page has so many from so far on, and says how many there are; nothing asked finds nothing", async () => {
  const page = await search({ root: "كتب", offset: 1, limit: 2 });
  expect([page.total, page.lemmas.map(({ form }) => form)]).toEqual([5, ["kitAb", "maktabap"]]);
  expect(await search({ root: "كتب", offset: 9, limit: 2 })).toEqual({ lemmas: [], total: 5 });
  expect(await search({ offset: 0, limit: 2 })).toEqual({ lemmas: [], total: 0 });
});

test("who has gone is not answered", async () => {
  const gone = AbortSignal.abort(new Error("gone"));
  await expect(search({ root: "كتب", offset: 0, limit: 2 }, gone)).rejects.toThrow("gone");
});

test("the tables are made once, whatever is asked later", async () => {
  let read = 0;
  const lemma = (id: number): Lemma => {
    read++;
    return lexicon.lemma(id);
  };
  const counted = createLemmaSearch({ size: lexicon.size, lemma });
  await counted({ root: "زحل", offset: 0, limit: 1 });
  const once = read;
  await counted({ en: "nothing", offset: 0, limit: 1 });
  expect([once, read]).toEqual([lexicon.size, lexicon.size]);
});
