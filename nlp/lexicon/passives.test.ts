import { expect, test } from "bun:test";
import { clauses, passiveStems, readTable, resolveElse } from "./passives.ts";

test("terms must all hold, alternatives of a term one of them; an underscore asks for nothing", () => {
  expect(clauses("MS||MD #dip")).toEqual([["MS", "MD"], ["#dip"]]);
  expect(clauses("_")).toEqual([]);
  expect(clauses("  MS   _  FS ")).toEqual([["MS"], ["FS"]]);
  expect(clauses("!MS||!FS")).toEqual([["!MS", "!FS"]]);
});

test("`else` holds where no other alternative's term in its place does, of those with the same terms before it", () => {
  expect(resolveElse(["#aA", "#iy else", "#iy #dip||Mono", "else"])).toEqual([
    [["#aA"]],
    [["#iy"], ["!#dip"], ["!Mono"]],
    [["#iy"], ["#dip", "Mono"]],
    [["!#aA"], ["!#iy"]],
  ]);
  expect(resolveElse(["!enc0", "else"])).toEqual([[["!enc0"]], [["enc0"]]]);
  expect(resolveElse(["else"])).toEqual([[]]);
  expect(resolveElse([])).toEqual([]);
});

test.each([
  ["a header alone", "a,b\n", ",", []],
  ["a last line without its end", "a,b\n1,2", ",", [{ a: "1", b: "2" }]],
  ["line ends of another system", "a\tb\r\n1\t2\r\n", "\t", [{ a: "1", b: "2" }]],
  ["quotes around a separator and a line end", 'a,b\n"1,\n2",3\n', ",", [{ a: "1,\n2", b: "3" }]],
  ["quotes within quotes", 'a\n"say ""x"""\n', ",", [{ a: 'say "x"' }]],
  ["fields that are missing", "a,b,c\n1\n", ",", [{ a: "1", b: "", c: "" }]],
  ["empty fields", "a,b\n,\n", ",", [{ a: "", b: "" }]],
  ["commas where tabs separate", "a\tb\n1,2\t3\n", "\t", [{ a: "1,2", b: "3" }]],
] as const)("a table with %s is read", (_, text, separator, rows) => {
  expect(readTable(text, separator)).toEqual([...rows]);
});

const PERFECT = `PATTERN,COND-T,COND-S,MATCH,SUB,COND-T-PASS,COND-S-PASS
1a2a3,_,_,(.)a(.)a(.),$1u$2i$3,p-asks,p-brings
1a2a3,x,gem y,(.)a(.)a(.),$1u$2i$3,_,gem
>a12a3,_,_,>a(.)(.)a(.),>u$1$2i$3,_,_
1aAo3,c-suff,hollow,(.)aA(.),$1iy$2,c-suff,hollow
qaAol,c-suff,hollow,(.)aA(.),$1uw$2,c-suff,hollow
`;
const IMPERFECT = `PATTERN,COND-T,COND-S,MATCH,SUB,COND-T-PASS,COND-S-PASS
1a2a3,_,_,(.)(.)u(.),$1$2a$3,_,ya-u
`;

const asked: string[] = [];
const read = (file: string): string => {
  asked.push(file);
  return file.includes("-PV-") ? PERFECT : IMPERFECT;
};

/** A row of the lexicon of verbs. */
const verb = (row: Record<string, string>) => ({
  CLASS: "[STEM-PV]",
  "COND-T": "_",
  "COND-S": "_",
  FEAT: "pos:verb asp:p vox:a",
  ...row,
});

test("the passive of a verb differs from it in its form, in what it asks for and brings, and in its voice", () => {
  expect(passiveStems(verb({ LEMMA: "katab", FORM: "katab", "COND-S": "trans" }), read)).toEqual([]);
  expect(passiveStems(verb({ LEMMA: "katab", FORM: "katab", "COND-S": "_ trans", "COND-T": "_" }), read)).toEqual([
    { FORM: "kutib", "COND-T": "p-asks", "COND-S": "p-brings trans", FEAT: "pos:verb asp:p vox:p" },
  ]);
});

test("conditions that a stem brings may stand in any order, and must be all those of the rule", () => {
  const own = { LEMMA: "radad", FORM: "radad", "COND-T": "x" };
  const passive = [{ FORM: "rudid", "COND-T": "_", "COND-S": "gem trans", FEAT: "pos:verb asp:p vox:p" }];
  expect(passiveStems(verb({ ...own, "COND-S": "y gem trans" }), read)).toEqual(passive);
  expect(passiveStems(verb({ ...own, "COND-S": "gem trans y" }), read)).toEqual(passive);
  expect(passiveStems(verb({ ...own, "COND-S": "gem trans" }), read)).toEqual([]);
  expect(passiveStems(verb({ ...own, "COND-T": "z", "COND-S": "gem y trans" }), read)).toEqual([]);
});

test("of several rules that fit, the one holds that names the most letters", () => {
  const hollow = { "COND-T": "c-suff", "COND-S": "hollow trans" };
  const formOf = (lemma: string) => passiveStems(verb({ ...hollow, LEMMA: lemma, FORM: lemma }), read)[0]?.FORM;
  expect([formOf("baAE"), formOf("qaAl")]).toEqual(["biyE", "quwl"]);
});

test("signs of the transliteration are letters, and not signs of a pattern", () => {
  const row = verb({ LEMMA: ">aHsan", FORM: ">aHsan", "COND-S": "_ ditrans" });
  expect(passiveStems({ ...row, LEMMA: ">akram", FORM: ">akram" }, read)).toMatchObject([{ FORM: ">ukrim" }]);
  expect(passiveStems({ ...row, LEMMA: "bakram", FORM: "bakram" }, read)).toEqual([]);
});

test("what stands behind the lemma tells its homonyms apart, and is no part of it", () => {
  for (const suffix of ["_1", "-2", "_1-u"]) {
    expect(passiveStems(verb({ LEMMA: `katab${suffix}`, FORM: "katab", "COND-S": "_ trans" }), read)).toHaveLength(1);
  }
});

test("a verb without an object has no passive, and one that has two objects has", () => {
  const own = { LEMMA: "katab", FORM: "katab" };
  const brings = (more: string) => passiveStems(verb({ ...own, "COND-S": `_ ${more}`.trim() }), read).length;
  expect([brings("intrans"), brings(""), brings("trans"), brings("ditrans"), brings("intrans trans")]).toEqual([
    0, 0, 1, 1, 1,
  ]);
});

test("the imperfect has a table of its own, and nouns have none", () => {
  asked.length = 0;
  const row = { CLASS: "[STEM-IV]", LEMMA: "katab", FORM: "ktub", "COND-S": "_ trans", FEAT: "asp:i vox:a" };
  expect(passiveStems(verb(row), read)).toEqual([
    { FORM: "ktab", "COND-T": "_", "COND-S": "ya-u trans", FEAT: "asp:i vox:p" },
  ]);
  expect(passiveStems(verb({ ...row, CLASS: "[STEM-NOM]" }), read)).toEqual([]);
  expect(passiveStems({}, read)).toEqual([]);
  expect(asked).toEqual(["MSA-Verb-IV-Passive-Patterns.csv"]);
  passiveStems(verb(row), read);
  expect(asked).toHaveLength(1);
});
