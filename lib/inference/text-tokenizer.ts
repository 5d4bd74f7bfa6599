import { Buffer } from "node:buffer";
import { Tokenizer } from "@huggingface/tokenizers";
import { createWordCache } from "./word-cache.ts";
import { eachWord } from "./word-split.ts";

const CACHED_WORDS = 100_000;
const LONGEST_CACHED = 48;

/** Turns text into token ids by a `tokenizer.json`, word by word with a cache in front. */
export interface TextTokenizer {
  /** Calls `take` with each token id of `text`, in order; unknown tokens are left out. */
  eachId(text: string, take: (id: number) => void): void;
  readonly vocabularySize: number;
}

/** @param json the parsed `tokenizer.json`; its pre-tokenizer must split at white space and punctuation, and it must
 * add no special tokens. @throws Error when the tokenizer cannot be built from it */
export function createTextTokenizer(json: object): TextTokenizer {
  const tokenizer = new Tokenizer(json, {});
  const unknown = tokenizer.model?.unk_token_id;
  const cache = createWordCache<readonly number[]>(CACHED_WORDS);

  const idsOf = (word: string): readonly number[] => {
    const known = cache.get(word);
    if (known !== undefined) return known;
    const ids = tokenizer.encode(word, { add_special_tokens: false }).ids.filter((id) => id !== unknown);
    // a slice keeps its whole text alive; a key of the cache must not
    if (word.length <= LONGEST_CACHED) cache.set(Buffer.from(word, "utf16le").toString("utf16le"), ids);
    return ids;
  };

  return {
    eachId(text, take) {
      eachWord(text, (word) => {
        for (const id of idsOf(word)) take(id);
      });
    },
    vocabularySize: tokenizer.get_vocab().size,
  };
}
