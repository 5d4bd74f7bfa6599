import { expect, test } from "bun:test";
import { crossValidatedMap, type Debate, debateRows } from "./debates.ts";

const debate = (rows: number[][]): Debate => ({ rows, labels: rows.map(([x = 0]) => x > 0.5) });

test("a debate is ranked by what the others show", () => {
  const debates = [0.1, 0.2, 0.3].map((step) => debate([[0], [1], [step], [1 - step / 2]]));
  expect(crossValidatedMap(debates)).toBe(1);
});

test("a debate's own labels are of no use to its ranking", () => {
  const usual = [0.1, 0.2, 0.3].map((step) => debate([[0], [1], [step]]));
  const odd: Debate = { rows: [[0], [1], [0.4]], labels: [true, false, false] };
  expect(crossValidatedMap([...usual, odd])).toBeCloseTo((1 + 1 + 1 + 1 / 3) / 4, 12);
});

test("a sentence has its neighbours' scores beside its own", async () => {
  const classify = async (texts: readonly string[]) => texts.map((text) => (text === "claim" ? 0.9 : 0.1));
  const sentence = (text: string) => ({ id: "1", text, label: text === "claim" });
  const { rows, labels } = await debateRows({ classify }, ["thanks", "claim", "thanks"].map(sentence));
  expect(labels).toEqual([false, true, false]);
  const [first = [], second = []] = rows;
  expect(first[3]).toBe(second[0] ?? Number.NaN);
  expect(second[2]).toBe(first[0] ?? Number.NaN);
});
