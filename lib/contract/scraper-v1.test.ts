import { expect, test } from "bun:test";
import { RunView } from "./scraper-v1.ts";
import { EdgeSummary } from "./answers.ts";

test("a summary of the edge worker has points, or is none", () => {
  const summary = { ok: true, model: "m", points: ["a"], target_lang: "en" };
  expect(EdgeSummary.parse(summary)).toEqual(EdgeSummary.parse({ ...summary, more: 1 }));
  expect(EdgeSummary.safeParse({ ...summary, points: [] }).success).toBe(false);
  expect(EdgeSummary.safeParse({ ...summary, ok: false }).success).toBe(false);
});
