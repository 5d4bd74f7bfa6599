import { expect, test } from "bun:test";
import { addDerived, count, emptyTally, merge, type Outcome } from "./outcome.ts";

function failed(line: number, type = "/errors/content-too-short"): Outcome {
  return { line, externalId: `a${line}`, status: "failed", error: { type, detail: `detail ${line}` } };
}

test("every outcome is received, and counted under its status", () => {
  const tally = emptyTally();
  count(tally, [
    { line: 1, externalId: "a", status: "accepted", articleId: 7 },
    { line: 2, externalId: "b", status: "duplicate", articleId: 7 },
    { line: 3, externalId: "c", status: "conflict" },
    failed(4),
  ]);
  expect(tally).toMatchObject({ received: 4, accepted: 1, duplicate: 1, conflict: 1, failed: 1 });
});

test("problems are counted by type, and the first three of each kept as examples", () => {
  const tally = emptyTally();
  count(
    tally,
    [1, 2, 3, 4, 5].map((line) => failed(line)),
  );
  count(tally, [failed(6, "/errors/invalid-url")]);
  expect(tally.problems["/errors/content-too-short"]).toEqual({
    count: 5,
    examples: [1, 2, 3].map((line) => ({ line, externalId: `a${line}`, detail: `detail ${line}` })),
  });
  expect(tally.problems["/errors/invalid-url"]?.count).toBe(1);
});

test("a conflict is a problem of its own kind", () => {
  const tally = emptyTally();
  count(tally, [{ line: 9, externalId: "c", status: "conflict" }]);
  expect(tally.problems).toEqual({
    "/errors/conflict": { count: 1, examples: [{ line: 9, externalId: "c", detail: "" }] },
  });
});

test("two tallies add up, and the first examples stay the first", () => {
  const [into, from] = [emptyTally(), emptyTally()];
  count(into, [failed(1), failed(2)]);
  count(from, [failed(3), failed(4), { line: 5, externalId: "e", status: "accepted" }]);
  addDerived(into, { url: 2 });
  addDerived(from, { url: 3, title: 1 });
  merge(into, from);
  expect(into).toMatchObject({ received: 5, accepted: 1, failed: 4, derived: { url: 5, title: 1 } });
  expect(into.problems["/errors/content-too-short"]).toMatchObject({
    count: 4,
    examples: [{ line: 1 }, { line: 2 }, { line: 3 }],
  });
});
