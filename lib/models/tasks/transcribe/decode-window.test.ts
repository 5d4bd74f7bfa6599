import { expect, test } from "bun:test";
import { decodeWindow, type Heard, sampleTokens, TEMPERATURES } from "./decode-window.ts";

const likely = { tokens: [1, 2], logProbability: -0.5, noSpeech: 0.1 };
const unlikely = { tokens: [3], logProbability: -1.5, noSpeech: 0.1 };
const textOf = (tokens: readonly number[]) => (tokens.length > 20 ? " and".repeat(tokens.length) : " some words");

/** What holds, and the temperatures that were tried. */
async function tried(answer: (temperature: number) => Heard & { noSpeech: number }) {
  const seen: number[] = [];
  const heard = await decodeWindow(
    async (temperature) => {
      seen.push(temperature);
      return answer(temperature);
    },
    { temperatures: TEMPERATURES, textOf },
  );
  return [heard?.tokens, seen];
}

test("the likeliest tokens hold when they are likely", async () => {
  expect(await tried(() => likely)).toEqual([[1, 2], [0]]);
});

test("an unlikely attempt is followed by a freer one, up to the last", async () => {
  expect(await tried((temperature) => (temperature < 0.4 ? unlikely : likely))).toEqual([
    [1, 2],
    [0, 0.2, 0.4],
  ]);
  expect(await tried(() => unlikely)).toEqual([[3], [...TEMPERATURES]]);
});

test("so is one that goes round in circles", async () => {
  const circles = { ...likely, tokens: Array<number>(60).fill(1) };
  expect(await tried((temperature) => (temperature === 0 ? circles : likely))).toEqual([
    [1, 2],
    [0, 0.2],
  ]);
});

test("where nobody seems to speak an unlikely attempt means silence", async () => {
  expect(await tried(() => ({ ...unlikely, noSpeech: 0.7 }))).toEqual([undefined, [0]]);
  expect(await tried(() => ({ ...likely, noSpeech: 0.7 }))).toEqual([[1, 2], [0]]);
});

// Text 0 and 1, the end 2, no stamps 3, stamps 4 to 6.
const rules = { firstStamp: 4, end: 2, noStamps: 3, suppressed: [], suppressedFirst: [], latestFirst: 2 };
const steps = [
  [0, 0, 0, 0, 5, 0, 0],
  [3, 2.5, 0, 0, 0, 0, 0],
  [0, 0, 9, 0, 0, 0, 0],
];

async function sampled(temperature: number, random: () => number, longest = 9): Promise<Heard> {
  let step = 1;
  const advance = async () => ({ rows: 1, vocabulary: 7, data: Float32Array.from(steps[step++] ?? []) });
  const first = Float32Array.from(steps[0] ?? []);
  return sampleTokens(advance, first, { rules, longest, temperature, random, check: () => {} });
}

test("at temperature 0 the likeliest token is put, at higher ones chance decides", async () => {
  expect((await sampled(0, () => 0.99)).tokens).toEqual([4, 0]);
  expect((await sampled(1, () => 0)).tokens).toEqual([4, 0]);
  expect((await sampled(1, () => 0.7)).tokens).toEqual([4, 1]);
});

test("the log probability is the mean over the tokens and the end", async () => {
  const logOf = (values: number[], one: number) => one - Math.log(values.reduce((sum, x) => sum + Math.exp(x), 0));
  const expected = logOf([5, 0, 0], 5) + logOf([3, 2.5, 0], 3) + logOf([0, 0, 9, 0, 0], 9);
  expect((await sampled(0, () => 0)).logProbability).toBeCloseTo(expected / 3, 4);
});

test("a window that does not end is cut", async () => {
  expect((await sampled(0, () => 0, 1)).tokens).toEqual([4]);
});
