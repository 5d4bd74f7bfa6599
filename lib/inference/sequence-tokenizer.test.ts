import { describe, expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { openRegistry } from "./registry.ts";
import { CROSS_ENCODED, tokenizerOf } from "./rerank/testing.ts";
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

describe.each(["wordpiece", "unigram"] as const)("encodePair(), %s", (name) => {
  const pairs = createSequenceTokenizer(JSON.parse(tokenizerOf(name)));
  const { longest, cases } = CROSS_ENCODED;

  test("pairs have as many tokens as by the reference", () => {
    const counts = cases.map(({ query, passage }) => pairs.encodePair(query, passage, longest).ids.length);
    expect(counts).toEqual(cases.map(({ tokens }) => tokens[name]));
  });

  test("the second text is cut, the first stays whole up to three quarters", () => {
    const [short, long] = ["interest rates", "bank ".repeat(500)];
    const whole = pairs.encodePair(short, "", longest).ids;
    const cut = pairs.encodePair(short, long, longest).ids;
    expect(cut).toHaveLength(longest);
    expect(cut.slice(0, whole.length - 2)).toEqual(whole.slice(0, -2));
    const specials = pairs.encodePair("", "", longest).ids.length;
    expect(pairs.encodePair(long, "", longest).ids).toHaveLength((longest * 3) / 4 + specials);
  });

  test("a length without room for a pair is refused", () => {
    expect(() => pairs.encodePair("a", "b", 2)).toThrow("no room for a pair");
  });

  test("shorter pairs are filled up with the vocabulary's own token", () => {
    expect(pairs.padding).toBe(name === "wordpiece" ? 0 : 1);
  });
});

test("the padding token that the tokenizer states wins", () => {
  const json = { ...JSON.parse(tokenizerOf("unigram")), padding: { pad_id: 5 } };
  expect(createSequenceTokenizer(json).padding).toBe(5);
});
