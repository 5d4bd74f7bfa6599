import { describe, expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { Tokenizer } from "@huggingface/tokenizers";
import { SHIPPED_MODELS } from "../cards/registry.ts";
import { tokenizerOf } from "../tasks/rerank/testing.ts";
import { EMBED_MODEL } from "../testing.ts";
import { createPrecompiled, createReferenceTokenizer, createTextTokenizer } from "./text-tokenizer.ts";

describe("text tokenizer", () => {
  const folder = join(SHIPPED_MODELS, EMBED_MODEL);
  const json = JSON.parse(readFileSync(join(folder, "tokenizer.json"), "utf8"));
  const tokenizer = createTextTokenizer(json);
  const whole = new Tokenizer(json, {});

  function idsOf(text: string): number[] {
    const ids: number[] = [];
    tokenizer.eachId(text, (id) => ids.push(id));
    return ids;
  }

  /** The ids of the text encoded in one piece, the unknown token (0) left out. */
  function wholeIds(text: string): number[] {
    return whole.encode(text, { add_special_tokens: false }).ids.filter((id) => id !== 0);
  }

  const reference: { text: string; ids: number[] }[] = JSON.parse(readFileSync(join(folder, "reference.json"), "utf8"));

  test("the ids are those of the tokenizer that trained the model", () => {
    expect(reference.length).toBeGreaterThan(50);
    for (const { text, ids } of reference) expect({ text, ids: idsOf(text) }).toEqual({ text, ids });
  });

  test("word by word gives what the whole text gives, for texts of any characters", () => {
    const alphabet = [
      ..."ابتثجحخدذرزسشصضطظعغفقكلمنهويىةأإآؤئءٱپچگیک",
      ..."abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ",
      ..."0123456789٠١٢٣٤٥٦٧٨٩۴½²Ⅷ",
      ..."      \n\t\u00a0\u2003\u3000\u0085",
      ..."ًٌٍَُِّْٰـ\u200c\u200d\u200e\u200f\u202b\u2066\ufeff\u00ad\u0301\u0338",
      ...".,;:!?'\"()[]{}«»،؛؟…–—_-/\\@#%&*+=<>|~^`$€",
      ..."éüßİıœﷲﻻﬁΑΣσжщ漢字かカ한😀👨‍👩‍👧\u0000\u0007\u001b",
      "\ud800",
      "\udc00",
    ];
    let seed = 42;
    const random = (below: number): number => {
      seed = (Math.imul(seed, 1664525) + 1013904223) >>> 0;
      return Math.floor((seed / 2 ** 32) * below);
    };
    for (let round = 0; round < 2000; round++) {
      const text = Array.from({ length: random(40) }, () => alphabet[random(alphabet.length)]).join("");
      expect({ text, ids: idsOf(text) }).toEqual({ text, ids: wholeIds(text) });
    }
  });

  test("spelling variants of a word get the same ids", () => {
    const plain = idsOf("الحكومة الاردنية");
    for (const variant of ["الحُكُومَة الأردنيّة", "الحـــكومه الأردنيه", "\u200fالحكومة\u200f الٱردنية"]) {
      expect(idsOf(variant)).toEqual(plain);
    }
    expect(idsOf("GOVERNMENT")).toEqual(idsOf("government"));
    expect(idsOf("٢٠١٨")).toEqual(idsOf("2018"));
  });

  test("emoji, control characters and scripts that the model does not know give no ids", () => {
    for (const text of ["", " ", "😀👍", "\u0000\u0007", "漢字", "\ud800", "...!?"]) expect(idsOf(text)).toEqual([]);
  });

  test("a word of 200,000 characters is encoded, at a cost that does not grow with its square", () => {
    // Pairs of all characters with all others would exceed the time limit of a test.
    expect(idsOf("ab".repeat(100_000)).length).toBeGreaterThan(1000);
  });

  test("a letter with a hundred thousand marks is read as one with as many as writings have", () => {
    const marks = "\u064b\u0301";
    expect(idsOf(`قلم${marks.repeat(50_000)}`)).toEqual(idsOf(`قلم${marks.repeat(15)}`));
  });
});

describe("reference tokenizer", () => {
  const json = JSON.parse(tokenizerOf("unigram"));
  const { charsmap } = JSON.parse(readFileSync(join(import.meta.dirname, "../fixtures/precompiled.json"), "utf8"));

  test("a tokenizer normalises by its own map of characters, alone and among others", () => {
    const map = { type: "Precompiled", precompiled_charsmap: charsmap };
    const inner = { type: "Sequence", normalizers: [map] };
    for (const normalizer of [map, { type: "Sequence", normalizers: [{ type: "Lowercase" }, inner] }]) {
      const tokenizer = createReferenceTokenizer({ ...json, normalizer });
      // the library by itself would compose what this map does not
      expect(tokenizer.normalizer?.("o\u0301 ﬁ")).toBe("o\u0301 fi");
    }
  });

  test("words are split at the white space of Unicode: at a next line, not at a byte order mark", () => {
    const split = { type: "WhitespaceSplit" };
    for (const pre_tokenizer of [split, { type: "Sequence", pretokenizers: [split] }]) {
      const tokenizer = createReferenceTokenizer({ ...json, pre_tokenizer });
      expect(tokenizer.pre_tokenizer?.("one\u0085two\ufeffthree\u3000 four")).toEqual([
        "one",
        "two\ufeffthree",
        "four",
      ]);
      expect(tokenizer.pre_tokenizer?.(" \u2029")).toEqual([]);
    }
  });

  test("a tokenizer that is none, or whose map is damaged, is refused", () => {
    expect(() => createReferenceTokenizer({})).toThrow();
    const normalizer = { type: "Precompiled", precompiled_charsmap: charsmap.slice(0, 40) };
    expect(() => createReferenceTokenizer({ ...json, normalizer })).toThrow("damaged");
  });

  test("a letter with a hundred thousand marks is normalised like one with as many as writings have", () => {
    const tokenizer = createReferenceTokenizer({ ...json, normalizer: { type: "NFC" } });
    const marks = "\u064b\u0301";
    expect(tokenizer.normalizer?.(`e${marks.repeat(50_000)}`)).toBe(
      `\u00e9${"\u064b".repeat(15)}${"\u0301".repeat(14)}`,
    );
  });
});

describe("precompiled", () => {
  type Fixture = { charsmap: string; cases: [string, string][] };
  const path = join(import.meta.dirname, "../fixtures/precompiled.json");
  const { charsmap, cases }: Fixture = JSON.parse(readFileSync(path, "utf8"));
  const normalise = createPrecompiled(charsmap);

  for (const [text, expected] of cases) {
    test(`${JSON.stringify(text)} is normalised as by the reference, the second time too`, () => {
      expect(normalise(text)).toBe(expected);
      expect(normalise(text)).toBe(expected);
    });
  }

  test("a long text and lone surrogates are normalised to their end", () => {
    const [, , [piece, expected] = ["", ""]] = cases;
    expect(normalise(piece.repeat(2000))).toBe(expected.repeat(2000));
    expect(normalise("\ud800 ﬁ\udfff")).toBe("\ud800 fi\udfff");
  });

  test("an empty map changes nothing, a damaged one is refused", () => {
    expect(createPrecompiled("")("ﬁ\u0007")).toBe("ﬁ\u0007");
    const bytes = Buffer.from(charsmap, "base64");
    expect(() => createPrecompiled(bytes.subarray(0, 100).toString("base64"))).toThrow("damaged");
    bytes.writeUInt32LE(7);
    expect(() => createPrecompiled(bytes.toString("base64"))).toThrow("damaged");
  });
});
