import { describe, expect, test } from "bun:test";
import { at } from "../../std/mod.ts";
import {
  analyseSearch,
  documentsPassing,
  documentsWithPhrase,
  phraseOf,
  weightedTerms,
  weightedWords,
  wordsOf,
} from "./query.ts";
import { inverseFrequency } from "./score.ts";
import { marked, TextIndex } from "./testing/memory.ts";
import { randomNumbers } from "./testing/random.ts";
import type { KeywordQuery } from "./types.ts";

const forms = (words: readonly { form: string }[]) => words.map(({ form }) => form);

describe("a query that is taken apart", () => {
  test("has each stem and root so often as it is asked for, three times at most", () => {
    const { stems, roots } = analyseSearch("ships ship harbour ship SHIP ships كتاب كتب");
    expect(stems.get("ship")).toBe(3);
    expect(stems.get("harbour")).toBe(1);
    expect([...roots.values()].every((times) => times <= 3)).toBe(true);
    // Two forms of one root.
    expect(Math.max(...roots.values())).toBe(2);
    expect(analyseSearch("harbour").roots.size).toBe(0);
  });

  test("looks for stop words only where it has no others, or where they are all of a phrase", () => {
    expect([...analyseSearch("the harbour").stems.keys()]).toEqual(["harbour"]);
    expect(analyseSearch("to be").stems.size).toBe(2);
    const { stems } = analyseSearch('harbour "to be or not to be"');
    expect(stems.get("harbour")).toBe(1);
    expect(stems.get("be")).toBe(1);
    expect([...analyseSearch('harbour "the port"').stems.keys()].toSorted()).toEqual(["harbour", "port"]);
  });

  test.each([
    ["harbour", [], [], [], false],
    ['"quiet town"', [["quiet", "town"]], [], [], false],
    [
      'fish "quiet town" «a boat»',
      [
        ["quiet", "town"],
        ["a", "boat"],
      ],
      [],
      [],
      true,
    ],
    ['fish "…"', [], [], [], true],
    ["fish -boat", [], ["boat"], [], true],
    ["fish -covid-19", [], [], [["covid", "19"]], true],
    ['fish -"a boat" -"!"', [], [], [["a", "boat"]], true],
    ["-boat", [], ["boat"], [], false],
    ["", [], [], [], false],
  ])("%s", (query, phrases, excludedWords, excludedPhrases, loose) => {
    const analysed = analyseSearch(query);
    expect(analysed.phrases.map(forms)).toEqual(phrases);
    expect(forms(analysed.excludedWords)).toEqual(excludedWords);
    expect(analysed.excludedPhrases.map(forms)).toEqual(excludedPhrases);
    if (phrases.length > 0) expect(analysed.loose).toBe(loose);
  });

  test("has its words in order, stop words too, and nothing of what has no letter or digit", () => {
    expect(forms(wordsOf("The Harbour — of Tyre, 2018 😀!"))).toEqual(["the", "harbour", "of", "tyre", "2018"]);
    expect(forms(wordsOf("مَرَّاكُش ٢٠١٨"))).toEqual(["مراكش", "2018"]);
    for (const nothing of ["", "  ", "؟!", "\u064e", "ـ"]) expect(wordsOf(nothing)).toEqual([]);
  });
});

const index = new TextIndex(
  [
    {
      ...{ id: 1, title: "boats boats", content: "harbour", lang: "en", sourceId: "wire", domain: "news.example" },
      ...{ publishedAt: "2024-03-01T00:00:00Z" },
    },
    { id: 2, title: "harbour", content: "quiet boats leave", lang: "en", sourceId: "daily", categoryId: "sport" },
  ],
  [
    { id: 3, title: "town", content: "boats leave quiet", lang: "ar", publishedAt: "2024-03-02T00:00:00Z" },
    { id: 4, title: "quiet", content: "boats" },
  ],
);
index.projection.tiers = new Map([
  ["wire", 1],
  ["daily", 2],
]);

function passing(text: string, query: Partial<KeywordQuery> = {}): number[] {
  const masks = documentsPassing(index.projection, index.words, query, analyseSearch(text));
  return index.idsOf(({ live }, place) => marked(masks[place], live.length));
}

describe("the documents that an answer may hold", () => {
  const march2 = Date.parse("2024-03-02T00:00:00Z");
  test.each<[string, string, Partial<KeywordQuery>, number[]]>([
    ["all where nothing is asked", "boats", {}, [1, 2, 3, 4]],
    ["those with a phrase", '"quiet boats"', {}, [2]],
    ["no document over the end of a title", '"quiet boats leave" "quiet boats"', {}, [2]],
    ["those with every phrase", '"quiet boats" "leave quiet"', {}, []],
    ["all where a query has other words and no document its phrases", 'town "boats harbour"', {}, [1, 2, 3, 4]],
    ["what filters leave then", 'town "boats harbour"', { filters: { lang: "en" } }, [1, 2]],
    ["no document where a phrase is all that is asked", '"boats harbour"', {}, []],
    ["no document where a condition is asked too", 'town "boats harbour"', { condition: { is: "all", of: [] } }, []],
    ["those without a word, in any form", "town -harbours", {}, [3, 4]],
    ["those without a phrase", 'town -"quiet boats"', {}, [1, 3, 4]],
    ["all where no document has what is excluded", "town -zzzz", {}, [1, 2, 3, 4]],
    ["of a language", "x", { filters: { lang: "ar" } }, [3]],
    ["of a source", "x", { filters: { source: "daily" } }, [2]],
    ["of a category", "x", { filters: { category: "sport" } }, [2]],
    ["of a category that none has", "x", { filters: { category: "zzz" } }, []],
    ["of a domain", "x", { filters: { domain: "example" } }, [1]],
    ["of a source's tier", "x", { filters: { source_tier: 1 } }, [1]],
    ["of a tier that no source has", "x", { filters: { source_tier: 3 } }, []],
    ["from a time on", "x", { filters: { from: march2 } }, [3]],
    ["up to a time", "x", { filters: { to: march2 - 1 } }, [1]],
    ["within a span", "x", { filters: { from: march2 - 1, to: march2 + 1 } }, [3]],
    ["of some ids", "x", { filters: { articleIds: [4, 1, 77] } }, [1, 4]],
    ["of no ids", "x", { filters: { articleIds: [] } }, []],
    ["of several filters, all of them", "x", { filters: { lang: "en", source: "wire" } }, [1]],
    ["an id", "x", { term: { field: "article_id", value: "3" } }, [3]],
    ["a word of the title", "x", { term: { field: "title", value: "boat" } }, [1]],
    ["a word of the content", "x", { term: { field: "content", value: "Boats" } }, [2, 3, 4]],
    ["words of the content, all of them", "x", { term: { field: "content", value: "quiet leave" } }, [2, 3]],
    ["no word", "x", { term: { field: "content", value: "!" } }, []],
    ["a field's value", "x", { term: { field: "category", value: "sport" } }, [2]],
    ["a domain itself, not one below it", "x", { term: { field: "domain", value: "example" } }, []],
    ["a tier", "x", { term: { field: "source_tier", value: 2 } }, [2]],
  ])("%s", (_, text, query, ids) => {
    expect(passing(text, query)).toEqual(ids);
  });
});

test("a phrase is found where it stands, in documents that hold its words in any order", () => {
  const random = randomNumbers(13);
  const vocabulary = ["alpha", "beta", "gamma", "delta"];
  const text = (count: number) => Array.from({ length: random(count) }, () => vocabulary[random(4)] ?? "").join(" ");
  const documents = Array.from({ length: 120 }, (_, i) => ({ id: i + 1, title: text(5), content: text(12) }));
  const texts = new TextIndex(documents.slice(0, 70), documents.slice(70));
  for (let round = 0; round < 80; round++) {
    const sought = Array.from({ length: 1 + random(3) }, () => vocabulary[random(4)] ?? "").join(" ");
    const holds = (field: string) => ` ${field} `.includes(` ${sought} `);
    const phrase = phraseOf(wordsOf(sought), texts.words);
    for (const field of ["title", "any"] as const) {
      const expected = documents.filter(({ title, content }) => holds(title) || (field === "any" && holds(content)));
      expect(texts.idsOf((segment) => documentsWithPhrase(segment, phrase, texts.projection.scratch, field))).toEqual(
        expected.map(({ id }) => id),
      );
    }
  }
  const unknown = phraseOf(wordsOf("alpha zzzz"), texts.words);
  expect(texts.idsOf((segment) => documentsWithPhrase(segment, unknown, texts.projection.scratch))).toEqual([]);
});

describe("what the words of a query are worth", () => {
  test("is the inverse frequency of their stems, times how often they are asked for, rare ones first", () => {
    const analysed = analyseSearch("boats town town zzzz");
    const terms = weightedTerms(analysed, index.projection, index.words, { title: 3, content: 1 });
    expect(terms.map(({ term }) => term)).toEqual(["town", "boat"].map((stem) => index.words.term(stem)));
    expect(terms.map(({ weight }) => weight)).toEqual([2 * inverseFrequency(4, 1), inverseFrequency(4, 4)]);
    // Twice in the title and five times in the content.
    expect(terms.map(({ frequencies }) => at(frequencies, (2 << 6) | 5))).toEqual([11, 11]);
  });

  test("is half for a root", () => {
    const arabic = new TextIndex([
      { id: 1, content: "تدريس" },
      { id: 2, content: "دراسة" },
      { id: 3, content: "بحر" },
    ]);
    const terms = weightedTerms(analyseSearch("تدريس"), arabic.projection, arabic.words, { title: 3, content: 1 });
    expect(terms).toHaveLength(2);
    const worth = new Map(terms.map(({ term, frequencies }) => [arabic.projection.documents[term], frequencies[1]]));
    expect(worth).toEqual(
      new Map([
        [1, 1],
        [2, 0.5],
      ]),
    );
  });

  test("is nothing for a word that no document has, and next to nothing for one that most have", () => {
    const [boats, zzzz, town] = weightedWords(wordsOf("boats zzzz towns"), index.projection, index.words);
    expect(boats).toMatchObject({ form: index.words.form({ form: "boats" }), weight: 1e-6 });
    expect(zzzz).toEqual({ form: 0, stem: 0, weight: 0 });
    // The form itself stands nowhere, its stem does.
    expect(town).toMatchObject({ form: 0, stem: index.words.term("town"), weight: Math.log(3.5 / 1.5) });
  });
});
