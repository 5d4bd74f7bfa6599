import { describe, expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { Tokenizer } from "@huggingface/tokenizers";
import { CROSS_ENCODED, tokenizerOf } from "../tasks/rerank/testing.ts";
import { createSequenceTokenizer, readPairTemplate } from "./sequence-tokenizer.ts";

type Case = { text: string; ids: number[] };
const casesOf = (name: string): Case[] =>
  JSON.parse(readFileSync(join(import.meta.dirname, "../fixtures", `${name}.json`), "utf8")).cases;
const tokenizer = createSequenceTokenizer(JSON.parse(tokenizerOf("wordpiece")));
const wordwise = createSequenceTokenizer(JSON.parse(tokenizerOf("wordpiece")), { byWord: true });

for (const { text, ids } of casesOf("wordpiece")) {
  test(`${JSON.stringify(text.slice(0, 40))} is encoded as by the reference, word by word too`, () => {
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

type Joined = { name: string; processor: object | null; ids: number[]; types: number[] };

const fixture = (name: string) => JSON.parse(readFileSync(join(import.meta.dirname, "../fixtures", name), "utf8"));
const { tokenizer: json } = fixture("wordpiece.json");
const { joined }: { joined: Joined[] } = fixture("cross-encoder.json");
const using = (processor: object | null) => new Tokenizer({ ...json, post_processor: processor }, {});

for (const { name, processor, ids, types } of joined) {
  test(`${name}: two texts are joined as by the reference`, () => {
    const tokenizer = using(processor);
    const [first = [], second = []] = ["the bank", "rates"].map(
      (text) => tokenizer.encode(text, { add_special_tokens: false }).ids,
    );
    const template = readPairTemplate(tokenizer);
    expect(template.join(first, second)).toEqual({ ids, types });
    expect(template.specials).toBe(ids.length - first.length - second.length);
  });
}

test("an empty text leaves its special tokens", () => {
  const { ids, types } = readPairTemplate(using(json.post_processor)).join([5], []);
  expect({ ids, types }).toEqual({ ids: [2, 5, 3, 3], types: [0, 0, 0, 1] });
});

test("a post-processor that drops a text, or puts an unknown token around, is refused", () => {
  const template = (...pair: object[]) => ({ type: "TemplateProcessing", single: [], pair, special_tokens: {} });
  const text = (id: string) => ({ Sequence: { id, type_id: 0 } });
  expect(() => readPairTemplate(using(template(text("A"))))).toThrow("cannot join two texts");
  const unknown = { SpecialToken: { id: "[WHO]", type_id: 0 } };
  expect(() => readPairTemplate(using(template(text("A"), unknown, text("B"))))).toThrow("[WHO]");
});
