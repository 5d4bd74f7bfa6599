import { expect, test } from "bun:test";
import { tagsOf } from "./ner-tags.ts";

const tokens = ["رئيس", "بلدية", "نابلس", "وجنين"].map((text, i, all) => {
  const start = all.slice(0, i).join(" ").length + (i > 0 ? 1 : 0);
  return { text, start, end: start + text.length };
});
const entity = (type: string, start: number, end: number, level: number) => {
  return { type, start, end, level, text: "", name: "", confidence: 1 };
};

test("tags go from the outermost entity inwards; a token in none has none", () => {
  const entities = [entity("OCC", 0, 17, 0), entity("ORG", 5, 17, 1), entity("GPE", 11, 17, 2)];
  expect(tagsOf({ tokens, entities })).toEqual([["B-OCC"], ["I-OCC", "B-ORG"], ["I-OCC", "I-ORG", "B-GPE"], []]);
});

test("an entity that begins within a word, after its conjunction, tags the word", () => {
  expect(tagsOf({ tokens, entities: [entity("GPE", 11, 17, 0), entity("GPE", 19, 23, 0)] })).toEqual([
    [],
    [],
    ["B-GPE"],
    ["B-GPE"],
  ]);
});
