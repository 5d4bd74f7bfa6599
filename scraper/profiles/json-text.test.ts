import { describe, expect, test } from "bun:test";
import { JsonSyntaxError, readJsonText } from "./json-text.ts";

const failureOf = (text: string): JsonSyntaxError => {
  try {
    readJsonText(text);
  } catch (error) {
    if (error instanceof JsonSyntaxError) return error;
    throw error;
  }
  throw new Error("it was read");
};

describe("readJsonText()", () => {
  test.each([
    ['{"a":[1,-2.5e3,true,null,"\\u00e9\\n"],"b":{}}'],
    ["[]"],
    [' \n{ "a" : [ ] , "b" : [ [ ] , { } ] }\r\n'],
    ['"text"'],
    ["0"],
    ['{"__proto__":{"a":1}}'],
  ])("reads %s as JSON.parse does", (text) => {
    expect(readJsonText(text).value).toEqual(JSON.parse(text));
    expect(JSON.stringify(readJsonText(text).value)).toBe(JSON.stringify(JSON.parse(text)));
  });

  test("knows the line of every key and entry", () => {
    const { lineOf } = readJsonText(
      '{\n  "a": 1,\n  "list": [\n    { "url": "x" },\n    {\n      "url": "y" }\n  ]\n}',
    );
    expect(lineOf(["a"])).toBe(2);
    expect(lineOf(["list"])).toBe(3);
    expect(lineOf(["list", 0, "url"])).toBe(4);
    expect(lineOf(["list", 1])).toBe(5);
    expect(lineOf(["list", 1, "url"])).toBe(6);
  });

  test("a path that is not there has the line of what encloses it", () => {
    const { lineOf } = readJsonText('{\n  "source": {\n    "id": "x" } }');
    expect(lineOf(["source", "tier"])).toBe(2);
    expect(lineOf(["missing"])).toBe(1);
    expect(lineOf([])).toBe(1);
  });

  test.each([
    ['{\n  "a": 1\n  "b": 2\n}', 3, "a comma is expected"],
    ['{\n  "a": 1,\n}', 3, "a key in double quotes is expected"],
    ["[1,\n2,,3]", 2, "a value is expected"],
    ["{\n'a': 1}", 2, "a word or sign that JSON does not have"],
    ['{\n"a": tru }', 2, "a word or sign that JSON does not have"],
    ['{"a" 1}', 1, "a colon is expected"],
    ['{"a":\n"never ends\n}', 2, "a string that does not end"],
    ['{"a": "tab\tinside"}', 1, "a character that JSON does not allow there"],
    ['{"a": "\\x"}', 1, "a string with a wrong escape"],
    ['{"a": 1}\n\n]', 3, "nothing more is expected"],
    ['{\n"a": 1,\n"a": 2}', 3, 'the key "a" comes twice'],
    ['{"a": 01}', 1, "a comma is expected"],
    ["", 1, "a value is expected"],
    ['{"a":\n[', 2, "] is expected"],
    ["[".repeat(1000) + "]".repeat(1000), 1, "nested too deep"],
    ["// comment\n{}", 1, "a comment, which JSON does not have"],
    ['{"a": 😀}', 1, "a word or sign that JSON does not have"],
  ])("%j is refused on line %i: %s", (text, line, message) => {
    const failure = failureOf(text);
    expect(failure.line).toBe(line);
    expect(failure.message).toBe(message);
  });

  test("a mark of byte order is passed over", () => {
    expect(readJsonText('\ufeff{"a":1}').value).toEqual({ a: 1 });
  });
});
