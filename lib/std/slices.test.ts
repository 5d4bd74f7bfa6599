import { expect, test } from "bun:test";
import { createTurns, mapInSlices } from "./slices.ts";

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

test("createTurns() lets the event loop go on between pieces of work that are due at once, in their order", async () => {
  const turn = createTurns({ sliceMs: 2 });
  const begun: number[] = [];
  let seen = 0;
  const timer = setInterval(() => {
    if (begun.length > 0 && begun.length < 20) seen++;
  }, 1);
  const work = Array.from({ length: 20 }, async (_, i) => {
    await turn();
    begun.push(i);
    const until = performance.now() + 3;
    while (performance.now() < until);
  });
  await Promise.all(work);
  clearInterval(timer);
  expect(begun).toEqual(Array.from({ length: 20 }, (_, i) => i));
  expect(seen).toBeGreaterThan(5);
});
