import { expect, test } from "bun:test";
import type { Outcome } from "./outcome.ts";
import { Sample } from "./sample.ts";

function accepted(...ids: number[]): Outcome[] {
  return ids.map((articleId) => ({ line: articleId, externalId: `a${articleId}`, status: "accepted", articleId }));
}

test("of few articles all are kept", () => {
  const sample = new Sample();
  sample.add(accepted(5, 6, 7));
  expect(sample.ids()).toEqual([5, 6, 7]);
});

test("of many a few are kept, spread over all of them, the first and the last among them", () => {
  const sample = new Sample();
  for (let id = 1; id <= 30_000; id++) sample.add(accepted(id));
  const ids = sample.ids();
  expect(ids.length).toBeWithin(8, 18);
  expect([ids[0], ids.at(-1)]).toEqual([1, 30_000]);
  for (let i = 1; i < ids.length; i++) expect((ids[i] ?? 0) - (ids[i - 1] ?? 0)).toBeLessThan(5000);
});

test("the last is the highest id, in whatever order the answers came", () => {
  const sample = new Sample();
  sample.add(accepted(200, 201));
  sample.add(accepted(100, 101));
  for (let i = 0; i < 100; i++) sample.add(accepted(50));
  expect(sample.ids()).toContain(201);
});

test("only accepted articles count", () => {
  const sample = new Sample();
  sample.add([
    { line: 1, externalId: "a", status: "duplicate", articleId: 1 },
    { line: 2, externalId: "b", status: "failed" },
    { line: 3, externalId: "c", status: "accepted" },
  ]);
  expect(sample.ids()).toEqual([]);
});
