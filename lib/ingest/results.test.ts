import { describe, expect, test } from "bun:test";
import { checkItem } from "./check-item.ts";
import { itemError } from "../contract/item-error.ts";
import { acceptedIds, mergeResults, submittedOf } from "./results.ts";

const valid = (id: string) =>
  checkItem({ source_id: "s", external_id: id, url: "https://a.test", title: "t", content: "x".repeat(200) });
const wrong = { externalId: null, error: itemError("invalid-field", "the item must be an object") };

describe("mergeResults()", () => {
  test("puts verdicts back between the items that failed", () => {
    const merged = mergeResults(submittedOf([wrong, valid("a"), wrong, valid("b"), valid("c")]), [
      { status: "accepted", articleId: 1 },
      { status: "conflict", articleId: 2 },
      { status: "failed" },
    ]);
    expect(merged.map(({ external_id, status }) => [external_id, status])).toEqual([
      [null, "failed"],
      ["a", "accepted"],
      [null, "failed"],
      ["b", "conflict"],
      ["c", "failed"],
    ]);
    expect(merged[3]).toEqual({ external_id: "b", status: "conflict" });
    expect(merged[1]).toEqual({ external_id: "a", status: "accepted", article_id: 1 });
    expect(merged[4]?.error?.type).toBe("/errors/unknown-source");
  });

  test("notices a verdict too few", () => {
    expect(() => mergeResults(submittedOf([valid("a")]), [])).toThrow("left out an item");
  });
});

test("acceptedIds() names the new articles only", () => {
  expect(
    acceptedIds([
      { external_id: "a", status: "accepted", article_id: 7 },
      { external_id: "b", status: "duplicate", article_id: 3 },
      { external_id: "c", status: "accepted" },
    ]),
  ).toEqual([7]);
});
