import { expect, test } from "bun:test";
import { pageOf } from "./paging.ts";

test("a page has a cursor where there is one row more than it holds, that of its last row", () => {
  expect(pageOf([1, 2, 3], 2, String)).toEqual({ page: [1, 2], next_cursor: "2" });
  expect(pageOf([1, 2], 2, String)).toEqual({ page: [1, 2], next_cursor: null });
  expect(pageOf([], 2, String)).toEqual({ page: [], next_cursor: null });
});
