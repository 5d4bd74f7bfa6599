import { expect, test } from "bun:test";
import { paced } from "./paced.ts";

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
