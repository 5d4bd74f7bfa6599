import { expect, test } from "bun:test";
import { SpanTable } from "./spans.ts";

test("spans that say the same have one number, others have others", () => {
  const text = "berth berths berth بحر بحر";
  const table = new SpanTable(text);
  const numbers = [...text.matchAll(/\S+/g)].map(({ 0: word, index }) => table.add(index, index + word.length));
  expect(numbers).toEqual([0, 1, 0, 2, 2]);
  expect(table.size).toBe(3);
  expect([0, 1, 2].map((entry) => text.slice(table.startOf(entry), table.endOf(entry)))).toEqual([
    "berth",
    "berths",
    "بحر",
  ]);
});

test("a span is found by the same letters elsewhere, by no fewer, no more and no others", () => {
  const table = new SpanTable("quay\tport");
  table.add(0, 4);
  table.add(5, 9);
  expect(table.find("port")).toBe(1);
  expect(table.find("the quay is", 4, 8)).toBe(0);
  for (const other of ["por", "ports", "part", "", "\t"]) expect(table.find(other)).toBe(-1);
});

test("an empty span is a key as any other", () => {
  const table = new SpanTable("a");
  expect(table.find("")).toBe(-1);
  expect(table.add(1, 1)).toBe(0);
  expect(table.find("")).toBe(0);
});

test("all are found in a table that has grown many times, whatever their hashes", () => {
  const words = Array.from({ length: 20_000 }, (_, i) => `${i * 7919}`);
  const text = words.join(" ");
  const table = new SpanTable(text);
  let at = 0;
  for (const word of words) {
    table.add(at, at + word.length);
    at += word.length + 1;
  }
  expect(words.every((word, i) => table.find(word) === i)).toBe(true);
  expect(words.some((word) => table.find(`${word}x`) >= 0)).toBe(false);
  // Some of these stand where a key does that begins with them.
  const known = new Map(words.map((word, i) => [word, i]));
  const others = Array.from({ length: 20_000 }, (_, i) => `${i}`);
  expect(others.map((word) => table.find(word))).toEqual(others.map((word) => known.get(word) ?? -1));
});
