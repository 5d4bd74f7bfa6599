import { describe, expect, test } from "bun:test";
import { analyseSearch } from "../keyword/query.ts";
import type { KeywordQuery } from "../keyword/types.ts";
import type { QueryNode } from "../query-language/parse.ts";
import { acrossClause, conditionClauses, filterClauses, wordClause } from "./query.ts";
import { type Clause, domainsOf, entitledKey, filterSource, vectorAlias } from "./mapping.ts";

const sourcesOf = async (tier: number) => (tier === 1 ? ["wire"] : []);
const NONE: Clause = { match_none: {} };
const term = (field: string, value: unknown): Clause => ({ term: { [field]: value } });
const allOf = (field: string, ...stems: string[]): Clause => ({
  bool: { filter: stems.map((stem) => term(field, stem)) },
});
const phrase = (text: string, ...fields: string[]): Clause => ({
  bool: { should: fields.map((field) => ({ match_phrase: { [field]: text } })) },
});
const either = (...should: Clause[]): Clause => ({ bool: { should, minimum_should_match: 1 } });

describe("the words of a query", () => {
  const words = (text: string, fields?: KeywordQuery["fields"]) => wordClause(analyseSearch(text), fields);

  test("are asked of title and content together, each so often as the query has it", () => {
    expect(words("boats town boat")).toEqual(either({ match: { all: { query: "boat boat town", boost: 1 } } }));
    expect(words("boats", { title: 6, content: 2 })).toEqual(either({ match: { all: { query: "boat", boost: 2 } } }));
  });

  test("have their roots beside them at half their worth", () => {
    const { stems, roots } = analyseSearch("تدريس");
    expect(words("تدريس")).toEqual(
      either(
        { match: { all: { query: [...stems.keys()].join(" "), boost: 1 } } },
        { match: { allr: { query: [...roots.keys()].join(" "), boost: 0.5 } } },
      ),
    );
    expect(JSON.stringify(words("تدريس", { title: 6, content: 2 }))).toContain('"boost":2}');
    expect(JSON.stringify(words("تدريس", { title: 6, content: 2 }))).toContain('"boost":1}');
  });

  test("are asked of each field by its weight where those are others, and of one without weight not at all", () => {
    const across = (...fields: string[]) =>
      either({ multi_match: { query: "boat", type: "cross_fields", tie_breaker: 0.3, fields, boost: 1 } });
    expect(words("boats", { title: 5, content: 1 })).toEqual(across("tt^5", "tc^1"));
    expect(words("boats", { title: 2 })).toEqual(across("tt^2"));
    expect(words("boats", { content: 1 })).toEqual(across("tc^1"));
    expect(words("boats", {})).toBeUndefined();
    expect(words("boats", { title: 0, content: 0 })).toBeUndefined();
  });

  test("are none for a query without words, and 500 of one that has more", () => {
    for (const nothing of ["", "؟!", "-boats"]) expect(words(nothing)).toBeUndefined();
    const many = Array.from({ length: 600 }, (_, i) => `w${i}x`);
    const { stems } = analyseSearch(many.join(" "));
    const clause = JSON.stringify(words(many.join(" ")));
    const terms = [...stems.keys()];
    expect(terms.length).toBeGreaterThan(500);
    expect([clause.includes(`${terms[499]}`), clause.includes(`${terms[500]}`)]).toEqual([true, false]);
  });
});

test("what a query is in the other language is asked for by stems and by sounds, where there are any", () => {
  const match = (field: string, query: string) => ({ match: { [field]: { query, boost: 1 } } });
  expect(acrossClause({ stems: ["a", "b"], sounds: ["l:k"] })).toEqual(
    either(match("all", "a b"), match("sounds", "l:k")),
  );
  expect(acrossClause({ stems: [], sounds: ["l:k"] })).toEqual(either(match("sounds", "l:k")));
  expect(acrossClause({ stems: ["a"], sounds: [] })).toEqual(either(match("all", "a")));
  expect(acrossClause({ stems: [], sounds: [] })).toBeUndefined();
});

test.each<[string, Parameters<typeof filterClauses>[0], Clause[]]>([
  ["nothing", {}, []],
  ["a language", { lang: "ar" }, [term("lang", "ar")]],
  ["a domain", { domain: "a.test" }, [term("domainSuffixes", "a.test")]],
  ["a span", { from: 0, to: 9 }, [{ range: { publishedAt: { gte: 0 } } }, { range: { publishedAt: { lte: 9 } } }]],
  ["a tier", { source_tier: 1 }, [{ terms: { sourceId: ["wire"] } }]],
  ["a tier of no source", { source_tier: 2 }, [{ terms: { sourceId: [] } }]],
  ["some articles", { articleIds: [1, 2] }, [{ terms: { id: [1, 2] } }]],
  ["no articles", { articleIds: [] }, [{ terms: { id: [] } }]],
])("a filter asks for %s", async (_, filters, clauses) => {
  expect(await filterClauses(filters, sourcesOf)).toEqual(clauses);
});

describe("what a document must be", () => {
  const clauses = (text: string, query: Partial<KeywordQuery> = {}) =>
    conditionClauses(query, analyseSearch(text), sourcesOf);
  const condition = async (node: QueryNode) => (await clauses("x", { condition: node })).filter;
  const word = (text: string): QueryNode => ({ is: "word", text });
  const field = (name: Extract<QueryNode, { is: "field" }>["field"], text: string, quoted = false): QueryNode => ({
    ...{ is: "field", field: name, text, quoted },
  });

  test("has its phrases and filters, and what is excluded", async () => {
    expect(await clauses("boats")).toEqual({ filter: [], must_not: [] });
    expect(await clauses('boats "quiet town" -fish -"a boat" -covid-19', { filters: { lang: "en" } })).toEqual({
      filter: [term("lang", "en"), phrase("quiet town", "ft", "fc")],
      must_not: [allOf("all", "fish"), phrase("a boat", "ft", "fc"), phrase("covid 19", "ft", "fc")],
    });
  });

  test.each<[NonNullable<KeywordQuery["term"]>, Clause]>([
    [{ field: "article_id", value: "7" }, term("id", 7)],
    [{ field: "title", value: "quiet boats" }, allOf("tt", "quiet", "boat")],
    [{ field: "content", value: "boats boat" }, allOf("tc", "boat")],
    [{ field: "content", value: "!" }, NONE],
    [{ field: "domain", value: "a.test" }, term("domain", "a.test")],
    [{ field: "source_tier", value: 1 }, { terms: { sourceId: ["wire"] } }],
  ])("has the term %j", async (given, clause) => {
    expect((await clauses("x", { term: given })).filter).toEqual([clause]);
  });

  test.each<[string, QueryNode, Clause]>([
    ["these articles", { is: "among", keys: [1, 2] }, { terms: { id: [1, 2] } }],
    ["a phrase", { is: "phrase", text: "Quiet Town" }, phrase("quiet town", "ft", "fc")],
    ["no phrase", { is: "phrase", text: "…" }, NONE],
    ["no word", word("…"), NONE],
    ["words of the title", field("title", "boats"), allOf("tt", "boat")],
    ["a phrase of the title", field("title", "the boats", true), phrase("the boats", "ft")],
    ["no word of the title", field("title", "!"), NONE],
    ["no phrase of the title", field("title", "!", true), NONE],
    ["an author", field("author", "Rana  HADDAD"), { match_phrase: { named: "rana haddad" } }],
    ["no author", field("author", "."), NONE],
    ["a source, in any case", field("source", "Wire"), term("sourceId", { value: "Wire", case_insensitive: true })],
    ["a category", field("category", "x"), term("categoryId", { value: "x", case_insensitive: true })],
    ["a language", field("lang", "AR"), term("lang", { value: "AR", case_insensitive: true })],
    ["a domain", field("domain", "A.Test."), term("domainSuffixes", "a.test")],
    ["no domain", field("domain", "a b"), NONE],
    ["an entity, looked up before", field("entity", "Tyre"), NONE],
  ])("meets the condition: %s", async (_, node, clause) => {
    expect(await condition(node)).toEqual([clause]);
    expect(await condition({ is: "all", of: [node] })).toEqual([{ bool: { filter: [clause] } }]);
    expect(await condition({ is: "any", of: [node, node] })).toEqual([either(clause, clause)]);
  });

  test("holds each word in any form, in translation but where it is excluded, however deep", async () => {
    const own = allOf("all", "earthquak");
    const [found] = await condition(word("earthquake"));
    expect(JSON.stringify(found)).toContain(JSON.stringify(own));
    expect(JSON.stringify(found)).toContain("زلزال");
    const excluded = { bool: { must_not: [{ bool: { filter: [either(own)] } }] } };
    expect(await condition({ is: "not", of: word("earthquake") })).toEqual([excluded]);
    const deep: QueryNode = { is: "not", of: { is: "any", of: [{ is: "all", of: [word("earthquake")] }] } };
    expect(JSON.stringify(await condition(deep))).not.toContain("زلزال");
  });
});

test("a host is found by itself and by every domain above it", () => {
  expect(domainsOf("a.b.example")).toEqual(["a.b.example", "b.example", "example"]);
  expect(domainsOf("localhost")).toEqual(["localhost"]);
});

test("of an article is written what filters look at, and nothing of what it lacks", () => {
  const article = { lang: "ar", sourceId: "wire", categoryId: null, domain: "a.example" };
  expect(filterSource(7, { ...article, publishedAt: "1970-01-01T00:00:01Z" })).toEqual({
    ...{ id: 7, lang: "ar", sourceId: "wire", domain: "a.example", domainSuffixes: ["a.example", "example"] },
    publishedAt: 1_000,
  });
  expect(filterSource(7, {})).toEqual({ id: 7 });
});

test("titles of the same words have the same key, and each model an alias of its own that the engine takes", () => {
  expect(entitledKey("harbour reopens")).toBe(entitledKey("harbour reopens"));
  expect(entitledKey("harbour reopens")).not.toBe(entitledKey("reopens harbour"));
  expect(entitledKey("")).toHaveLength(22);
  const aliases = ["E5/small_v2", "e5-small-v2", "e5 small v2", "م"].map((model) => vectorAlias("isnad", model));
  expect(new Set(aliases).size).toBe(4);
  for (const alias of aliases) expect(alias).toMatch(/^isnad-vectors-[a-z0-9-]+-[0-9a-f]{8}$/);
});
