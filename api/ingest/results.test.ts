import { describe, expect, test } from "bun:test";
import { answerOf } from "./answer.ts";
import { checkItem } from "./check-item.ts";
import { itemError } from "./item-error.ts";
import { summaryId } from "./request-id.ts";
import { mergeResults, summarize } from "./results.ts";

const valid = (id: string) =>
  checkItem({ source_id: "s", external_id: id, url: "https://a.test", title: "t", content: "x".repeat(200) });
const wrong = { externalId: null, error: itemError("invalid-field", "the item must be an object") };

describe("mergeResults()", () => {
  test("puts verdicts back between the items that failed", () => {
    const merged = mergeResults(
      [wrong, valid("a"), wrong, valid("b"), valid("c")],
      [{ status: "accepted", articleId: 1 }, { status: "conflict" }, { status: "failed" }],
    );
    expect(merged.map(({ external_id, status }) => [external_id, status])).toEqual([
      [null, "failed"],
      ["a", "accepted"],
      [null, "failed"],
      ["b", "conflict"],
      ["c", "failed"],
    ]);
    expect(merged[1]).toEqual({ external_id: "a", status: "accepted", article_id: 1 });
    expect(merged[4]?.error?.type).toBe("/errors/unknown-source");
  });

  test("notices a verdict too few", () => {
    expect(() => mergeResults([valid("a")], [])).toThrow("left out an item");
  });
});

test("summarize() counts the statuses", () => {
  const results = (["accepted", "accepted", "duplicate", "failed", "conflict"] as const).map((status) => ({
    external_id: "a",
    status,
  }));
  expect(summarize(results, "id")).toEqual({ request_id: "id", received: 5, accepted: 2, failed: 1, conflicts: 1 });
});

test("answerOf() is a 202 without conflicts and a 409 problem with them", () => {
  expect(answerOf([{ external_id: "a", status: "duplicate", article_id: 3 }], "id").response.status).toBe(202);
  const { response } = answerOf(
    [
      { external_id: "a", status: "conflict" },
      { external_id: "b", status: "conflict" },
    ],
    "id",
  );
  expect(response.status).toBe(409);
  expect(JSON.parse(response.body)).toMatchObject({
    type: "/errors/conflict",
    detail: "2 articles are known with other content; nothing was stored.",
    summary: { conflicts: 2 },
  });
});

test("summaryId() keeps a UUID and replaces anything else by one", () => {
  const id = "3F0E6D2A-8F1C-4D43-9A7E-0A4F4E1F2B3C";
  expect(summaryId(id)).toBe(id);
  expect(summaryId("import-1")).toMatch(/^[0-9a-f-]{36}$/);
});
