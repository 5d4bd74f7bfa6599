import { Buffer } from "node:buffer";
import {
  type Normalizer,
  PrecompiledNormalizer,
  type PreTokenizer,
  SequenceNormalizer,
  SequencePreTokenizer,
  Tokenizer,
  WhitespaceSplitPreTokenizer,
} from "@huggingface/tokenizers";
import { at, boundMarks, copied, memoize } from "../../std/mod.ts";
import { createSegmenter, eachWord, type Segmenter, unigramOf } from "./pieces.ts";

const CACHED_WORDS = 100_000;

/** Turns text into token ids by a `tokenizer.json`, word by word with a cache in front. */
export interface TextTokenizer {
  /** Calls `take` with each token id of `text`, in order; unknown tokens are left out. */
  eachId(text: string, take: (id: number) => void): void;
  readonly vocabularySize: number;
}

/** Encodes words by our own faster search of the best cut where the model is a Unigram one, else by the library. */
function createWordEncoder(json: { model?: unknown }): { encode: Segmenter; vocabularySize: number } {
  const unigram = unigramOf(json);
  if (unigram !== undefined) {
    const { vocab, unknown, partsOf } = unigram;
    const segment = createSegmenter(vocab, unknown);
    return { encode: (word) => partsOf(word).flatMap(segment), vocabularySize: vocab.length };
  }
  const tokenizer = new Tokenizer(json, {});
  const unknown = tokenizer.model?.unk_token_id;
  return {
    encode: (word) =>
      tokenizer.encode(boundMarks(word), { add_special_tokens: false }).ids.filter((id) => id !== unknown),
    vocabularySize: tokenizer.get_vocab().size,
  };
}

/** @param json the parsed `tokenizer.json`; its pre-tokenizer must split at white space and punctuation, and it must
 * add no special tokens. @throws Error when the tokenizer cannot be built from it */
export function createTextTokenizer(json: { model?: unknown }): TextTokenizer {
  const { encode, vocabularySize } = createWordEncoder(json);
  const idsOf = memoize<readonly number[]>(encode, { capacity: CACHED_WORDS });

  return {
    eachId(text, take) {
      eachWord(text, (word) => {
        for (const id of idsOf(word)) take(id);
      });
    },
    vocabularySize,
  };
}

/** Longest cluster, in bytes of UTF-8, that is looked up as a whole. */
const MAX_CLUSTER_BYTES = 5;
const CACHED_CLUSTERS = 20_000;
const MAX_CACHED_UNITS = 8;

/**
 * Returns a normaliser by a map of SentencePiece in base64: the bytes of a double-array trie (Aoe 1989; as in
 * Darts-clone), then the replacements, each ended by a zero. Grapheme clusters of less than six bytes are looked up as
 * a whole, all others code point by code point; of the entries that begin a cluster the shortest counts. @throws Error
 * when the map is damaged
 */
export function createPrecompiled(charsmap: string): (text: string) => string {
  const bytes = Buffer.from(charsmap, "base64");
  if (bytes.length < 4) return (text) => text; // an empty map changes nothing
  const size = bytes.readUInt32LE(0);
  if (size % 4 !== 0 || size === 0 || size + 4 > bytes.length) throw new Error("the map of characters is damaged");
  const units = Uint32Array.from({ length: size / 4 }, (_, at) => bytes.readUInt32LE(4 + at * 4));
  const replacements = bytes.subarray(4 + size);

  const lookUp = (part: string): string | undefined => {
    let node = offsetOf(at(units, 0));
    for (const byte of Buffer.from(part)) {
      if (byte === 0) return undefined;
      node ^= byte;
      const unit = at(units, node);
      if ((unit & 0x800000ff) >>> 0 !== byte) return undefined;
      node ^= offsetOf(unit);
      if ((unit >>> 8) & 1) {
        const from = at(units, node) & 0x7fffffff;
        const end = replacements.indexOf(0, from);
        return replacements.toString("utf8", from, end < 0 ? replacements.length : end);
      }
    }
    return undefined;
  };
  const replaced = (cluster: string): string => {
    const whole = Buffer.byteLength(cluster) <= MAX_CLUSTER_BYTES ? lookUp(cluster) : undefined;
    if (whole !== undefined) return whole;
    let out = "";
    for (const point of cluster) out += lookUp(point) ?? point;
    return out;
  };

  const replacedOnce = memoize((cluster) => copied(replaced(cluster)), {
    capacity: CACHED_CLUSTERS,
    longest: MAX_CACHED_UNITS,
  });
  const graphemes = new Intl.Segmenter("en", { granularity: "grapheme" });
  return (text) => {
    let out = "";
    for (const { segment } of graphemes.segment(text)) out += replacedOnce(segment);
    return out;
  };
}

/** Tells where a unit of the trie leads. */
function offsetOf(unit: number): number {
  return (unit >>> 10) << ((unit & 0x200) >>> 6);
}

/**
 * Returns the tokenizer of a `tokenizer.json`, doing as the reference library does where the library here does
 * otherwise: it takes every map of characters for NFKC with some blanks, and white space for what JavaScript takes for
 * it.
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
