import { expect, test } from "bun:test";
import { readHeads } from "./heads.ts";
import { tagSentence } from "./tag-sentence.ts";

const [head] = readHeads({
  heads: [
    {
      name: "x",
      first: 0,
      labels: ["O", "B-X", "I-X"],
      moves: [
        [0, 0, -10_000],
        [0, 0, 0],
        [0, 0, 0],
      ],
      scale: 2,
      bias: 0,
    },
  ],
}).values();

test("the span's log-odds are scaled: what is even stays even, what is likely becomes likelier", () => {
  if (head === undefined) throw new Error("no head");
  const even = tagSentence(head, { scores: Float32Array.of(0, 0.001, -100), offset: 0, stride: 3, length: 1 });
  expect(even.tags).toEqual(["B-X"]);
  expect(even.spans[0]?.probability).toBeCloseTo(0.5, 2);
  const likely = tagSentence(head, { scores: Float32Array.of(0, Math.log(3), -100), offset: 0, stride: 3, length: 1 });
  expect(likely.spans[0]?.probability).toBeCloseTo(0.9, 5);
});

test("a sentence without words has no tags", () => {
  if (head === undefined) throw new Error("no head");
  expect(tagSentence(head, { scores: new Float32Array(0), offset: 0, stride: 0, length: 0 })).toEqual({
    tags: [],
    spans: [],
  });
});
