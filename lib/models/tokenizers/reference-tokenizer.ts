import {
  type Normalizer,
  PrecompiledNormalizer,
  type PreTokenizer,
  SequenceNormalizer,
  SequencePreTokenizer,
  Tokenizer,
  WhitespaceSplitPreTokenizer,
} from "@huggingface/tokenizers";
import { boundMarks } from "../../std/mod.ts";
import { createPrecompiled } from "./precompiled.ts";

/**
 * The tokenizer of a `tokenizer.json`, doing as the reference library does where the library here does otherwise: it
 * takes every map of characters for NFKC with some blanks, and white space for what JavaScript takes for it.
 * @throws Error when the tokenizer cannot be built
 */
export function createReferenceTokenizer(json: object): Tokenizer {
  const tokenizer = new Tokenizer(json, {});
  correctNormalizer(tokenizer.normalizer);
  correctSplit(tokenizer.pre_tokenizer);
  boundNormalizer(tokenizer.normalizer);
  return tokenizer;
}

function correctNormalizer(each: Normalizer | null): void {
  if (each instanceof SequenceNormalizer) each.normalizers.forEach(correctNormalizer);
  if (each instanceof PrecompiledNormalizer) each.normalize = createPrecompiled(String(each.charsmap ?? ""));
}

function boundNormalizer(whole: Normalizer | null): void {
  if (whole === null) return;
  const normalize = whole.normalize.bind(whole);
  whole.normalize = (text) => normalize(boundMarks(text));
}

function correctSplit(each: PreTokenizer | null): void {
  if (each instanceof SequencePreTokenizer) each.tokenizers.forEach(correctSplit);
  if (each instanceof WhitespaceSplitPreTokenizer) {
    each.pre_tokenize_text = (text) => text.match(/\P{White_Space}+/gu) ?? [];
  }
}
