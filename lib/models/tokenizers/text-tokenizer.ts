import { Tokenizer } from "@huggingface/tokenizers";
import { boundMarks, memoize } from "../../std/mod.ts";
import { createSegmenter, type Segmenter } from "./unigram.ts";
import { unigramOf } from "./unigram-model.ts";
import { eachWord } from "./word-split.ts";

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
