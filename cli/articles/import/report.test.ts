import { expect, test } from "bun:test";
import { addDerived, count, emptyTally, merge, type Outcome, reportJson, reportText, Sample } from "./report.ts";

function report(resumedAt = 0) {
  const tally = emptyTally();
  const accepted = Array.from({ length: 1500 }, (_, i) => ({
    line: i + 1,
    externalId: `a${i}`,
    status: "accepted" as const,
  }));
  count(tally, accepted);
  const error = { type: "/errors/invalid-url", detail: "url must be http or https" };
  count(tally, [{ line: 1501, externalId: "", status: "failed", error }]);
  addDerived(tally, { "date-unreadable": 12, cut: 0 });
  return { file: "/archives/2018/news.jsonl.gz", resumedAt, seconds: 2.345, tally };
}

test("a report names the file, the time, each status, and each kind of problem with examples", () => {
  expect(reportText([report()])).toBe(
    [
      "news.jsonl.gz: 1,501 articles in 2.3 s",
      "     1,500  accepted",
      "         0  duplicate",
      "         0  conflict",
      "         1  failed",
      "  /errors/invalid-url: 1, for instance",
      "    line 1501 (no id): url must be http or https",
      "  filled in or left out",
      "        12  date unreadable: sent without, kept in raw",
      "",
    ].join("\n"),
  );
});

test("an import that was taken up again says so", () => {
  expect(reportText([report(900)])).toContain("(900 lines had been sent by an earlier, unfinished import)");
  expect(reportText([report()])).not.toContain("earlier");
});

test("as JSON it is one entry a file", () => {
  expect(reportJson([report(5), report()])).toMatchObject({
    files: [
      { file: "/archives/2018/news.jsonl.gz", resumed_at: 5, seconds: 2.345, received: 1501, accepted: 1500 },
      { resumed_at: 0, problems: { "/errors/invalid-url": { count: 1 } } },
    ],
  });
});

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

test("the commonest problems come first, and what was derived is told in words", () => {
  const tally = emptyTally();
  count(tally, [failed(1, "/errors/rare"), failed(2, "/errors/common"), failed(3, "/errors/common")]);
  addDerived(tally, { url: 1, title: 2, lead: 3, cut: 4 });
  const lines = reportText([{ file: "a.jsonl", resumedAt: 0, seconds: 1, tally }]).split("\n");
  expect(lines.filter((line) => line.includes("for instance"))).toEqual([
    "  /errors/common: 2, for instance",
    "  /errors/rare: 1, for instance",
  ]);
  expect(lines.slice(-6)).toEqual([
    "  filled in or left out",
    "         1  no URL: one made from source and id",
    "         2  no title: the first sentence of the text",
    "         3  text too short alone: its lead put before it",
    "         4  larger than a request may be: content cut",
    "",
  ]);
});

test("of the examples of two tallies no more are kept than of one", () => {
  const [into, from] = [emptyTally(), emptyTally()];
  count(into, [failed(1), failed(2), failed(3)]);
  count(from, [failed(4)]);
  merge(into, from);
  expect(into.problems["/errors/content-too-short"]?.examples.map(({ line }) => line)).toEqual([1, 2, 3]);
});
