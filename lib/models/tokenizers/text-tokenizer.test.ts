import { expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { Tokenizer } from "@huggingface/tokenizers";
import { SHIPPED_MODELS } from "../cards/registry.ts";
import { EMBED_MODEL } from "../testing.ts";
import { createTextTokenizer } from "./text-tokenizer.ts";

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
