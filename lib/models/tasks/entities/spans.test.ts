import { expect, test } from "bun:test";
import { bestPath, type Chain, spansOf, tagSentence, withProbabilities } from "./spans.ts";
import { readHeads } from "./tag-model.ts";

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

const chain: Chain = {
  labels: ["O", "B-X", "I-X"],
  starts: Float32Array.of(0, 0, -10_000),
  moves: Float32Array.of(0.5, 0.25, -10_000, 0, -0.5, 1, 0.25, 0, 0.75),
};
const scores = Float32Array.of(0.2, 1, 3, 0.1, -1, 0.4, 0.3, 0.9, 0.2, 1, 0.1, 0.5);
const at = { scores, offset: 0, stride: 3, length: 4 };

/** Every path of four labels with its share of exp(score). */
function paths(): { tags: string[]; score: number; share: number }[] {
  const all: { path: number[]; score: number }[] = [];
  for (let n = 0; n < 81; n++) {
    const path = [n % 3, Math.floor(n / 3) % 3, Math.floor(n / 9) % 3, Math.floor(n / 27)];
    const score = path.reduce((sum, label, t) => {
      const before = path[t - 1];
      const move = before === undefined ? chain.starts[label] : chain.moves[before * 3 + label];
      return sum + (move ?? 0) + (scores[t * 3 + label] ?? 0);
    }, 0);
    all.push({ path, score });
  }
  const total = all.reduce((sum, { score }) => sum + Math.exp(score), 0);
  return all.map(({ path, score }) => ({
    tags: path.map((label) => chain.labels[label] ?? ""),
    score,
    share: Math.exp(score) / total,
  }));
}

test("the best path is the best of all paths", () => {
  const best = paths().reduce((a, b) => (b.score > a.score ? b : a));
  expect(bestPath(chain, at).map((label) => chain.labels[label] ?? "")).toEqual(best.tags);
});

test("a span's probability is the share of the paths that have just this span", () => {
  const all = paths().filter(({ share }) => share > 1e-12);
  for (const span of [
    { type: "X", start: 0, end: 1 },
    { type: "X", start: 1, end: 3 },
    { type: "X", start: 0, end: 4 },
    { type: "X", start: 3, end: 4 },
  ]) {
    const want = all
      .filter(({ tags }) => spansOf(tags).some((found) => found.start === span.start && found.end === span.end))
      .reduce((sum, { share }) => sum + share, 0);
    expect(withProbabilities(chain, at, [span])[0]?.probability).toBeCloseTo(want, 6);
  }
});

test("in a long sentence of sure scores a span's probability is what its own words say", () => {
  const length = 2_000;
  const far = new Float32Array(3 * length);
  for (let t = 0; t < length; t++) far.set(t % 10 === 3 ? [-40, 40, -90] : [60, -60, -60], 3 * t);
  far.set([0, Math.log(3), -200], 3 * 1_003);
  const free: Chain = { ...chain, moves: Float32Array.of(0, 0, -10_000, 0, 0, 0, 0, 0, 0) };
  const place = { scores: far, offset: 0, stride: 3, length };
  const [sure, half] = withProbabilities(
    free,
    place,
    [3, 1_003].map((start) => ({ type: "X", start, end: start + 1 })),
  );
  expect(sure?.probability).toBeCloseTo(1, 6);
  expect(half?.probability).toBeCloseTo(0.75, 6);
});

test("rows of a wider table are read by offset and stride", () => {
  const wide = new Float32Array(3 + 4 * 5);
  for (let t = 0; t < 4; t++) wide.set(scores.subarray(t * 3, t * 3 + 3), 3 + t * 5);
  expect(bestPath(chain, { scores: wide, offset: 3, stride: 5, length: 4 })).toEqual(bestPath(chain, at));
});

test("spans of tags: an I that follows no tag of its type begins one", () => {
  expect(spansOf(["I-X", "I-X", "O", "B-X", "B-X", "I-Y"])).toEqual([
    { type: "X", start: 0, end: 2 },
    { type: "X", start: 3, end: 4 },
    { type: "X", start: 4, end: 5 },
    { type: "Y", start: 5, end: 6 },
  ]);
});
