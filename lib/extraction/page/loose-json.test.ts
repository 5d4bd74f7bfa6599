import { expect, test } from "bun:test";
import { readLooseJson } from "./loose-json.ts";

test("JSON is read as it is", () => {
  expect(readLooseJson('{"a":[1,-2.5e3,true,null,"x\\u0041\\n\\"y\\""]}')).toEqual([
    { a: [1, -2500, true, null, 'xA\n"y"'] },
  ]);
});

const ARTICLE = { type: "NewsArticle", headline: "Reservoir", author: { name: "Layla Haddad" }, tags: ["a", "b"] };
const JSON_TEXT = JSON.stringify(ARTICLE);

test.each([
  ["in a comment", `<!-- ${JSON_TEXT} -->`],
  ["in CDATA", `<![CDATA[${JSON_TEXT}]]>`],
  ["in CDATA behind slashes", `\n//<![CDATA[\n${JSON_TEXT};\n//]]>\n`],
  ["in CDATA within comments", `/*<![CDATA[*/ ${JSON_TEXT} /*]]>*/`],
  ["with a semicolon", `${JSON_TEXT};`],
  ["with commas too many", JSON_TEXT.replace("}", ",}").replace("]", ",]")],
  ["with a comma doubled", JSON_TEXT.replace(",", ",,")],
  ["with a comma too few", JSON_TEXT.replace('","', '"\n"')],
  ["with comments in it", JSON_TEXT.replace("{", "{ // one\n /* two */ ")],
  ["with names without quotes", JSON_TEXT.replaceAll(/"(\w+)":/g, "$1:")],
  ["in single quotes", JSON_TEXT.replaceAll('"', "'")],
  ["assigned to a variable", `window.data = ${JSON_TEXT};`],
  ["cut off", JSON_TEXT.slice(0, -2)],
])("JSON %s is read all the same", (_, text) => {
  expect(readLooseJson(text)).toEqual([ARTICLE]);
});

test("values side by side are all read", () => {
  expect(readLooseJson(`{"a":1}{"b":2}`)).toEqual([{ a: 1 }, { b: 2 }]);
  expect(readLooseJson(`{"a":1},\n[{"b":2}];`)).toEqual([{ a: 1 }, [{ b: 2 }]]);
});

test.each([
  ['{"h":"The "new" pier","x":"1"}', 'The "new" pier'],
  ['{"h":"He said "no", and left","x":"1"}', 'He said "no", and left'],
  ['{"h":""New" pier","x":"1"}', '"New" pier'],
  ['{"h":"A pier called "New"","x":"1"}', 'A pier called "New"'],
  ['{"h":"قال "لا" وغادر","x":"1"}', 'قال "لا" وغادر'],
  ['{"h":"one\ntwo\tthree","x":"1"}', "one\ntwo\tthree"],
  ['{"h":"C:\\dir","x":"1"}', "C:\\dir"],
  ['{"h":"it\\\'s","x":"1"}', "it's"],
])("quotes and breaks within a string are of it: %s", (text, headline) => {
  expect(readLooseJson(text)).toEqual([{ h: headline, x: "1" }]);
});

test("no name reaches the prototype, and what is no JSON holds nothing", () => {
  const [value] = readLooseJson('{"__proto__":{"a":1},"b":2,}');
  expect(Object.getPrototypeOf(value)).toBe(Object.prototype);
  for (const text of ["", "<p>x</p>", "undefined", "}}]]", '"x']) expect(readLooseJson(text)).toEqual([]);
});

test.each([
  ['"\\', 400_000],
  ['{"a":"\\', 200_000],
  ['"x ', 200_000],
  ['{"a":"x", "y ', 100_000],
  ["[", 500_000],
  ['{"a":', 200_000],
  ["{a ", 200_000],
  ["/*", 500_000],
  ['", "', 200_000],
  [`"${" ".repeat(199)}`, 5000],
])("%j over and over takes time in proportion", (part, count) => {
  const before = process.cpuUsage();
  readLooseJson(`{"a":"${part.repeat(count)}`);
  readLooseJson(part.repeat(count));
  const { user, system } = process.cpuUsage(before);
  expect((user + system) / 1e6).toBeLessThan(5);
});

test("values are nested sixty levels deep at most, and there are five hundred at most", () => {
  const nested = (levels: number) => `${"[".repeat(levels)}"x"${"]".repeat(levels)},`;
  // The comma makes it no JSON, so that it is read loosely.
  expect(JSON.stringify(readLooseJson(nested(60)))).toContain('"x"');
  expect(JSON.stringify(readLooseJson(nested(61)))).not.toContain('"x"');
  expect(readLooseJson("{a:1};".repeat(600))).toHaveLength(500);
});

test.each([
  ["every escape", String.raw`{"a":"\b\f\n\r\t\/\\\"\'",}`, "\b\f\n\r\t/\\\"'"],
  ["a code point of two units", String.raw`{"a":"\uD83D\uDE00",}`, "😀"],
  ["capital digits of a unit", String.raw`{"a":"\u00E9",}`, "é"],
  ["a unit of too few digits", String.raw`{"a":"\u00e",}`, String.raw`\u00e`],
  ["an escape that stands for nothing", String.raw`{"a":"\q",}`, String.raw`\q`],
  ["the end behind a backslash", '{"a":"x\\', "x\\"],
])("a string with %s is read", (_, text, value) => {
  expect(readLooseJson(text)).toEqual([{ a: value }]);
});

test.each([
  ["{a:1,b:-2.5,c:true,d:null,e:word}", { a: 1, b: -2.5, c: true, d: null, e: "word" }],
  ["{a:,b:2}", { a: "", b: 2 }],
  ['{"a":1,"a":2,}', { a: 1 }],
  ["{'a':'b',}", { a: "b" }],
  ["{a:[1,,2,],b:{}}", { a: [1, 2], b: {} }],
  ["{a:1 /* one */, // two\n b:2}", { a: 1, b: 2 }],
  ['{"a":false // no\n,"b":word // w\n}', { a: false, b: "word" }],
  ["{a:http://n.example/1,b:2}", { a: "http://n.example/1", b: 2 }],
  ['{"a" : "b" ; "c" : "d"}', { a: "b", c: "d" }],
  ["{a:[1,2}", { a: [1, 2] }],
  ["{a:{b:1]", { a: { b: 1 } }],
])("%s is read as it was meant", (text, value) => {
  expect(readLooseJson(text)[0]).toEqual(value);
});
