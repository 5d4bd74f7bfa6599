import { expect, test } from "bun:test";
import { createSteadyClock } from "./steady-clock.ts";

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
