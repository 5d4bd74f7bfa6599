import { expect, test } from "bun:test";
import { createDrain } from "./drain.ts";

/** A measure over a clock that the test moves. */
function setUp() {
  let time = 0;
  const drain = createDrain(() => time);
  return {
    drain,
    /** `ms` later, `cost` units are done. */
    done(ms: number, { cost = 1, waiting = true } = {}) {
      time += ms;
      drain.done(cost, { waiting });
    },
  };
}

test("nothing is known before some is done while some waits, however long that took", () => {
  const { drain, done } = setUp();
  done(50);
  expect(drain.msPerUnit()).toBe(0);
  drain.busy(4);
  done(5_000);
  done(10);
  expect(drain.msPerUnit()).toBe(0);
  done(10);
  expect(drain.msPerUnit()).toBeGreaterThan(0);
});

test("the fewer are done, the more it may be faster than it looks", () => {
  const { drain, done } = setUp();
  drain.busy(4);
  done(0);
  const seen = Array.from({ length: 400 }, () => {
    done(10);
    return drain.msPerUnit();
  });
  expect(seen[3]).toBeCloseTo(5, 1);
  expect(seen[7]).toBeCloseTo(10 / 1.5, 1);
  expect(seen[399]).toBeCloseTo(10, 0);
  expect(seen).toEqual(seen.toSorted((a, b) => a - b));
});

test("it does not matter how many are done at a time, nor how many units one is", () => {
  const { drain, done } = setUp();
  drain.busy(4);
  done(0);
  for (let round = 0; round < 100; round++) for (const ms of [80, 0, 0, 0]) done(ms, { cost: 2 });
  expect(drain.msPerUnit()).toBeGreaterThan(8.5);
  expect(drain.msPerUnit()).toBeLessThan(11);
});

test("what is done now counts more than what was done long ago", () => {
  const { drain, done } = setUp();
  drain.busy(2);
  for (let n = 0; n < 100; n++) done(10);
  for (let n = 0; n < 200; n++) done(40);
  expect(drain.msPerUnit()).toBeGreaterThan(38);
});

test("time that something else took does not count", () => {
  const { drain, done } = setUp();
  drain.busy(2);
  for (let n = 0; n < 100; n++) done(10);
  drain.skip();
  done(3_000);
  expect(drain.msPerUnit()).toBeLessThan(10);
});

test("the next time begins anew, with half of what was known until more is", () => {
  const { drain, done } = setUp();
  drain.busy(2);
  for (let n = 0; n < 200; n++) done(10, { waiting: n < 199 });
  expect(drain.msPerUnit()).toBeGreaterThan(9.5);
  done(60_000);
  drain.busy(2);
  expect(drain.msPerUnit()).toBeCloseTo(5, 5);
  done(1_000);
  for (let n = 0; n < 200; n++) done(30);
  expect(drain.msPerUnit()).toBeCloseTo(30, 0);
});
