import { describe, expect, test } from "bun:test";
import { VarintWriter } from "./postings.ts";
import { TextTable, Vocabulary } from "./vocabulary.ts";

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

test("a table may begin with the empty text, and holds texts that differ in one byte or begin with each other apart", () => {
  const table = new TextTable();
  const alike = [
    "",
    "a",
    "ab",
    "abc",
    "b",
    "ba",
    "\u0000",
    "\u0000\u0000",
    "é",
    "e\u0301",
    "ك",
    "ک",
    "x".repeat(2_000),
  ];
  expect(alike.map((text) => table.add(text))).toEqual(alike.map((_, i) => i + 1));
  expect(alike.map((text) => table.find(text))).toEqual(alike.map((_, i) => i + 1));
  expect(alike.map((_, i) => table.text(i + 1))).toEqual(alike);
});

test("the columns of a table are views of what was there: what is added later leaves them alone", () => {
  const table = new TextTable();
  expect([...table.columns().ends]).toEqual([0]);
  table.add("ab");
  table.add("µ");
  const { bytes, ends } = table.columns();
  table.add("later");
  expect([...ends]).toEqual([0, 2, 4]);
  expect(new TextDecoder().decode(bytes)).toBe("abµ");
});

describe("Vocabulary", () => {
  const formsOf = (vocabulary: Vocabulary, stem: number, after?: number): number[] => {
    const forms: number[] = [];
    vocabulary.forEachFormOf(stem, (form) => forms.push(form), after);
    return forms;
  };

  /** Four forms: of one stem, of none, of the same stem and a root, and of two stems and two roots. */
  const filled = () => {
    const vocabulary = new Vocabulary();
    vocabulary.addForm([1], []);
    vocabulary.addForm([], []);
    vocabulary.addForm([1], [2]);
    vocabulary.addForm([3, 5], [4, 9]);
    return vocabulary;
  };

  test("has of each form the first stem and root, further ones apart, 0 for none, and the largest number of a term", () => {
    const { stems, roots, several, forms, terms } = filled();
    expect([...stems.subarray(0, 5)]).toEqual([0, 1, 0, 1, 3]);
    expect([...roots.subarray(0, 5)]).toEqual([0, 0, 0, 2, 4]);
    expect([...several]).toEqual([[4, [5, 9]]]);
    expect({ forms, terms }).toEqual({ forms: 4, terms: 9 });
  });

  test("has the forms of a stem, the latest first, or those that came after one", () => {
    const vocabulary = filled();
    expect(formsOf(vocabulary, 1)).toEqual([3, 1]);
    expect(formsOf(vocabulary, 1, 1)).toEqual([3]);
    expect(formsOf(vocabulary, 1, 3)).toEqual([]);
    expect(formsOf(vocabulary, 3)).toEqual([4]);
    // A further stem leads to no form, and neither does a root.
    for (const stem of [2, 5, 77]) expect(formsOf(vocabulary, stem)).toEqual([]);
    vocabulary.addForm([1], []);
    expect(formsOf(vocabulary, 1)).toEqual([5, 3, 1]);
  });

  test("is the same when it was read as varints, in one part or in several", () => {
    const writer = new VarintWriter();
    const parts: Uint8Array[] = [];
    for (const form of [
      [1, 1, 0],
      [0, 0],
      [1, 1, 1, 2],
      [2, 3, 5, 2, 4, 9],
    ]) {
      for (const number of form) writer.write(number);
      parts.push(writer.take());
    }
    const whole = new Vocabulary();
    whole.add(1, Uint8Array.from(parts.flatMap((part) => [...part])));
    const piecewise = new Vocabulary();
    for (const [i, part] of parts.entries()) piecewise.add(i + 1, part);
    for (const vocabulary of [whole, piecewise]) {
      expect([...vocabulary.stems.subarray(0, 5)]).toEqual([0, 1, 0, 1, 3]);
      expect([...vocabulary.roots.subarray(0, 5)]).toEqual([0, 0, 0, 2, 4]);
      expect([...vocabulary.several]).toEqual([[4, [5, 9]]]);
      expect([vocabulary.forms, vocabulary.terms]).toEqual([4, 9]);
      expect(formsOf(vocabulary, 1)).toEqual([3, 1]);
    }
  });

  test("goes on from the number that a part begins with, where those before are elsewhere", () => {
    const vocabulary = new Vocabulary();
    vocabulary.add(3, Uint8Array.of(1, 7, 0));
    expect([vocabulary.forms, vocabulary.terms]).toEqual([3, 7]);
    expect([...vocabulary.stems.subarray(0, 4)]).toEqual([0, 0, 0, 7]);
    expect(formsOf(vocabulary, 7)).toEqual([3]);
  });

  test("is the same when it is restored, and goes on with the next form", () => {
    const { stems, roots, several, terms } = filled();
    const restored = new Vocabulary();
    restored.restore({ stems: stems.slice(0, 5), roots: roots.slice(0, 5), several, terms });
    expect([restored.forms, restored.terms]).toEqual([4, 9]);
    restored.addForm([1, 12], []);
    expect(formsOf(restored, 1)).toEqual([5, 3, 1]);
    expect([...restored.several]).toEqual([
      [4, [5, 9]],
      [5, [12]],
    ]);
    expect(restored.terms).toBe(12);
  });
});
