import { expect, test } from "bun:test";
import { ARTICLES, problemText, readOutcomes } from "./post.ts";

const entries = [
  { externalId: "a", json: "{}" },
  { externalId: "b", json: "{}" },
];

test("each result belongs to the entry at its place", () => {
  const error = { type: "/errors/invalid-url", title: "Invalid Payload", detail: "url must be http or https" };
  const results = [
    { external_id: "a", status: "accepted", article_id: 9 },
    { external_id: "b", status: "failed", error },
  ];
  expect(readOutcomes({ schema: "ingest.v1", results }, entries, ARTICLES)).toEqual([
    { externalId: "a", status: "accepted", articleId: 9 },
    { externalId: "b", status: "failed", error: { type: error.type, detail: error.detail } },
  ]);
});

test.each([
  undefined,
  null,
  "text",
  {},
  { results: {} },
  { results: [{ external_id: "a", status: "accepted" }] },
  { results: entries.map(() => ({ external_id: null, status: "maybe" })) },
  { results: entries.map(() => ({ external_id: "a", status: "failed", error: { type: "/errors/x" } })) },
])("a body such as %j is not of the contract", (body) => {
  expect(() => readOutcomes(body, entries, ARTICLES)).toThrow("one result per item expected");
});

test("a problem body is told by title and detail, and nothing by any other", () => {
  expect(problemText({ title: "Payload Too Large", detail: "at most 1500000 bytes" })).toBe(
    "Payload Too Large: at most 1500000 bytes",
  );
  expect([problemText({ title: "Gone" }), problemText("<html>"), problemText(undefined)]).toEqual(["Gone", "", ""]);
});
