import { expect, test } from "bun:test";
import { patience, processorMs } from "./patience.ts";

test("a task that had the processor to itself ends at its deadline", () => {
  expect(patience(1000, { waited: 1000, used: 1000, sharedBy: 1 })).toBe(0);
  expect(patience(0, { waited: 0, used: 0, sharedBy: 1 })).toBe(0);
});

test("one that was kept waiting by other processes goes on, but not for ever", () => {
  expect(patience(1000, { waited: 1000, used: 300, sharedBy: 1 })).toBe(700);
  expect(patience(1000, { waited: 1000, used: 1000, sharedBy: 2 })).toBe(500);
  expect(patience(1000, { waited: 7900, used: 300, sharedBy: 1 })).toBe(100);
  expect(patience(1000, { waited: 8000, used: 300, sharedBy: 1 })).toBe(0);
});

test("processor time only grows", () => {
  const before = processorMs();
  let sum = 0;
  for (let i = 0; i < 1e6; i++) sum += i;
  expect(sum).toBeGreaterThan(0);
  expect(processorMs()).toBeGreaterThanOrEqual(before);
});
