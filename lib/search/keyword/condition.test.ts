import { describe, expect, test } from "bun:test";
import type { QueryNode } from "../query-language/parse.ts";
import { authorKey, documentsAllowed, markHolding } from "./condition.ts";
import { analyseSearch } from "./query.ts";
import { frequencyTable } from "./score.ts";
import { marked, TextIndex } from "./testing/memory.ts";
import { randomNumbers } from "./testing/random.ts";
import type { KeywordQuery } from "./types.ts";

const index = new TextIndex(
  [
    {
      ...{ id: 1, title: "Harbour reopens", content: "The harbours of Tyre were quiet.", lang: "en", sourceId: "Wire" },
      ...{ categoryId: "Economy", domain: "news.example", authors: ["Rana Haddad", "N. Khoury"] },
    },
    {
      ...{ id: 2, title: "Fish prices", content: "A harbour town counts its boats.", lang: "en", sourceId: "daily" },
      ...{ domain: "ar.news.example", authors: ["رنا حدّاد"] },
    },
  ],
  [
    { id: 3, title: "زلزال يضرب المدينة", content: "ضرب زلزال قوي المدينة أمس", lang: "ar", sourceId: "wire" },
    {
      id: 4,
      title: "Quiet town",
      content: "Boats, boats and harbours reopen.",
      lang: "en",
      domain: "othernews.example",
    },
    { id: 5, title: "Removed harbour", content: "boats" },
  ],
);
index.remove(5);

/** Returns the ids of the documents that meet a query's condition, its filters and what its text requires. */
function meeting(condition: QueryNode | undefined, query: Partial<KeywordQuery> = {}): number[] {
  const { text = "anything", ...more } = query;
  const { projection, words } = index;
  const masks = documentsAllowed(projection, words, { text, condition, ...more }, analyseSearch(text));
  return index.idsOf(({ live }, place) => marked(masks[place] ?? live, live.length));
}

const word = (text: string): QueryNode => ({ is: "word", text });
const phrase = (text: string): QueryNode => ({ is: "phrase", text });
const not = (of: QueryNode): QueryNode => ({ is: "not", of });
const all = (...of: QueryNode[]): QueryNode => ({ is: "all", of });
const any = (...of: QueryNode[]): QueryNode => ({ is: "any", of });
const field = (name: Extract<QueryNode, { is: "field" }>["field"], text: string, quoted = false): QueryNode => ({
  ...{ is: "field", field: name, text, quoted },
});

describe("what a condition asks for", () => {
  test.each<[string, QueryNode | undefined, number[]]>([
    ["nothing at all", undefined, [1, 2, 3, 4]],
    ["a word in any form", word("harbour"), [1, 2, 4]],
    ["a word that no document has", word("zzzz"), []],
    ["words that punctuation parts, all of them", word("fish-boats"), [2]],
    ["no word", word("؟!"), []],
    ["a phrase as written", phrase("harbour town"), [2]],
    ["a phrase in another form", phrase("harbours town"), []],
    ["a phrase over the end of the title", phrase("reopens the"), []],
    ["a phrase without words", phrase("…"), []],
    ["these articles", { is: "among", keys: [2, 3, 5, 99] }, [2, 3]],
    ["none of them", { is: "among", keys: [] }, []],
    ["what is not so", not(word("harbour")), [3]],
    ["what is not unlike it", not(not(word("harbour"))), [1, 2, 4]],
    ["all of several", all(word("harbour"), word("boats")), [2, 4]],
    ["any of several", any(phrase("harbour town"), word("reopens")), [1, 2, 4]],
    ["all of nothing", all(), []],
    ["any of nothing", any(), []],
    ["words of the title in any form", field("title", "towns"), [4]],
    ["all words of the title", field("title", "quiet harbour"), []],
    ["a title's phrase", field("title", "quiet town", true), [4]],
    ["a title's phrase that is in the content", field("title", "harbour town", true), []],
    ["a title's phrase without words", field("title", "!", true), []],
    ["an author by one name", field("author", "haddad"), [1]],
    ["an author by the whole name", field("author", "Rana  HADDAD"), [1]],
    ["an author by names in another order", field("author", "haddad rana"), []],
    ["an author by a part of a name", field("author", "hadd"), []],
    ["an author whose name has marks", field("author", "حداد"), [2]],
    ["an author without letters", field("author", "."), []],
    ["a source, in any case", field("source", "WIRE"), [1, 3]],
    ["a source by a part of its name", field("source", "wir"), []],
    ["a category, in any case", field("category", "economy"), [1]],
    ["a language", field("lang", "AR"), [3]],
    ["a domain with those below it", field("domain", "news.example"), [1, 2]],
    ["a domain below another", field("domain", "ar.news.example"), [2]],
    ["a domain by its end alone", field("domain", "ews.example"), []],
    ["what is no domain", field("domain", "not a host"), []],
    ["an entity, which was to be looked up before", field("entity", "Tyre"), []],
    ["what lacks a field is not in it", not(field("domain", "news.example")), [3, 4]],
  ])("%s", (_, condition, ids) => {
    expect(meeting(condition)).toEqual(ids);
  });

  test("a word stands for its translation, unless it is excluded, quoted, or in the title", () => {
    expect(meeting(word("earthquake"))).toEqual([3]);
    expect(meeting(not(word("earthquake")))).toEqual([1, 2, 3, 4]);
    expect(meeting(phrase("earthquake"))).toEqual([]);
    expect(meeting(field("title", "earthquake"))).toEqual([]);
    expect(meeting(word("ميناء"))).toEqual(expect.arrayContaining([1, 2]));
  });

  test("a word that looks like a typing error stands for what was meant, where the query allows it, and not if it is excluded", () => {
    const text = "harbuor";
    expect(meeting(word(text), { text, typos: "auto" })).toEqual([1, 2, 4]);
    expect(meeting(word(text), { text })).toEqual([]);
    expect(meeting(not(word(text)), { text, typos: "auto" })).toEqual([1, 2, 3, 4]);
  });

  test("the last word stands for those that begin so, where the query says that it is only begun", () => {
    const text = "fish boa";
    expect(meeting(word("boa"), { text, prefix: true })).toEqual([2, 4]);
    expect(meeting(word("boa"), { text })).toEqual([]);
    expect(meeting(word("fis"), { text, prefix: true })).toEqual([]);
  });

  test("narrows what filters leave, and what the text requires, to what meets all", () => {
    expect(meeting(word("harbour"), { filters: { source: "daily" } })).toEqual([2]);
    expect(meeting(word("harbour"), { filters: { articleIds: [1, 3, 4] } })).toEqual([1, 4]);
    expect(meeting(word("harbour"), { text: "boats -fish" })).toEqual([1, 4]);
    expect(meeting(word("fish"), { text: 'harbour "quiet town"' })).toEqual([]);
    expect(meeting(not(word("harbour")), { filters: { lang: "en" } })).toEqual([]);
  });
});

test("conditions of any shape are met by what a plain look at each document says", () => {
  const random = randomNumbers(41);
  const texts = ["harbour", "town", "boats", "quiet", "reopens", "fish"];
  const ids = [1, 2, 3, 4];
  const holding = new Map(texts.map((text) => [text, new Set(meeting(word(text)))]));
  const make = (depth: number): QueryNode => {
    const kind = random(depth === 0 ? 2 : 5);
    if (kind === 0) return word(texts[random(texts.length)] ?? "fish");
    if (kind === 1) return { is: "among", keys: ids.filter(() => random(2) === 0) };
    if (kind === 2) return not(make(depth - 1));
    const parts = Array.from({ length: 1 + random(3) }, () => make(depth - 1));
    return kind === 3 ? all(...parts) : any(...parts);
  };
  const holds = (node: QueryNode, id: number): boolean => {
    if (node.is === "not") return !holds(node.of, id);
    if (node.is === "all") return node.of.every((part) => holds(part, id));
    if (node.is === "any") return node.of.some((part) => holds(part, id));
    if (node.is === "among") return node.keys.includes(id);
    return node.is === "word" && holding.get(node.text)?.has(id) === true;
  };
  for (let round = 0; round < 200; round++) {
    const condition = make(4);
    expect(meeting(condition)).toEqual(ids.filter((id) => holds(condition, id)));
  }
});

test("documents that hold a term are marked within a range, and where it counts for something", () => {
  const texts = new TextIndex([
    { id: 1, title: "boats" },
    { id: 2, content: "boats" },
    { id: 3, content: "fish" },
    { id: 4, title: "boats", content: "boats" },
  ]);
  const [segment] = texts.projection.segments;
  const term = texts.words.term("boat");
  expect(term).toBeGreaterThan(0);
  const holding = (from: number, to: number, frequencies?: Float64Array): number[] => {
    const marks = new Uint8Array(4);
    if (segment !== undefined) markHolding(marks, term, { segment, from, to }, frequencies);
    return [...marks];
  };
  expect(holding(0, 4)).toEqual([1, 1, 0, 1]);
  expect(holding(1, 3)).toEqual([0, 1, 0, 0]);
  expect(holding(0, 4, frequencyTable(1, 0))).toEqual([1, 0, 0, 1]);
  expect(holding(0, 4, frequencyTable(0, 1))).toEqual([0, 1, 0, 1]);
});

test("names of authors are compared in normal form, by their words alone", () => {
  expect(authorKey("  Jean-Luc  O'Neil. ")).toBe(" jean luc oneil ");
  expect(authorKey("حَدَّاد")).toBe(" حداد ");
  for (const empty of ["", " ", "—", "\u200f"]) expect(authorKey(empty).trim()).toBe("");
});
