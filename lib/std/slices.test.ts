import { expect, test } from "bun:test";
import { mapInSlices } from "./slices.ts";

test("mapInSlices() keeps the order and lets the event loop go on between slices", async () => {
  let ticks = 0;
  const timer = setInterval(() => ticks++, 1);
  const results = await mapInSlices(
    Array.from({ length: 20 }, (_, i) => i),
    (i) => {
      const until = performance.now() + 3;
      while (performance.now() < until);
      return i * 2;
    },
    { sliceMs: 2 },
  );
  clearInterval(timer);
  expect(results).toEqual(Array.from({ length: 20 }, (_, i) => i * 2));
  expect(ticks).toBeGreaterThan(5);
});

test("mapInSlices() rejects with what the function throws", () => {
  expect(
    mapInSlices([1], () => {
      throw new Error("no");
    }),
  ).rejects.toThrow("no");
});
