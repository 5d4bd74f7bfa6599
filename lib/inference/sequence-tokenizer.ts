import { Tokenizer } from "@huggingface/tokenizers";

/** Texts as sequences of token ids, with the special tokens that the tokenizer puts around them. */
export interface SequenceTokenizer {
  /** The ids of `text`, at most `longest` of them: what is beyond is cut before the last special token. */
  encode(text: string, longest: number): number[];
  readonly vocabularySize: number;
}

/** No word of a text is longer, so that a token is no more than this many UTF-16 units away from the next. */
const UNITS_A_TOKEN = 24;

/** @param json the parsed `tokenizer.json`. @throws Error when the tokenizer cannot be built from it */
export function createSequenceTokenizer(json: object): SequenceTokenizer {
  const tokenizer = new Tokenizer(json, {});
  return {
    vocabularySize: tokenizer.get_vocab().size,
    encode(text, longest) {
      const { ids } = tokenizer.encode(text.slice(0, longest * UNITS_A_TOKEN));
      const last = ids.at(-1);
      return ids.length <= longest || last === undefined ? ids : [...ids.slice(0, longest - 1), last];
    },
  };
}
