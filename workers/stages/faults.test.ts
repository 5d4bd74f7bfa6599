import { expect, test } from "bun:test";
import { KeywordIndexError } from "@isnad/lib/search";
import { isAway, isIndexLost } from "./faults.ts";

const coded = (code: string) => Object.assign(new Error(code), { code });

test("a lost database and a full disk are nobody's fault", () => {
  expect(["CONNECTION_CLOSED", "57P01", "53100", "ENOSPC", "EROFS"].filter((code) => !isAway(coded(code)))).toEqual([]);
  expect(isAway(coded("22P02"))).toBe(false);
  expect(isAway(new Error("odd text"))).toBe(false);
  expect(isAway("text")).toBe(false);
});

test("of the keyword index's errors, only one that is no lock and no disk can be an article's fault", () => {
  for (const words of ["database or disk is full", "attempt to write a readonly database", "database is locked"]) {
    expect(isAway(new KeywordIndexError("unavailable", `keyword index: ${words}`))).toBe(true);
  }
  const odd = new KeywordIndexError("unavailable", "keyword index: datatype mismatch");
  expect(isAway(odd)).toBe(false);
});

test("a damaged or missing keyword index is away until it is opened anew", () => {
  for (const reason of ["corrupt", "missing", "other-version"] as const) {
    const error = new KeywordIndexError(reason, "keyword index");
    expect([isAway(error), isIndexLost(error)]).toEqual([true, true]);
  }
  expect(isIndexLost(new KeywordIndexError("closed", "keyword index"))).toBe(false);
  expect(isIndexLost(coded("ENOSPC"))).toBe(false);
});
