import { expect, test } from "bun:test";
import { codePointSlice } from "../../../text/mod.ts";
import { findEntities } from "./find-entities.ts";
import { tokenise } from "./tokens.ts";

const rank = new Map(["فرنسا", "السعوديه"].map((word, i) => [word, i]));
const find = (text: string, start: number, end: number, type = "LOC") =>
  findEntities(text, [{ tokens: tokenise(text), spans: [{ type, start, end, probability: 0.75 }] }], rank);

test("offsets count code points, beyond emoji too", () => {
  const text = "😀😀 in New York 😀";
  const [entity] = find(text, 3, 5);
  expect(entity).toEqual({ type: "LOC", text: "New York", name: "New York", start: 6, end: 14, confidence: 0.75 });
  expect(codePointSlice(text, 6, 14)).toBe("New York");
});

test("a conjunction written onto a name is not part of it, whatever diacritics it has", () => {
  expect(find("قال وَفرنسا", 1, 2)).toMatchObject([{ text: "فرنسا", name: "فرنسا", start: 6, end: 11 }]);
});

test("the ل of لل stays in the text and not in the name", () => {
  expect(find("سافر للسعودية", 1, 2)).toMatchObject([{ text: "للسعودية", name: "السعوديه", start: 5, end: 13 }]);
});

test("a span without letters is no entity", () => {
  expect(find("a … b", 1, 2)).toEqual([]);
});
