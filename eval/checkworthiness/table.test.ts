import { expect, test } from "bun:test";
import { tsvRows } from "./table.ts";

const quoted = (text: string) => tsvRows(text, { quoted: true });

test("rows end at line feeds, with or without a return; blank lines are none", () => {
  expect(quoted("a\tb\r\n\nc\td")).toEqual([
    ["a", "b"],
    ["c", "d"],
  ]);
});

test("empty cells are kept, at the end of a row too", () => {
  expect(quoted("a\t\tb\t\nc\t")).toEqual([
    ["a", "", "b", ""],
    ["c", ""],
  ]);
});

test("a quoted cell holds tabs, line feeds and doubled marks", () => {
  expect(quoted('1\t"He said ""no""\tand\nleft"\tYes\n')).toEqual([["1", 'He said "no"\tand\nleft', "Yes"]]);
});

test("a mark that nothing closes is a letter", () => {
  expect(quoted('1\t"so be it\tNo')).toEqual([["1", '"so be it', "No"]]);
});

test("without quoting a mark is a letter", () => {
  expect(tsvRows('1\tX\t"Yes", he said\t0\n', { quoted: false })).toEqual([["1", "X", '"Yes", he said', "0"]]);
});
