import { Tokenizer } from "@huggingface/tokenizers";
import { z } from "zod";
import { createSegmenter, type Segmenter } from "./unigram.ts";
import { memoize } from "./memoize.ts";
import { eachWord } from "./word-split.ts";

const CACHED_WORDS = 100_000;

/** Turns text into token ids by a `tokenizer.json`, word by word with a cache in front. */
export interface TextTokenizer {
  /** Calls `take` with each token id of `text`, in order; unknown tokens are left out. */
  eachId(text: string, take: (id: number) => void): void;
  readonly vocabularySize: number;
}

const unigramModel = z.object({
  type: z.literal("Unigram"),
  unk_id: z.number().int().min(0),
  vocab: z.array(z.tuple([z.string(), z.number()])),
});

/** Encodes words by the library, or, where the model is a Unigram one, by our own faster search of the best cut; the
 * library then only folds and splits, and does not build its index of the vocabulary. */
function createWordEncoder(json: { model?: unknown }): { encode: Segmenter; vocabularySize: number } {
  const unigram = unigramModel.safeParse(json.model);
  if (unigram.success) {
    const { vocab, unk_id } = unigram.data;
    const { normalizer, pre_tokenizer: splitter } = new Tokenizer(
      { ...json, model: { type: "Unigram", unk_id: 0, vocab: [["<unk>", 0]] } },
      {},
    );
    const segment = createSegmenter(vocab, unk_id);
    if (normalizer !== null && splitter !== null) {
      const encode: Segmenter = (word) => splitter.pre_tokenize(normalizer.normalize(word)).flatMap(segment);
      return { encode, vocabularySize: vocab.length };
    }
  }
  const tokenizer = new Tokenizer(json, {});
  const unknown = tokenizer.model?.unk_token_id;
  return {
    encode: (word) => tokenizer.encode(word, { add_special_tokens: false }).ids.filter((id) => id !== unknown),
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
