import { describe, expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { openRegistry } from "../../models/registry.ts";
import { createRerankEncoder, PASSAGE_TOKENS, QUERY_TOKENS } from "./encoder.ts";
import { FEATURES } from "./features.ts";

const registry = openRegistry();
const file = join(registry.dir("static-ar-en-256"), "tokenizer.json");
const encode = createRerankEncoder(JSON.parse(readFileSync(file, "utf8")));
const passage = (text: string, title = "") => ({ title, text });

describe("createRerankEncoder()", () => {
  test("gives each token of the query once, with weights for how often and importances that sum to 1", () => {
    const { query, queryWeights, importance } = encode({ query: "bridge river bridge", passages: [] });
    expect(new Set(query).size).toBe(query.length);
    expect(queryWeights.length).toBe(query.length);
    expect(Math.max(...queryWeights)).toBeCloseTo(2 ** 0.85, 5);
    expect(importance.reduce((sum, value) => sum + value, 0)).toBeCloseTo(1, 5);
  });

  test("rare tokens are the more important ones", () => {
    const the = encode({ query: "the", passages: [] }).tokens[0] ?? -1;
    const { tokens, query, importance } = encode({ query: "the aerodynamics", passages: [] });
    const common = importance[query.indexOf(tokens.indexOf(the))] ?? 1;
    expect(common).toBeLessThan(Math.max(...importance));
  });

  test("passages keep their tokens in order, the title's first, filled up with weight 0 to a multiple of the step", () => {
    const { tokens, passages, weights, length } = encode({
      query: "x",
      passages: [passage("river", "bridge"), passage("bridge river ".repeat(20))],
    });
    expect(length % 12).toBe(0);
    expect(new Set(tokens).size).toBe(tokens.length);
    expect(passages.length).toBe(2 * length);
    expect([...passages.subarray(0, 2)]).toEqual([...passages.subarray(length, length + 2)]);
    expect([...weights.subarray(0, 3)]).toEqual([1, 1, 0]);
    expect(weights[length]).toBeCloseTo(20 ** -0.15, 5);
  });

  test("one list leaves nothing behind for the next", () => {
    const input = { query: "bridge", passages: [passage("river city")] };
    const alone = encode(input);
    encode({ query: "city of bridges", passages: [passage("other words stand here")] });
    expect(encode(input)).toEqual(alone);
  });

  test("a tokenizer without scores of its tokens is refused", () => {
    expect(() => createRerankEncoder({ model: { type: "WordPiece", vocab: { bridge: 0 } } })).toThrow("no Unigram");
    expect(() => createRerankEncoder({ model: { type: "Unigram", unk_id: 0, vocab: [["bridge", "-2"]] } })).toThrow();
  });

  test("long texts are read to a bound, and texts without a known token are the unknown token", () => {
    const long = "government bridge river city ".repeat(5000);
    const { query, length } = encode({ query: long, passages: [passage(long, long)] });
    expect(query.length).toBeLessThanOrEqual(QUERY_TOKENS);
    expect(length).toBeLessThanOrEqual(PASSAGE_TOKENS + 12);
    const empty = encode({ query: "", passages: [passage(""), passage("😀‏")] });
    expect([...empty.tokens]).toEqual([0]);
    expect([...empty.query]).toEqual([0]);
    expect(empty.features.length).toBe(2 * FEATURES);
    expect(Array.from(empty.importance)).toEqual([1]);
  });
});
