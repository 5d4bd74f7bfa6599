import { expect, test } from "bun:test";
import { barsOf } from "./timeline.tsx";

const day = (date: string, count: number) => ({ from: `${date}T00:00:00Z`, count });

test("a bar stands for every day, also for those without any", () => {
  const bars = barsOf([day("2026-11-01", 3), day("2026-11-04", 5)]);
  expect(bars.map(({ count }) => count)).toEqual([3, 0, 0, 5]);
});

test("years are put into few bars, and none of what fell on their days is lost", () => {
  const days = Array.from({ length: 3_000 }, (_, i) => ({
    ...{ from: new Date(Date.UTC(2018, 0, 1) + i * 86_400_000).toISOString(), count: i % 7 },
  }));
  const bars = barsOf(days);
  expect(bars.length).toBeLessThanOrEqual(60);
  const sum = (counts: { count: number }[]) => counts.reduce((all, { count }) => all + count, 0);
  expect(sum(bars)).toBe(sum(days));
  expect(bars.every(({ from, to }, i) => i === 0 || (from > (bars[i - 1]?.to ?? 0) && to >= from))).toBe(true);
});

test("a change of the clock moves no day into its neighbour", () => {
  const days = [
    { from: "2026-03-28T00:00:00+02:00", count: 1 },
    { from: "2026-03-29T00:00:00+02:00", count: 2 },
    { from: "2026-03-30T00:00:00+03:00", count: 4 },
  ];
  expect(barsOf(days).map(({ count }) => count)).toEqual([1, 2, 4]);
});
