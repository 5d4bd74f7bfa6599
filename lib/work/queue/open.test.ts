import { describe, expect, test } from "bun:test";
import { complaints, within } from "./open.ts";

test("logs a reason at once, then every five seconds with the times it was heard since", () => {
  const lines: object[] = [];
  let now = 0;
  const complain = complaints({ warn: (fields) => void lines.push(fields) }, "analysis", () => now);
  for (now = 0; now < 6_000; now += 100) complain(new Error("connection refused"));
  complain(new Error("something else"));
  expect(lines).toEqual([
    { queue: "analysis", reason: "connection refused" },
    { queue: "analysis", reason: "connection refused", repeated: 49 },
    { queue: "analysis", reason: "something else" },
  ]);
});

test("names the kind of an error without a message", () => {
  const lines: object[] = [];
  const complain = complaints({ warn: (fields) => void lines.push(fields) }, "analysis");
  complain(new AggregateError([]));
  expect(lines).toEqual([{ queue: "analysis", reason: "AggregateError" }]);
});

describe("within", () => {
  test("settles as the work does", async () => {
    expect(await within(1000, "it", Promise.resolve(7))).toBe(7);
    await expect(within(1000, "it", Promise.reject(new Error("no")))).rejects.toThrow("no");
  });

  test("rejects when the work takes too long, naming it", async () => {
    await expect(within(10, "adding", new Promise(() => {}))).rejects.toThrow("adding took longer than 10 ms");
  });
});
