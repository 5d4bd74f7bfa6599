import { expect, test } from "bun:test";
import { inSlices } from "./in-slices.ts";

function busy(ms: number): void {
  const end = performance.now() + ms;
  while (performance.now() < end);
}

test("results come in the order of the items", async () => {
  expect(await inSlices([3, 1, 2], (n) => n * 2)).toEqual([6, 2, 4]);
  expect(await inSlices([], busy)).toEqual([]);
});

test("long work lets timers run in between", async () => {
  let ticks = 0;
  const timer = setInterval(() => ticks++, 1);
  await inSlices(
    Array.from({ length: 20 }, () => 3),
    busy,
  );
  clearInterval(timer);
  expect(ticks).toBeGreaterThan(3);
});

test("an error of one item reaches the caller", async () => {
  expect(
    inSlices([1], () => {
      throw new Error("no");
    }),
  ).rejects.toThrow("no");
});
