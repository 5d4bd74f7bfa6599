import { expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { openRegistry } from "./registry.ts";
import { createSequenceTokenizer } from "./sequence-tokenizer.ts";

const registry = openRegistry();
const dir = registry.dir(registry.default("classify"));
const read = (file: string) => JSON.parse(readFileSync(join(dir, file), "utf8"));
const tokenizer = createSequenceTokenizer(read("tokenizer.json"));
const wordwise = createSequenceTokenizer(read("tokenizer.json"), { byWord: true });
const reference: { text: string; ids: number[] }[] = read("reference.json");

for (const { text, ids } of reference) {
  test(`${JSON.stringify(text.slice(0, 40))} is encoded as in training`, () => {
    expect(tokenizer.encode(text, 80)).toEqual(ids);
    expect(wordwise.encode(text, 80)).toEqual(ids);
    expect(wordwise.encode(text, 80)).toEqual(ids);
  });
}

test("what is beyond the longest sequence is cut before the last special token", () => {
  const whole = tokenizer.encode("one two three four five six", 80);
  const cut = tokenizer.encode("one two three four five six", 5);
  expect(cut).toEqual([...whole.slice(0, 4), ...whole.slice(-1)]);
});

test("an empty text is the special tokens alone", () => {
  expect(tokenizer.encode("", 80)).toHaveLength(2);
});

test("a text of a million letters is not read to its end", () => {
  expect(tokenizer.encode("word ".repeat(200_000), 80)).toEqual(tokenizer.encode("word ".repeat(100), 80));
});
