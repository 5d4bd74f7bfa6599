import { expect, test } from "bun:test";
import { inTurns } from "./in-turns.ts";

test("inTurns() keeps the order and lets the event loop go on between slices", async () => {
  let ticks = 0;
  const timer = setInterval(() => ticks++, 1);
  const results = await inTurns(
    Array.from({ length: 20 }, (_, i) => i),
    (i) => {
      const until = performance.now() + 3;
      while (performance.now() < until);
      return i * 2;
    },
    2,
  );
  clearInterval(timer);
  expect(results).toEqual(Array.from({ length: 20 }, (_, i) => i * 2));
  expect(ticks).toBeGreaterThan(5);
});

test("inTurns() rejects with what the function throws", () => {
  expect(
    inTurns([1], () => {
      throw new Error("no");
    }),
  ).rejects.toThrow("no");
});
