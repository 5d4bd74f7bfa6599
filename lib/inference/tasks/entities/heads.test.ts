import { expect, test } from "bun:test";
import { readHeads } from "./heads.ts";
import { taggerSettings } from "./settings.ts";

const head = {
  name: "en",
  first: 3,
  labels: ["O", "B-X", "I-X"],
  moves: [
    [0, 0.5, -10_000],
    [0, 0, 1],
    [0, 0, 1],
  ],
  scale: 1.5,
  bias: -0.5,
};

test("no sentence begins inside a name; moves go from row to column", () => {
  const found = readHeads(taggerSettings.parse({ heads: [head] })).get("en");
  expect([...(found?.starts ?? [])]).toEqual([0, 0, -10_000]);
  expect(found?.moves[1]).toBe(0.5);
  expect(found).toMatchObject({ first: 3, scale: 1.5, bias: -0.5 });
});

test("moves between other labels than the head's, no head and a negative scale are no settings", () => {
  expect(taggerSettings.safeParse({ heads: [{ ...head, moves: [[0]] }] }).success).toBe(false);
  expect(taggerSettings.safeParse({ heads: [] }).success).toBe(false);
  expect(taggerSettings.safeParse({ heads: [{ ...head, scale: -1 }] }).success).toBe(false);
});
