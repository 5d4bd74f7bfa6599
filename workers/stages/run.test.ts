import { expect, test } from "bun:test";
import { isAway } from "./run.ts";

const coded = (code: string) => Object.assign(new Error(code), { code });

test("a lost database and a full disk are nobody's fault", () => {
  expect(["CONNECTION_CLOSED", "57P01", "53100", "ENOSPC", "EROFS"].filter((code) => !isAway(coded(code)))).toEqual([]);
  expect(isAway(coded("22P02"))).toBe(false);
  expect(isAway(new Error("odd text"))).toBe(false);
  expect(isAway("text")).toBe(false);
});
