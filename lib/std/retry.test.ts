import { describe, expect, test } from "bun:test";
import { abortable, backoffMs, retry } from "./retry.ts";

const backoff = { baseMs: 1, maxMs: 2 };

/** Fails `times` times, then gives how often it was called. */
function failing(times: number) {
  let calls = 0;
  return {
    work: async () => {
      if (calls++ < times) throw new Error(`failure ${calls}`);
      return calls;
    },
    calls: () => calls,
  };
}

test("retry() returns at once on a first success", async () => {
  const { work, calls } = failing(0);
  expect(await retry(work, { backoff })).toBe(1);
  expect(calls()).toBe(1);
});

test("retry() goes on until the work succeeds, and says what failed", async () => {
  const heard: unknown[] = [];
  expect(await retry(failing(3).work, { backoff, onRetry: (error, n) => heard.push([String(error), n]) })).toBe(4);
  expect(heard).toEqual([
    ["Error: failure 1", 1],
    ["Error: failure 2", 2],
    ["Error: failure 3", 3],
  ]);
});

test("retry() throws the last error once the attempts are used up", async () => {
  const { work, calls } = failing(9);
  await expect(retry(work, { backoff, attempts: 3 })).rejects.toThrow("failure 3");
  expect(calls()).toBe(3);
});

test("retry() throws at once what is not worth another try", async () => {
  const { work, calls } = failing(9);
  await expect(retry(work, { backoff, isRetryable: () => false })).rejects.toThrow("failure 1");
  expect(calls()).toBe(1);
});

test("retry() stops waiting when the signal aborts", async () => {
  const { work, calls } = failing(9);
  const stop = new AbortController();
  const done = retry(work, {
    backoff: { baseMs: 60_000, maxMs: 60_000 },
    signal: stop.signal,
    onRetry: () => stop.abort(),
  });
  await expect(done).rejects.toMatchObject({ name: "AbortError" });
  expect(calls()).toBe(1);
});

const most = () => 1;
const least = () => 0;

test("backoffMs() grows with every failure and stops growing at the maximum", () => {
  const backoff = { baseMs: 100, maxMs: 500 };
  expect([0, 1, 2, 3].map((failures) => backoffMs(failures, backoff, most))).toEqual([100, 200, 400, 500]);
  expect(backoffMs(100_000, backoff, most)).toBe(500);
  expect(backoffMs(-1, backoff, most)).toBe(100);
  expect(backoffMs(2, { ...backoff, factor: 1.5 }, most)).toBe(225);
});

test("backoffMs() leaves a share of the wait to chance, half of it by default", () => {
  const backoff = { baseMs: 100, maxMs: 500 };
  expect(backoffMs(1, backoff, least)).toBe(100);
  expect(backoffMs(1, { ...backoff, jitter: 0.25 }, least)).toBe(150);
  expect(backoffMs(1, { ...backoff, jitter: 0 }, least)).toBe(200);
  for (let i = 0; i < 20; i++) {
    const wait = backoffMs(9, backoff);
    expect(wait).toBeGreaterThanOrEqual(250);
    expect(wait).toBeLessThanOrEqual(500);
  }
});

const forever = new Promise<never>(() => {});

describe("abortable()", () => {
  test("settles as the promise does, in time", async () => {
    const { signal } = new AbortController();
    expect(await abortable(Promise.resolve(7), signal)).toBe(7);
    await expect(abortable(Promise.reject(new Error("away")), signal)).rejects.toThrow("away");
  });

  test("rejects with the reason of a signal that aborts, or has", async () => {
    const controller = new AbortController();
    const waiting = abortable(forever, controller.signal);
    controller.abort(new Error("late"));
    await expect(waiting).rejects.toThrow("late");
    await expect(abortable(forever, controller.signal)).rejects.toThrow("late");
  });
});
