import { expect, test } from "bun:test";
import { isObject, parseJson, parseJsonObject } from "./json.ts";

test("isObject() takes objects alone", () => {
  expect([{}, { a: 1 }, Object.create(null)].every(isObject)).toBe(true);
  expect([null, undefined, [], "x", 1, () => 1].some(isObject)).toBe(false);
});

test("parseJson() gives the value of a text, undefined for what is no JSON", () => {
  expect(parseJson('[1, "x"]')).toEqual([1, "x"]);
  expect(parseJson("null")).toBeNull();
  for (const text of ["", "{", "undefined", "<html>"]) expect(parseJson(text)).toBeUndefined();
});

test("parseJsonObject() takes objects alone", () => {
  expect(parseJsonObject('{"a":1}')).toEqual({ a: 1 });
  for (const text of ["[]", "null", "1", "{"]) expect(parseJsonObject(text)).toBeUndefined();
});
