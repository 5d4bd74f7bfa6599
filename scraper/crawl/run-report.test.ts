import { expect, test } from "bun:test";
import { RunReport, selectorWarnings } from "./run-report.ts";

const now = () => Date.parse("2026-11-20T10:00:00Z");
const at = "2026-11-20T10:00:00.000Z";

test("errors are kept in their order, the newest hundred of them", () => {
  const report = new RunReport(now);
  for (let i = 0; i < 130; i++) report.error(`https://example.org/${i}`, "http-500", { retried: i === 129 });
  const { errors } = report.details();
  expect(errors.length).toBe(100);
  expect(errors.at(0)).toEqual({ url: "https://example.org/30", reason: "http-500", at, retried: false });
  expect(errors.at(-1)).toMatchObject({ url: "https://example.org/129", retried: true });
});

test("a listing that is read again, after an interruption, takes the place of what was said of it", () => {
  const feed = {
    url: "https://example.org/feed",
    kind: "feed",
    status: 200,
    entries: 3,
    tooOld: 0,
    error: null,
  } as const;
  const first = new RunReport(now);
  first.feed(feed);
  first.error("https://example.org/1", "http-404");
  const second = new RunReport(now, first.details());
  second.feed({ ...feed, status: 304, entries: null });
  expect(second.details()).toEqual({ ...first.details(), feeds: [{ ...feed, status: 304, entries: null }] });
});

test("the details are the same object until there is more to say", () => {
  const report = new RunReport(now);
  const before = report.details();
  report.page({ matched: [], unmatched: [] });
  expect(report.details()).toBe(before);
  report.page({ matched: ["title"], unmatched: [] });
  expect(report.details()).not.toBe(before);
});

test("pages are counted by selector and by whether it found something", () => {
  const report = new RunReport(now);
  for (let i = 0; i < 4; i++) report.page({ matched: ["title"], unmatched: ["content", "author"] });
  report.page({ matched: ["title", "author"], unmatched: ["content"] });
  expect(report.details().selectors).toEqual({
    title: { matched: 5, unmatched: 0 },
    content: { matched: 0, unmatched: 5 },
    author: { matched: 1, unmatched: 4 },
  });
});

const lost = (pages: number) => ({ content: { matched: 0, unmatched: pages } });
const found = { content: { matched: 3, unmatched: 9 } };

test.each([
  ["on five pages of one run", [lost(5)], ["article.content matches nothing on the last 5 pages"]],
  [
    "on five pages of several",
    [lost(1), lost(2), {}, lost(3), found],
    ["article.content matches nothing on the last 6 pages"],
  ],
  ["on four pages", [lost(4), found], []],
  ["on none of many pages", [found, lost(9)], []],
  ["without a page", [], []],
])("a selector that finds nothing %s", (_, history, warnings) => {
  expect(selectorWarnings(history)).toEqual(warnings);
});
