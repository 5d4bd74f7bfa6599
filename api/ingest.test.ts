import { expect, test } from "bun:test";
import { answerOf, summarize, summaryId } from "./ingest.ts";

test("summarize() counts the statuses", () => {
  const results = (["accepted", "accepted", "duplicate", "failed", "conflict"] as const).map((status) => ({
    external_id: "a",
    status,
  }));
  expect(summarize(results, "id")).toEqual({ request_id: "id", received: 5, accepted: 2, failed: 1, conflicts: 1 });
});

test("answerOf() is a 202 without conflicts and a 409 problem with them", () => {
  expect(answerOf([{ external_id: "a", status: "duplicate", article_id: 3 }], "id").status).toBe(202);
  const { status, body } = answerOf(
    [
      { external_id: "a", status: "conflict" },
      { external_id: "b", status: "conflict" },
    ],
    "id",
  );
  expect(status).toBe(409);
  expect(body).toMatchObject({
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
