import { expect, test } from "bun:test";
import { NO_COUNTS } from "@isnad/lib/store";
import { outcomeOf, type RunFacts } from "./run-outcome.ts";

function outcome(more: Partial<RunFacts>, counts: Partial<RunFacts["counts"]> = {}) {
  const { status, error } = outcomeOf({
    counts: { ...NO_COUNTS, ...counts },
    discovered: { discovered: 0, read: 1, problems: [] },
    visits: { retried: 0, failed: 0, outages: [] },
    items: { failed: 0, pending: 0 },
    pushError: null,
    warnings: [],
    ...more,
  });
  return { status, error };
}

test("a run in which nothing went wrong succeeded, also when there was nothing to do", () => {
  expect(outcome({})).toEqual({ status: "succeeded", error: null });
  expect(outcome({}, { conflict: 2, duplicate: 1, skipped: 3 })).toEqual({ status: "succeeded", error: null });
});

test("a run that read no listing and got no article failed", () => {
  const discovered = { discovered: 0, read: 0, problems: ["https://example.org/feed answered 500"] };
  expect(outcome({ discovered })).toEqual({ status: "failed", error: "https://example.org/feed answered 500" });
  expect(outcome({ discovered }, { extracted: 1 }).status).toBe("partial");
});

test("a run of a source that answers is partial at worst, even when every article failed", () => {
  const visits = { retried: 1, failed: 2, outages: ["example.org is out of reach (http-429)"] };
  expect(outcome({ visits })).toEqual({
    status: "partial",
    error: "example.org is out of reach (http-429); 2 articles failed; 1 articles are to be tried again",
  });
});

test("what waits for the API makes a run partial, and the reason is given", () => {
  expect(
    outcome({ items: { failed: 0, pending: 4 }, pushError: "the API cannot be reached" }, { extracted: 4 }),
  ).toEqual({
    status: "partial",
    error: "4 articles wait for the API: the API cannot be reached",
  });
  expect(outcome({ items: { failed: 1, pending: 0 } }, { extracted: 1 }).error).toBe("the API refused 1 articles");
});

test("a selector that finds nothing any more makes a run partial, so that somebody sees it", () => {
  const warnings = ["article.content matches nothing on 9 pages"];
  expect(outcome({ warnings }, { extracted: 9 })).toEqual({ status: "partial", error: warnings.join() });
});

test("of many listings that failed the first are named and the others counted", () => {
  const problems = ["a", "b", "c", "d", "e"];
  expect(outcome({ discovered: { discovered: 0, read: 1, problems } }).error).toBe("a; b; c; 2 more listings failed");
});
