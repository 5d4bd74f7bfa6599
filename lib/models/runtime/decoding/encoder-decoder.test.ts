import { expect, test } from "bun:test";
import { at } from "../../../std/collections.ts";
import { type Advance, beamSearch } from "./encoder-decoder.ts";

const [END, A, B, C, START] = [0, 1, 2, 3, 4];

/** A language of known probabilities: what may follow each token. */
const FOLLOWS: Record<number, Record<number, number>> = {
  [START]: { [A]: 0.5, [B]: 0.4, [C]: 0.1 },
  [A]: { [A]: 0.34, [B]: 0.33, [END]: 0.33 },
  [B]: { [END]: 0.95, [C]: 0.05 },
  [C]: { [END]: 1 },
};

const advance: Advance = async (choices) => {
  const data = new Float32Array(choices.length * 5).fill(Math.log(1e-6));
  choices.forEach(({ token }, row) => {
    for (const [next, p] of Object.entries(FOLLOWS[token] ?? {})) data[row * 5 + Number(next)] = Math.log(p) + 7;
  });
  return { rows: choices.length, vocabulary: 5, data };
};
const settings = { start: START, end: END, banned: [], longest: 6 };

test("one beam takes the best token of every step, more beams find what is better as a whole", async () => {
  expect((await beamSearch(advance, { ...settings, beams: 1 }))[0]).toBe(A);
  expect(await beamSearch(advance, { ...settings, beams: 3 })).toEqual([B]);
});

test("a banned token is never put, and a sequence ends where it may be no longer", async () => {
  const found = await beamSearch(advance, { ...settings, banned: [END, B, C], beams: 2 });
  expect(found).toEqual([A, A, A, A]);
  expect(await beamSearch(advance, { ...settings, beams: 3, banned: [B] })).not.toContain(B);
});

test("each row goes on from the row that it names", async () => {
  const seen: number[][] = [];
  let paths = [[START]];
  const following: Advance = async (choices) => {
    if (seen.length > 0) paths = choices.map(({ parent, token }) => [...at(paths, parent), token]);
    seen.push(choices.map(({ parent }) => parent));
    return advance(choices);
  };
  await beamSearch(following, { ...settings, beams: 2 });
  expect(paths.every((path) => path[0] === START && path.length === seen.length)).toBe(true);
});

test("the check ends the search", async () => {
  const check = () => {
    throw new Error("stop");
  };
  await expect(beamSearch(advance, { ...settings, beams: 2, check })).rejects.toThrow("stop");
});
