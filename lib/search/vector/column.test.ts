import { describe, expect, test } from "bun:test";
import type { FilterKind } from "../../contract/filter-table.ts";
import { type Column, Dictionary, NumberColumn, TextColumn } from "./column.ts";

test("Dictionary gives each word one code from 1, and 0 to no word", () => {
  const words = new Dictionary();
  expect(["a", "b", "a", null, "", "__proto__"].map((word) => words.code(word))).toEqual([1, 2, 1, 0, 3, 4]);
  expect(words.values()).toEqual(["a", "b", "", "__proto__"]);
});

/** Fills a column; a place that is left out was never written. */
function filled<T extends Column>(column: T, values: readonly (string | number | null)[]): T {
  column.reserve(values.length);
  values.forEach((value, ordinal) => {
    column.put(ordinal, value);
  });
  return column;
}

/** Returns which of a column's values stay marked. */
function kept(
  column: Column,
  count: number,
  keep: (marked: Uint8Array) => void,
  marked = new Uint8Array(count).fill(1),
) {
  keep(marked);
  return Array.from({ length: count }, (_, ordinal) => ordinal)
    .filter((ordinal) => marked[ordinal] === 1)
    .map((ordinal) => column.value(ordinal));
}

const TEXTS = ["news.example", null, "a.news.example", "", "othernews.example", "news.example"];
const NUMBERS = [5, null, -3, 0, 7, 5];

describe.each<[string, () => Column, readonly (string | number | null)[]]>([
  ["texts", () => filled(new TextColumn(), TEXTS), TEXTS],
  ["numbers", () => filled(new NumberColumn(), NUMBERS), NUMBERS],
])("a column of %s", (_, make, values) => {
  test("has what was put, nothing where that was missing, and what takes its place", () => {
    const column = make();
    const read = () => values.map((_, ordinal) => column.value(ordinal));
    expect(read()).toEqual([...values]);
    column.put(0, null);
    column.put(1, values[0] ?? null);
    expect(read()).toEqual([null, values[0] ?? null, ...values.slice(2)]);
    column.reserve(5_000);
    column.put(4_999, values[2] ?? null);
    expect([column.value(2), column.value(4_999)]).toEqual([values[2] ?? null, values[2] ?? null]);
  });

  test("is the same when it was written to disk and read, and goes on", () => {
    const column = make();
    const { values: stored, words } = column.data(4);
    const restored = values === TEXTS ? new TextColumn() : new NumberColumn();
    restored.restore({ values: stored.slice(), words: [...words] });
    expect([0, 1, 2, 3].map((ordinal) => restored.value(ordinal))).toEqual(values.slice(0, 4));
    expect(() => restored.value(4)).toThrow(RangeError);
    restored.reserve(5);
    const more: Column = restored;
    more.put(4, values[0] ?? null);
    expect([restored.value(4), restored.value(0)]).toEqual([values[0] ?? null, values[0] ?? null]);
  });

  test("leaves what is not marked unmarked, and marks nothing that is missing", () => {
    const column = make();
    const marked = Uint8Array.of(0, 1, 1, 0, 1, 1);
    expect(kept(column, 6, (marks) => column.keepAllowed(marks, () => true), marked)).toEqual([
      ...[values[2] ?? null, values[4] ?? null, values[5] ?? null],
    ]);
    expect(kept(column, 6, (marks) => column.keepAllowed(marks, () => false))).toEqual([]);
  });
});

test.each<[FilterKind, string, string[]]>([
  ["equals", "news.example", ["news.example", "news.example"]],
  ["equals", "", [""]],
  ["equals", "zzz", []],
  ["within", "news.example", ["news.example", "a.news.example", "news.example"]],
  ["within", "example", ["news.example", "a.news.example", "othernews.example", "news.example"]],
  ["within", "ews.example", []],
])("texts are kept by %s %j", (kind, wanted, expected) => {
  const column = filled(new TextColumn(), TEXTS);
  expect(kept(column, TEXTS.length, (marked) => column.keep(marked, kind, wanted))).toEqual(expected);
});

test.each<[FilterKind, number, number[]]>([
  ["equals", 5, [5, 5]],
  ["equals", 6, []],
  ["atLeast", 5, [5, 7, 5]],
  ["atLeast", -3, [5, -3, 0, 7, 5]],
  ["atLeast", 8, []],
  ["atMost", 0, [-3, 0]],
  ["atMost", 4.9, [-3, 0]],
  ["atMost", -4, []],
])("numbers are kept by %s %d", (kind, wanted, expected) => {
  const column = filled(new NumberColumn(), NUMBERS);
  expect(kept(column, NUMBERS.length, (marked) => column.keep(marked, kind, wanted))).toEqual(expected);
});

test("a time far in the past or the future, and its milliseconds, are kept as they are", () => {
  const times = [-62_135_596_800_000, 253_402_300_799_999, 1_709_251_200_123, -1];
  const column = filled(new NumberColumn(), times);
  expect(times.map((_, ordinal) => column.value(ordinal))).toEqual(times);
  expect(kept(column, 4, (marked) => column.keep(marked, "equals", 1_709_251_200_123))).toEqual([1_709_251_200_123]);
});
