import { describe, expect, test } from "bun:test";
import { documentsAllowed } from "../keyword/condition.ts";
import { analyseSearch } from "../keyword/query.ts";
import { marked, type TextDocument, TextIndex } from "../keyword/testing/memory.ts";
import { randomNumbers } from "../keyword/testing/random.ts";
import type { QueryNode } from "../query-language/parse.ts";
import { Spellings, type WatchedArticle, wordsOfArticle } from "./across.ts";
import { conditionOf, oneWordOf, rarestOf } from "./condition.ts";

const ENGLISH = ["harbour", "harbours", "boats", "quiet", "town", "the", "fish-market", "2018", "earthquake"];
const ARABIC = ["الميناء", "ميناء", "زلزال", "المدينة", "كتاب", "يكتب", "هادئ", "٢٠١٨"];
const AUTHORS = ["Rana Haddad", "رنا حدّاد", "N. Khoury", "Rana Khoury Haddad"];

const random = randomNumbers(101);
const pick = (texts: readonly string[]) => texts[random(texts.length)] ?? "";
const text = (words: readonly string[], count: number) =>
  Array.from({ length: random(count) }, () => pick(words)).join(" ");

const DOCUMENTS = Array.from({ length: 60 }, (_, i): TextDocument => {
  const words = random(2) === 0 ? ARABIC : ENGLISH;
  return {
    ...{ id: i + 1, title: text(words, 4), content: text(words, 9), lang: words === ARABIC ? "ar" : "en" },
    ...{ sourceId: pick(["Wire", "daily"]), domain: pick(["news.example", "ar.news.example", "other.example"]) },
    ...{
      authors: random(3) === 0 ? [pick(AUTHORS)] : [],
      categoryId: random(2) === 0 ? pick(["Economy", "sport"]) : null,
    },
  };
});

const asWatched = ({ id, title = "", content = "", authors = [], ...fields }: TextDocument): WatchedArticle => ({
  ...{ articleId: id, tier: 3, authors, entityIds: new Set(id % 5 === 0 ? [7] : [1]), refuted: false },
  ...{ ...fields, ...wordsOfArticle({ title, content }) },
});
const ARTICLES = DOCUMENTS.map(asWatched);
const index = new TextIndex(DOCUMENTS.slice(0, 25), DOCUMENTS.slice(25));

const spellings = new Spellings(() => 1);
const parts = {
  entityId: (name: string) => (name === "Tyre" ? 7 : undefined),
  rarity: (term: string) => ARTICLES.filter(({ terms }) => terms.has(term)).length,
  spellings,
};

const inIndex = (condition: QueryNode) => {
  const masks = documentsAllowed(index.projection, index.words, { text: "x", condition }, analyseSearch("x"));
  return index.idsOf(({ live }, place) => marked(masks[place] ?? live, live.length));
};

function node(depth: number): QueryNode {
  const words = random(2) === 0 ? ARABIC : ENGLISH;
  const field = (name: Extract<QueryNode, { is: "field" }>["field"], value: string): QueryNode => ({
    ...{ is: "field", field: name, text: value, quoted: random(2) === 0 },
  });
  const leaves: (() => QueryNode)[] = [
    () => ({ is: "word", text: pick(words) }),
    () => ({ is: "phrase", text: `${pick(words)} ${random(2) === 0 ? pick(words) : ""}` }),
    () => field("title", `${pick(words)} ${random(3) === 0 ? pick(words) : ""}`),
    () => field("author", pick(["rana haddad", "haddad", "حداد", "hadd", ".", "khoury"])),
    () =>
      field(pick(["source", "category"]) === "source" ? "source" : "category", pick(["wire", "DAILY", "economy", "x"])),
    () => field("domain", pick(["news.example", "ar.news.example", "example", "no host"])),
    () => field("lang", pick(["AR", "en", "fr"])),
    () => ({ is: "among", keys: [1, 2, 3, 5, 8, 13, 21, 34, 55].filter(() => random(2) === 0) }),
  ];
  const inner = depth > 0 ? random(6) : 0;
  if (inner < 3) return (leaves[random(leaves.length)] ?? node)(0);
  if (inner === 3) return { is: "not", of: node(depth - 1) };
  const of = Array.from({ length: 1 + random(3) }, () => node(depth - 1));
  return inner === 4 ? { is: "all", of } : { is: "any", of };
}

test("an article meets what a saved search asks for where the index finds it, and has then one of its anchors", () => {
  for (const article of ARTICLES) spellings.learn(article);
  let holding = 0;
  for (let round = 0; round < 400; round++) {
    const sought = node(3);
    const { holds, anchors } = conditionOf(sought, parts);
    const met = ARTICLES.filter(holds);
    expect([sought, met.map(({ articleId }) => articleId)]).toEqual([sought, inIndex(sought)]);
    for (const { terms } of anchors === undefined ? [] : met) {
      expect([sought, anchors?.some((anchor) => terms.has(anchor))]).toEqual([sought, true]);
    }
    if (met.length > 0 && met.length < ARTICLES.length) holding++;
  }
  // Most of them tell articles apart.
  expect(holding).toBeGreaterThan(200);
});

describe("an entity", () => {
  const asks = (name: string): QueryNode => ({ is: "field", field: "entity", text: name, quoted: false });
  const met = (condition: QueryNode) =>
    ARTICLES.filter(conditionOf(condition, parts).holds).map(({ articleId }) => articleId);

  test("is that of an article where it is known, and no entity is none", () => {
    const fifth = ARTICLES.filter(({ articleId }) => articleId % 5 === 0).map(({ articleId }) => articleId);
    expect(met(asks("Tyre"))).toEqual(fifth);
    expect(met(asks("Sidon"))).toEqual([]);
    expect(met({ is: "not", of: asks("Sidon") })).toHaveLength(ARTICLES.length);
  });
});

test("one word of several is enough, in any form, by its root or in translation, and nothing for none", () => {
  const article = (title: string) => asWatched({ id: 1, title, lang: null });
  const holds = (query: string, title: string) => oneWordOf(query, { spellings }).holds(article(title));
  expect(holds("boats zzzz", "A boat")).toBe(true);
  expect(holds("the boats", "the town")).toBe(false);
  expect(holds("كتاب", "مكتبة المدينة")).toBe(true);
  expect(holds("earthquake", "زلزال يضرب المدينة")).toBe(true);
  for (const nothing of ["", "؟", "-boats"]) expect(holds(nothing, "A boat")).toBe(false);
  expect(oneWordOf("", { spellings }).anchors).toEqual([]);
});

test("of several lists of anchors that of the fewest articles is taken, one of none before all", () => {
  const rarity = (term: string) => ({ a: 5, b: 1, c: 3 })[term] ?? 0;
  expect(rarestOf([["a"], ["b", "c"]], rarity)).toEqual(["b", "c"]);
  expect(rarestOf([["a"], undefined, ["c", "b", "b"]], rarity)).toEqual(["a"]);
  expect(rarestOf([["a"], []], rarity)).toEqual([]);
  expect(rarestOf([["b"], ["b"]], rarity)).toEqual(["b"]);
  expect(rarestOf([undefined], rarity)).toBeUndefined();
  expect(rarestOf([], rarity)).toBeUndefined();
});
