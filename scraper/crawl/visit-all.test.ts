import { expect, test } from "bun:test";
import { runConcurrently } from "./visit-all.ts";

test("at most so many steps are under way at once, and the first false ends all", async () => {
  let underWay = 0;
  let most = 0;
  let left = 20;
  await runConcurrently(3, async () => {
    if (left === 0) return false;
    left--;
    most = Math.max(most, ++underWay);
    await new Promise((resolve) => setImmediate(resolve));
    underWay--;
    return true;
  });
  expect([left, most]).toEqual([0, 3]);
});

test("the first error is thrown when what was under way is over, and nothing is begun after it", async () => {
  const ended: string[] = [];
  const gate = Promise.withResolvers<void>();
  let begun = 0;
  const running = runConcurrently(2, async () => {
    if (begun++ === 0) throw new Error("first");
    await gate.promise;
    ended.push("second");
    return true;
  }).catch((error: unknown) => error);
  gate.resolve();
  expect(String(await running)).toContain("first");
  expect([ended, begun]).toEqual([["second"], 2]);
});

test("no lanes, no steps", async () => {
  let begun = 0;
  await runConcurrently(0, async () => {
    begun++;
    return false;
  });
  expect(begun).toBe(0);
});
