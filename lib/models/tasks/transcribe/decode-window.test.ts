import { describe, expect, test } from "bun:test";
import {
  applyRules,
  createTokenText,
  cutWindow,
  decodeWindow,
  type Heard,
  sampleTokens,
  TEMPERATURES,
} from "./decode-window.ts";

describe("decode window", () => {
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
});

describe("timestamp rules", () => {
  // Text 0 to 4, the end 5, a mark 6, no stamps 7, stamps 8 to 15.
  const rules = { firstStamp: 8, end: 5, noStamps: 7, suppressed: [6, 1], suppressedFirst: [0], latestFirst: 3 };

  /** The tokens that may follow, when all are as likely but text a little more than stamps together. */
  function allowed(heard: number[], lift: Record<number, number> = {}): number[] {
    const logits = Float32Array.from({ length: 16 }, (_, token) => lift[token] ?? (token < 8 ? 3 : 0));
    applyRules(logits, heard, rules);
    return [...logits].flatMap((logit, token) => (logit === Number.NEGATIVE_INFINITY ? [] : [token]));
  }

  test("a window begins with a time stamp, and not a late one", () => {
    expect(allowed([])).toEqual([8, 9, 10, 11]);
  });

  test("text follows on the first stamp, or the end", () => {
    expect(allowed([8])).toEqual([0, 2, 3, 4, 5]);
  });

  test("stamps close a stretch of text, later than it began, and open the next one", () => {
    expect(allowed([10, 2])).toEqual([0, 2, 3, 4, 5, 11, 12, 13, 14, 15]);
    expect(allowed([10, 2, 12])).toEqual([5, 12, 13, 14, 15]);
    expect(allowed([10, 2, 12, 12])).toEqual([0, 2, 3, 4, 5]);
  });

  test("a stamp is put when all of them together are likelier than any text", () => {
    const lift = Object.fromEntries([11, 12, 13, 14, 15].map((token) => [token, 1.5]));
    expect(allowed([10, 2], lift)).toEqual([11, 12, 13, 14, 15]);
  });
});

describe("segments", () => {
  const stamp = (position: number): number => 100 + position;
  const rules = { firstStamp: 100 };

  test("stretches end where two stamps meet, and the next window begins at the last such place", () => {
    const tokens = [stamp(0), 1, stamp(5), stamp(6), 2, stamp(9), stamp(9), 3];
    expect(cutWindow(tokens, 50, rules)).toEqual({
      stretches: [
        { start: 0, end: 5, tokens: tokens.slice(0, 3) },
        { start: 6, end: 9, tokens: tokens.slice(3, 6) },
      ],
      advance: 9,
    });
  });

  test("a single stamp at the end says that nothing more is said in the window", () => {
    const tokens = [stamp(0), 1, stamp(5), stamp(6), 2, stamp(9)];
    const { stretches, advance } = cutWindow(tokens, 50, rules);
    expect([stretches.length, advance]).toEqual([2, 50]);
    expect(stretches[1]).toMatchObject({ start: 6, end: 9 });
  });

  test("without such a place all of it is one stretch", () => {
    expect(cutWindow([stamp(0), 1, stamp(7)], 50, rules)).toMatchObject({
      stretches: [{ start: 0, end: 7 }],
      advance: 50,
    });
    expect(cutWindow([stamp(0), 1, 2], 50, rules)).toMatchObject({ stretches: [{ start: 0, end: 50 }], advance: 50 });
    expect(cutWindow([], 20, rules)).toMatchObject({ advance: 20 });
  });

  test("a window always goes on, whatever the stamps say", () => {
    expect(cutWindow([stamp(0), stamp(0), 1], 50, rules).advance).toBe(1);
    expect(cutWindow([stamp(0), 1, stamp(70), stamp(70), 1], 50, rules).advance).toBe(50);
  });
});

describe("byte level", () => {
  const textOf = createTokenText({ Ġthe: 0, Ø: 1, "¨": 2, ÙĦ: 3, "<|end|>": 4, Ċ: 5, ïĥ: 6 });

  test("letters stand for bytes, a blank and a line's end among them", () => {
    expect(textOf([0, 5, 3])).toBe(" the\nل");
  });

  test("a letter whose bytes are in two tokens is put together, and half of one is no letter", () => {
    expect(textOf([1, 2])).toBe("ب");
    expect(textOf([1, 0])).toBe("\ufffd the");
  });

  test("tokens that the vocabulary does not have are passed over", () => {
    expect(textOf([0, 99])).toBe(" the");
  });
});
