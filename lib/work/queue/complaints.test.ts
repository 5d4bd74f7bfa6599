import { expect, test } from "bun:test";
import { complaints } from "./complaints.ts";

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
