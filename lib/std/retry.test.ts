import { expect, test } from "bun:test";
import { retry } from "./retry.ts";

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
