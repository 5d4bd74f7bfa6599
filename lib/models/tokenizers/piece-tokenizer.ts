import { memoize } from "../../std/mod.ts";
import { createSegmenter } from "./unigram.ts";
import { unigramOf } from "./unigram-model.ts";

/** Ids of the shared pieces. */
export interface PieceTokenizer {
  /** The ids of a text's pieces between `<s>` and `</s>`, at most `longest`: what is beyond is cut before `</s>`. */
  encode(text: string, longest: number): number[];
  /** The ids of one word's pieces. A word that is only marks or blanks has none. */
  idsOf(word: string): readonly number[];
  readonly size: number;
}

/** Ids that stand for no piece. */
export const PADDING = 0;
export const FIRST = 1;
export const LAST = 2;

/** No piece is longer in UTF-16 units, so that a text is read no further than its pieces reach. */
const UNITS_A_PIECE = 24;
const CACHED_WORDS = 50_000;
/** What the tokenizer makes one blank of. No piece reaches across a blank, so that words can be encoded one by one. */
const BLANKS = /[\s\p{Cc}]+/u;
/** The piece of a blank that no letter follows. */
const BLANK_PIECE = "▁";

/**
 * @param json the parsed `tokenizer.json` of the pieces. @throws Error when it is no tokenizer with `<s>` and `</s>` in
 * their places
 */
export function createPieceTokenizer(json: { model?: unknown }): PieceTokenizer {
  const { vocab, unknown, partsOf } = unigramOf(json) ?? { vocab: [], unknown: 0, partsOf: () => [] };
  if (vocab[FIRST]?.[0] !== "<s>" || vocab[LAST]?.[0] !== "</s>") {
    throw new Error("the special pieces are not in their places");
  }
  const blank = vocab.findIndex(([piece]) => piece === BLANK_PIECE);
  const segment = createSegmenter(vocab, unknown, { keepUnknown: true });
  const idsOf = memoize(
    (word): readonly number[] => {
      const ids = partsOf(word).flatMap(segment);
      return ids.length === 1 && ids[0] === blank ? [] : ids;
    },
    { capacity: CACHED_WORDS },
  );

  return {
    size: vocab.length,
    idsOf,
    encode(text, longest) {
      const ids = [FIRST];
      for (const word of text.slice(0, longest * UNITS_A_PIECE).split(BLANKS)) {
        if (ids.length >= longest) break;
        if (word !== "") ids.push(...idsOf(word));
      }
      ids.length = Math.min(ids.length, longest - 1);
      ids.push(LAST);
      return ids;
    },
  };
}
