import { expect, test } from "bun:test";
import { processorMs, remainingMs } from "./protocol.ts";

const deadline = { cpuMs: 1000 };

test("a call that had the processor to itself ends at its deadline", () => {
  expect(remainingMs(deadline, { elapsed: 1000, used: 1000, sharedBy: 1 })).toBe(0);
  expect(remainingMs({ cpuMs: 0 }, { elapsed: 0, used: 0, sharedBy: 1 })).toBe(0);
});

test("one that was kept waiting by other processes goes on, but not for ever", () => {
  expect(remainingMs(deadline, { elapsed: 1000, used: 300, sharedBy: 1 })).toBe(700);
  expect(remainingMs(deadline, { elapsed: 1000, used: 1000, sharedBy: 2 })).toBe(500);
  expect(remainingMs(deadline, { elapsed: 7900, used: 300, sharedBy: 1 })).toBe(100);
  expect(remainingMs(deadline, { elapsed: 8000, used: 300, sharedBy: 1 })).toBe(0);
});

test("a deadline on the clock does not look at the processor", () => {
  expect(remainingMs({ ms: 1000 }, { elapsed: 400, used: 5000, sharedBy: 1 })).toBe(600);
  expect(remainingMs({ ms: 1000 }, { elapsed: 1000, used: 0, sharedBy: 1 })).toBe(0);
});

test("processor time only grows", () => {
  const before = processorMs();
  let sum = 0;
  for (let i = 0; i < 1e6; i++) sum += i;
  expect(sum).toBeGreaterThan(0);
  expect(processorMs()).toBeGreaterThanOrEqual(before);
});
