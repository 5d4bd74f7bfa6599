import { describe, expect, test } from "bun:test";
import { randomNumbers } from "../keyword/testing/random.ts";
import { type QueryNode, readQuery } from "./parse.ts";

const word = (text: string): QueryNode => ({ is: "word", text });
const phrase = (text: string): QueryNode => ({ is: "phrase", text });
const either = (...of: QueryNode[]): QueryNode => ({ is: "any", of });
const both = (...of: QueryNode[]): QueryNode => ({ is: "all", of });
const not = (of: QueryNode): QueryNode => ({ is: "not", of });
const inTitle = (text: string): QueryNode => ({ is: "field", field: "title", text, quoted: false });

describe("what a query requires", () => {
  test.each([
    ["harbour strike", undefined],
    ['"suez canal" ship', phrase("suez canal")],
    ["«قناة السويس» سفينة", phrase("قناة السويس")],
    ["“a b” c", phrase("a b")],
    ["harbour -cargo", not(word("cargo"))],
    ["harbour -(cargo OR freight)", not(either(word("cargo"), word("freight")))],
    ["-covid-19 x", not(phrase("covid-19"))],
    ["title:harbour strike", inTitle("harbour")],
    ["title:(harbour OR port)", either(inTitle("harbour"), inTitle("port"))],
    ['author:"Jane Doe"', { is: "field", field: "author", text: "Jane Doe", quoted: true } satisfies QueryNode],
    ['("a b" OR title:c) d', either(phrase("a b"), inTitle("c"))],
    ['("a b" OR c) d', undefined],
    ['("a b" (c -d))', both(phrase("a b"), not(word("d")))],
  ])("%s", (query, required) => {
    expect(readQuery(query).required).toEqual(required);
    // Neither the words nor how they are to match changes what is required.
    expect(readQuery(query, "all").required).toEqual(required);
  });
});

describe("what hits by word must hold beside it", () => {
  test.each([
    ["harbour strike", undefined, both(word("harbour"), word("strike"))],
    ["the harbour", undefined, word("harbour")],
    ["to be", undefined, both(word("to"), word("be"))],
    ["a1 b2 OR c3", undefined, both(word("a1"), either(word("b2"), word("c3")))],
    [
      '("a b" OR c3) d4',
      either(phrase("a b"), word("c3"), word("d4")),
      both(either(phrase("a b"), word("c3")), word("d4")),
    ],
    ["ميناء أو مرفأ", undefined, both(word("ميناء"), word("مرفأ"))],
  ])("%s", (query, any, all) => {
    expect(readQuery(query).condition).toEqual(any);
    expect(readQuery(query, "all").condition).toEqual(all);
  });
});

test("fields and what is excluded are no words to search for; phrases keep their quotes only where every hit holds them", () => {
  const texts: Record<string, string> = {
    'x -y source:reuters "p q"': 'x "p q"',
    '("p q" OR x) y': "p q x y",
    "title:x entity:suez": "x",
    "-x": "",
    "lang:ar": "",
  };
  for (const [query, text] of Object.entries(texts)) expect(readQuery(query).text).toBe(text);
});

test("how it was read is a query that is read alike", () => {
  const queries = [
    "a b OR c d",
    "(a OR (b «c d»)) -(e f) title:(g OR h)",
    'author:"Jane Doe", x. -covid-19',
    "source:reuters category:sport lang:ar domain:bbc.co.uk entity:السويس",
    "a OR OR b",
    "((a)) OR",
  ];
  for (const query of queries) {
    const { normal, ...read } = readQuery(query);
    expect(readQuery(normal)).toEqual({ ...read, normal });
  }
  expect(readQuery("a b OR c (d)").normal).toBe("a (b OR c) d");
  expect(readQuery("“p q” -covid-19").normal).toBe('"p q" -"covid-19"');
});

test("what does not parse is words", () => {
  const words = [
    "((((a",
    "a) b",
    "f(x) y",
    "title: x",
    "title:-x",
    "Title:x",
    "a OR",
    "OR a",
    '5" wide',
    "--a",
    "a - b",
    "«open",
    '""',
  ];
  for (const query of words) {
    expect(readQuery(query)).toEqual({ text: query, normal: query, required: undefined, condition: undefined });
  }
});

test("in a text of more words than a headline has only fields and OR are syntax", () => {
  const words = Array.from({ length: 17 }, (_, i) => `w${i}`).join(" ");
  expect(readQuery(`${words} "p q" -out`).required).toBeUndefined();
  expect(readQuery(`${words} "p q" -out`).text).toBe(`${words} "p q" -out`);
  expect(readQuery(`${words} title:x -out`).required).toEqual(both(inTitle("x"), not(word("out"))));
});

test("any text is read, in time in proportion to its length", () => {
  const signs = ["(", ")", '"', "«", "»", "-", " ", "OR ", "title:", "entity:", "a", "سلام", "\u200f", "\ud83d", "*"];
  let seed = 7;
  const next = (below: number) => {
    seed = (seed * 48_271) % 2_147_483_647;
    return seed % below;
  };
  for (let i = 0; i < 3_000; i++) {
    const query = Array.from({ length: next(40) }, () => signs[next(signs.length)]).join("");
    const { normal, text } = readQuery(query, next(2) === 0 ? "any" : "all");
    expect(text.length).toBeLessThanOrEqual(query.length + 2 * query.length);
    readQuery(normal);
  }
  for (const query of ["(".repeat(500_000), "(a OR ".repeat(100_000), '-"'.repeat(250_000), "title:".repeat(80_000)]) {
    expect(readQuery(query)).toMatchObject({ text: query, required: undefined });
  }
  expect(readQuery(`${"(a OR ".repeat(60)}b${")".repeat(60)}`).normal.length).toBeLessThan(2_000);
});

test("whatever is well formed is read alike once more, whether words are each enough or all wanted", () => {
  const random = randomNumbers(19);
  const pick = <T>(list: readonly T[]): T | undefined => list[random(list.length)];
  const word = () =>
    pick(["harbour", "كتاب", "covid-19", "the", "2018", "x.", "أو", "U.S.", "don't", "٢٠", "and"]) ?? "";
  const quoted = () => pick([`"${word()} ${word()}"`, `«${word()}»`, `“${word()} ${word()}”`]) ?? "";
  const name = () => pick(["title", "author", "source", "category", "lang", "domain", "entity"]) ?? "";
  const part = (depth: number): string => {
    const kind = random(depth === 0 ? 4 : 8);
    if (kind < 2) return word();
    if (kind === 2) return quoted();
    if (kind === 3) return `${name()}:${random(2) === 0 ? word() : quoted()}`;
    if (kind === 4) return `-${part(0)}`;
    if (kind === 5) return `-(${several(depth - 1)})`;
    return kind === 6 ? `(${several(depth - 1)})` : `title:(${word()} OR ${word()})`;
  };
  const several = (depth: number): string =>
    Array.from({ length: 1 + random(4) }, () => part(depth)).join(random(3) === 0 ? " OR " : " ");
  let withSyntax = 0;
  for (let round = 0; round < 500; round++) {
    const query = several(3);
    for (const match of ["any", "all"] as const) {
      const { normal, ...read } = readQuery(query, match);
      expect([query, readQuery(normal, match)]).toEqual([query, { ...read, normal }]);
      if (read.required !== undefined) withSyntax++;
    }
  }
  expect(withSyntax).toBeGreaterThan(400);
});
