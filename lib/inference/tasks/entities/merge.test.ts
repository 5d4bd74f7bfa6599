import { expect, test } from "bun:test";
import type { Entity } from "./entity.ts";
import { mergeEntities } from "./merge.ts";

const mention = (name: string, type: string, start: number, confidence = 0.9): Entity => ({
  type,
  text: name,
  name,
  start,
  end: start + name.length,
  confidence,
});

test("mentions of one key are one entity, with all its places", () => {
  expect(mergeEntities([mention("السعودية", "LOC", 30), mention("سعودية", "LOC", 3, 0.5)])).toEqual([
    { type: "LOC", name: "سعودية", key: "سعوديه", mentions: 2, confidence: 0.9, spans: [3, 9, 30, 38] },
  ]);
});

test("the type is the one that most confidence speaks for", () => {
  const [entity] = mergeEntities([
    mention("Paris", "PER", 0, 0.4),
    mention("Paris", "LOC", 9),
    mention("Paris", "LOC", 20),
  ]);
  expect(entity).toMatchObject({ type: "LOC", mentions: 3 });
});

test("a single word is the person whose name begins or ends with it, when there is just one", () => {
  const one = mergeEntities([mention("Barack Obama", "PER", 0), mention("Obama", "PER", 40)]);
  expect(one).toMatchObject([{ name: "Barack Obama", mentions: 2, spans: [0, 12, 40, 45] }]);
  const two = mergeEntities([
    mention("Barack Obama", "PER", 0),
    mention("Michelle Obama", "PER", 20),
    mention("Obama", "PER", 40),
  ]);
  expect(two).toHaveLength(3);
  expect(mergeEntities([mention("New York", "LOC", 0), mention("York", "LOC", 20)])).toHaveLength(2);
});

test("the most mentioned comes first; a name without letters is none", () => {
  const found = mergeEntities([
    mention("A1", "ORG", 0),
    mention("B2", "ORG", 5),
    mention("B2", "ORG", 9),
    mention("…", "ORG", 12),
  ]);
  expect(found.map(({ name }) => name)).toEqual(["B2", "A1"]);
  expect(mergeEntities([])).toEqual([]);
});
