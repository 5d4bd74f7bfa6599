import { expect, test } from "bun:test";
import { TextTable } from "./vocabulary.ts";

const texts = Array.from({ length: 5_000 }, (_, i) => ["كلمة", "word", "µ", "😀"][i % 4] + i.toString(36));

test("texts have numbers in the order in which they came, each one", () => {
  const table = new TextTable();
  expect(texts.map((text) => table.add(text))).toEqual(texts.map((_, i) => i + 1));
  expect(texts.map((text) => table.add(text))).toEqual(texts.map((_, i) => i + 1));
  expect(texts.map((text) => table.find(text))).toEqual(texts.map((_, i) => i + 1));
  expect(texts.map((_, i) => table.text(i + 1))).toEqual(texts);
  expect([table.size, table.find("absent"), table.text(0), table.text(5_001)]).toEqual([5_000, 0, "", ""]);
});

test("a table that is restored has the same numbers, and goes on with the next", () => {
  const table = new TextTable();
  for (const text of texts) table.add(text);
  const { bytes, ends } = table.columns();
  const restored = new TextTable();
  restored.restore({ bytes: bytes.slice(), ends: ends.slice() });
  expect(texts.map((text) => restored.find(text))).toEqual(texts.map((_, i) => i + 1));
  expect([restored.add("new"), restored.text(5_001), table.find("new")]).toEqual([5_001, "new", 0]);
});
