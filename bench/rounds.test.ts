import { expect, test } from "bun:test";
import { holds, interleaved, line, median, quantile } from "./rounds.ts";

test("median() and quantile() interpolate and do not depend on order", () => {
  expect(median([3, 1, 2])).toBe(2);
  expect(median([4, 1, 2, 3])).toBe(2.5);
  expect(quantile([0, 10], 0.99)).toBeCloseTo(9.9);
  expect(median([])).toBeNaN();
});

test("interleaved() runs the contenders in turn and drops the warm-up", async () => {
  const order: string[] = [];
  const times = await interleaved(
    ["a", "b"].map((name) => ({ name, run: () => order.push(name) })),
    { rounds: 2, warmup: 1 },
  );
  expect(order.join("")).toBe("ababab");
  expect(times.get("a")).toHaveLength(2);
  expect(times.get("b")).toHaveLength(2);
});

test("a figure says on its line whether it holds", () => {
  const figure = { name: "ratio", value: 0.7, bound: { atLeast: 0.75 }, detail: "" };
  expect(holds(figure)).toBe(false);
  expect(line(figure)).toStartWith("MISSES");
  expect(holds({ ...figure, bound: { atMost: 0.75 } })).toBe(true);
});
