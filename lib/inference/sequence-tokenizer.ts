import { Buffer } from "node:buffer";
import { Tokenizer } from "@huggingface/tokenizers";
import { createWordCache } from "./word-cache.ts";

/** Texts as sequences of token ids, with the special tokens that the tokenizer puts around them. */
export interface SequenceTokenizer {
  /** The ids of `text`, at most `longest` of them: what is beyond is cut before the last special token. */
  encode(text: string, longest: number): number[];
  readonly vocabularySize: number;
}

export type SequenceTokenizerOptions = {
  /** Words between blanks are encoded one by one and remembered: some ten times faster, and the same for tokenizers that
   * split at white space, fold letter by letter and put one special token before and one after. Default false. */
  byWord?: boolean;
};

/** No word of a text is longer, so that a token is no more than this many UTF-16 units away from the next. */
const UNITS_A_TOKEN = 24;
const CACHED_WORDS = 50_000;
const LONGEST_CACHED = 48;
// no other white space: what the tokenizer removes instead of splitting at it differs
const BLANKS = /[ \t\r\n]+/;

/** @param json the parsed `tokenizer.json`. @throws Error when the tokenizer cannot be built from it */
export function createSequenceTokenizer(json: object, options: SequenceTokenizerOptions = {}): SequenceTokenizer {
  const tokenizer = new Tokenizer(json, {});
  const encode = options.byWord ? byWord(tokenizer) : (text: string) => tokenizer.encode(text).ids;
  return {
    vocabularySize: tokenizer.get_vocab().size,
    encode(text, longest) {
      const ids = encode(text.slice(0, longest * UNITS_A_TOKEN));
      const last = ids.at(-1);
      return ids.length <= longest || last === undefined ? ids : [...ids.slice(0, longest - 1), last];
    },
  };
}

function byWord(tokenizer: Tokenizer): (text: string) => number[] {
  const cache = createWordCache<readonly number[]>(CACHED_WORDS);
  const [first = 0, last = 0] = tokenizer.encode("").ids;

  const idsOf = (word: string): readonly number[] => {
    const known = cache.get(word);
    if (known !== undefined) return known;
    const { ids } = tokenizer.encode(word, { add_special_tokens: false });
    // a slice keeps its whole text alive; a key of the cache must not
    if (word.length <= LONGEST_CACHED) cache.set(Buffer.from(word, "utf16le").toString("utf16le"), ids);
    return ids;
  };

  return (text) => {
    const ids = [first];
    for (const word of text.split(BLANKS)) if (word !== "") ids.push(...idsOf(word));
    ids.push(last);
    return ids;
  };
}
