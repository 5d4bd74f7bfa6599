import { describe, expect, test } from "bun:test";
import type { QueryField } from "../query-language/parse.ts";
import { among, encodeTerm, fieldExpression, filterExpressions, NOTHING } from "./document.ts";

describe("a term for a server that splits words", () => {
  test.each([
    ["a", "c2p"],
    ["ab", "c2pc2q"],
    ["0", "c1c"],
    ["كتب", "d18jd17ud17s"],
    ["😀", "e2r5s"],
    ["", ""],
  ])("%j is %j", (term, encoded) => {
    expect(encodeTerm(term)).toBe(encoded);
  });

  test("has letters and digits alone, and is no other term's, nor a part of one", () => {
    const terms = ["a", "b", "ab", "ba", "a b", "é", "e\u0301", "ك", "ک", "😀", "\u{10ffff}", "\n", "_", "aa", "aaa"];
    const encoded = terms.map(encodeTerm);
    expect(new Set(encoded).size).toBe(terms.length);
    for (const text of encoded) expect(text).toMatch(/^[a-z0-9]+$/);
    // The letter before each character says how long it is, so that a text is read back in one way.
    const decode = (text: string): string => {
      const [length = ""] = text;
      const digits = "abcdef".indexOf(length);
      if (text === "") return "";
      return String.fromCodePoint(Number.parseInt(text.slice(1, 1 + digits), 36)) + decode(text.slice(1 + digits));
    };
    expect(encoded.map(decode)).toEqual(terms);
  });
});

describe("a filter in the server's language", () => {
  const sourcesOf = async (tier: number) => (tier === 1 ? ["wire", 'da"ily'] : []);

  test.each<[string, Parameters<typeof filterExpressions>[0], string[]]>([
    ["nothing", {}, []],
    ["a language", { filters: { lang: "ar" } }, ['lang = "ar"']],
    ["a domain", { filters: { domain: "news.example" } }, ['domainSuffixes = "news.example"']],
    ["a span", { filters: { from: 0, to: 9 } }, ["publishedAt >= 0", "publishedAt <= 9"]],
    ["a tier", { filters: { source_tier: 1 } }, ['sourceId IN ["wire", "da\\"ily"]']],
    ["a tier of no source", { filters: { source_tier: 2 } }, [NOTHING]],
    ["some articles", { filters: { articleIds: [3, 1] } }, ["id IN [3, 1]"]],
    ["no articles", { filters: { articleIds: [] } }, [NOTHING]],
    ["a name with quotes", { filters: { source: 'a"b\\c' } }, ['sourceId = "a\\"b\\\\c"']],
    ["an article", { term: { field: "article_id", value: "7" } }, ["id = 7"]],
    ["a field", { term: { field: "category", value: "sport" } }, ['categoryId = "sport"']],
    ["a domain itself", { term: { field: "domain", value: "a.test" } }, ['domain = "a.test"']],
    ["a time", { term: { field: "from", value: 5 } }, ["publishedAt = 5"]],
    ["a tier as a term", { term: { field: "source_tier", value: 1 } }, ['sourceId IN ["wire", "da\\"ily"]']],
    ["words, which it cannot ask for", { term: { field: "title", value: "boats" } }, []],
    ["both", { filters: { lang: "en" }, term: { field: "source", value: "x" } }, ['lang = "en"', 'sourceId = "x"']],
  ])("asks for %s", async (_, query, expressions) => {
    expect(await filterExpressions(query, sourcesOf)).toEqual(expressions);
  });

  test.each<[QueryField, string, string | undefined]>([
    ["title", "boats", undefined],
    ["author", "Rana  HADDAD", 'named = "rana haddad"'],
    ["source", "wire", 'sourceId = "wire"'],
    ["category", 'a"b', 'categoryId = "a\\"b"'],
    ["lang", "ar", 'lang = "ar"'],
    ["domain", "News.Example.", 'domainSuffixes = "news.example"'],
    ["domain", "no host", NOTHING],
    ["entity", "Tyre", NOTHING],
  ])("says of the field %s as %j: %j", (field, text, expression) => {
    expect(fieldExpression(field, text)).toBe(expression);
  });

  test("has numbers bare and texts quoted among several values", () => {
    expect(among("id", [1, 2])).toBe("id IN [1, 2]");
    expect(among("sourceId", ["1"])).toBe('sourceId IN ["1"]');
    expect(among("id", [])).toBe(NOTHING);
  });
});
