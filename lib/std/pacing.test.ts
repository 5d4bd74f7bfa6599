import { expect, test } from "bun:test";
import { createSteadyClock, createTurns, mapInSlices, paced } from "./pacing.ts";

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

/** A read that takes `tookMs` of a clock of its own, and gives how often it was made. */
function counted(tookMs: number, keep?: (value: number) => boolean) {
  let now = 0;
  let calls = 0;
  const read = paced(
    async () => {
      now += tookMs;
      await Promise.resolve();
      return ++calls;
    },
    { now: () => now, ...(keep && { keep }) },
  );
  return { read, pass: (ms: number) => (now += ms) };
}

test("a quick read is made each time", async () => {
  const { read } = counted(3);
  expect([await read(), await read(), await read()]).toEqual([1, 2, 3]);
});

test("the value of a slow read is given again for ten times as long as it took", async () => {
  const { read, pass } = counted(100);
  expect(await read()).toBe(1);
  pass(999);
  expect(await read()).toBe(1);
  pass(1);
  expect(await read()).toBe(2);
});

test("a slow value that is not to be kept is read anew", async () => {
  const { read } = counted(100, (value) => value > 2);
  expect([await read(), await read(), await read(), await read()]).toEqual([1, 2, 3, 3]);
});

test("those who ask together share one read, and its failure; the next one reads anew", async () => {
  let calls = 0;
  const read = paced(() => Promise.reject(new Error(`failure ${++calls}`)));
  const failures = await Promise.all([read(), read()].map((asked) => asked.catch(String)));
  expect(failures).toEqual(["Error: failure 1", "Error: failure 1"]);
  expect(await read().catch(String)).toBe("Error: failure 2");
});

test("a clock is believed once it has held from one call to the next", () => {
  let at = 0;
  const isSteady = createSteadyClock(1_000, () => at);
  const after = (ms: number): boolean => {
    at += ms;
    return isSteady();
  };
  expect(after(0)).toBe(false);
  expect([after(500), after(1_000)]).toEqual([true, true]);
  expect([after(86_400_000), after(-86_400_000)]).toEqual([false, false]);
  expect(after(500)).toBe(true);
});

test("long pieces of work side by side take one turn of the event loop each, in their order", async () => {
  let turns = 0;
  let isOver = false;
  const count = (): void => {
    turns++;
    if (!isOver) setImmediate(count);
  };
  setImmediate(count);
  const steps: { piece: number; turn: number }[] = [];
  const work = [0, 1, 2].map((piece) =>
    mapInSlices([0, 1, 2, 3], () => void steps.push({ piece, turn: turns }), { sliceMs: -1 }),
  );
  await Promise.all(work);
  isOver = true;
  expect(new Set(steps.map(({ turn }) => turn)).size).toBe(steps.length);
  expect(steps.map(({ piece }) => piece)).toEqual(Array.from({ length: 4 }, () => [0, 1, 2]).flat());
});
