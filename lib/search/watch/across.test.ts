import { describe, expect, test } from "bun:test";
import { soundToken } from "../keyword/cross-language.ts";
import { acrossAnchors, holdsPhrase, holdsTranslation, Spellings, translated, wordsOfArticle } from "./across.ts";
import { TermCounts } from "./index.ts";

describe("the words of an article", () => {
  test("are its stems and roots with the fields that they stand in, and its forms in order", () => {
    const { terms, title, content, script } = wordsOfArticle({ title: "Quiet boats", content: "A boat; boats, 2018!" });
    expect(Object.fromEntries(terms)).toEqual({ quiet: 1, boat: 3, a: 2, "2018": 2 });
    expect([title, content, script]).toEqual([["quiet", "boats"], ["a", "boat", "boats", "2018"], "latin"]);
  });

  test("are in Arabic where more than a quarter have a root, and nothing is nothing", () => {
    const script = (content: string) => wordsOfArticle({ title: "", content }).script;
    expect([script("كتاب"), script("كتاب a b"), script("كتاب a b c"), script("")]).toEqual([
      "arabic",
      "arabic",
      "latin",
      "latin",
    ]);
    expect(wordsOfArticle({ title: "؟", content: "\u064b" })).toEqual({
      ...{ terms: new Map(), title: [], content: [], script: "latin", sounds: new Map() },
    });
  });

  test("are found by their sound, each form once", () => {
    const { sounds } = wordsOfArticle({ title: "Merkel", content: "merkel, Markel 2018 ميركل" });
    expect(sounds.get(soundToken("merkel"))).toEqual(["merkel", "markel"]);
    expect(sounds.get(soundToken("ميركل"))).toEqual(["ميركل"]);
    expect(sounds.has("")).toBe(false);
  });
});

test.each([
  ["a b c", "a b", true],
  ["a b c", "b c", true],
  ["a b c", "a c", false],
  ["a a b", "a b", true],
  ["a b a c", "a c", true],
  ["a b", "b a", false],
  ["a b", "a b c", false],
  ["a", "a", true],
  ["", "a", false],
  ["a", "", false],
])("the words %j hold the phrase %j: %p", (words, phrase, holds) => {
  const list = (text: string) => (text === "" ? [] : text.split(" "));
  expect(holdsPhrase(list(words), list(phrase))).toBe(holds);
});

describe("spellings of a name", () => {
  const token = soundToken("ميركل");
  const article = (content: string) => wordsOfArticle({ title: "", content });

  test("are those that articles have had since it was looked for, by their stems", () => {
    const spellings = new Spellings(() => 1);
    spellings.learn(article("ميركل"));
    const name = spellings.watch("merkel", token);
    expect(spellings.watch("merkel", token)).toBe(name);
    expect([spellings.stemsOf(name), spellings.namesOf("ميركل")]).toEqual([[], []]);
    spellings.learn(article("كتاب merkel"));
    expect(spellings.stemsOf(name)).toEqual([]);
    spellings.learn(article("زارت ميركل المدينة"));
    expect(spellings.stemsOf(name)).toEqual(["ميركل"]);
    expect(spellings.namesOf("ميركل")).toEqual([name]);
    expect(spellings.stemsOf({ name: "other", anchor: "unknown" })).toEqual([]);
  });

  test("are compared with 400 words of a sound at most, those met first", () => {
    const spellings = new Spellings(() => 1);
    const name = spellings.watch("merkel", token);
    const vowels = ["ا", "و", "ي"];
    // As many words of the one sound, none of which is near enough.
    const far = (i: number) =>
      `م${(vowels[i % 3] ?? "").repeat(2 + (i % 40))}ر${(vowels[i % 2] ?? "").repeat(2 + Math.floor(i / 40))}كل`;
    const words = [...new Set(Array.from({ length: 900 }, (_, i) => far(i)))];
    const alike = words.filter((word) => soundToken(word) === token);
    expect(alike.length).toBeGreaterThan(400);
    spellings.learn(article(alike.slice(0, 399).join(" ")));
    spellings.learn(article("ميركل"));
    expect(spellings.namesOf("ميركل")).toEqual([name]);
    spellings.learn(article("ماركل"));
    expect(spellings.namesOf("ماركل")).toEqual([]);
  });
});

test("a text in the other language is held by an article in that language alone, by meaning or by sound", () => {
  const spellings = new Spellings(() => 1);
  const held = (query: string, content: string) => {
    const across = translated(query, spellings);
    const article = wordsOfArticle({ title: "", content });
    spellings.learn(article);
    const fields = { articleId: 1, tier: null, authors: [], entityIds: new Set<number>(), refuted: false };
    const anchors = acrossAnchors(across);
    const isAnchored = [...article.terms.keys()].some(
      (term) => anchors.includes(term) || spellings.namesOf(term).some(({ anchor }) => anchors.includes(anchor)),
    );
    return [holdsTranslation({ ...fields, ...article }, across, spellings), isAnchored];
  };
  expect(held("earthquake", "زلزال يضرب المدينة")).toEqual([true, true]);
  expect(held("زلزال", "An earthquake hits the town")).toEqual([true, true]);
  expect(held("merkel", "زارت ميركل المدينة")).toEqual([true, true]);
  // An article in Latin script is searched as it is written.
  expect(held("earthquake", "The earthquake of the town")[0]).toBe(false);
  expect(held("earthquake", "كتاب المدينة")).toEqual([false, false]);
  expect(held("", "كتاب المدينة")).toEqual([false, false]);
});

test("what the latest articles hold is counted, and is halved after 4,096 of them, once forgotten", () => {
  const counts = new TermCounts();
  for (let i = 0; i < 4_095; i++) counts.add(i === 0 ? ["often", "once"] : ["often"]);
  expect([counts.articles, counts.of("often"), counts.of("once"), counts.of("never")]).toEqual([4_095, 4_095, 1, 0]);
  counts.add(["often"]);
  expect([counts.articles, counts.of("often"), counts.of("once")]).toEqual([2_048, 2_048, 0]);
  counts.add(["once", "often"]);
  expect([counts.articles, counts.of("often"), counts.of("once")]).toEqual([2_049, 2_049, 1]);
});
