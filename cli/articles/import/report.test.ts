import { expect, test } from "bun:test";
import { addDerived, count, emptyTally } from "./outcome.ts";
import { reportJson, reportText } from "./report.ts";

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
