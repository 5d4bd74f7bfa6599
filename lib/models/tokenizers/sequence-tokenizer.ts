import type { Tokenizer } from "@huggingface/tokenizers";
import { z } from "zod";
import { memoize } from "../../std/mod.ts";
import { type PairTemplate, readPairTemplate, type TokenPair } from "./pair-template.ts";
import { createReferenceTokenizer } from "./reference-tokenizer.ts";

/** Texts as sequences of token ids, with the special tokens that the tokenizer puts around them. */
export interface SequenceTokenizer {
  /** The ids of `text`, at most `longest` of them: what is beyond is cut before the last special token. */
  encode(text: string, longest: number): number[];
  /**
   * Two texts as one sequence of at most `longest` ids. The second one is cut where the room ends; the first only
   * beyond three quarters of `longest`, as FlagEmbedding does it for rerankers. @throws Error when the tokenizer joins
   * no two texts, or `longest` has no room
   */
  encodePair(first: string, second: string, longest: number): TokenPair;
  /** The id that fills up shorter sequences of a batch. */
  readonly padding: number;
}

export type SequenceTokenizerOptions = {
  /**
   * Words between blanks are encoded one by one and remembered: some ten times faster, and the same for tokenizers that
   * split at white space, fold letter by letter and put one special token before and one after. Default false.
   */
  byWord?: boolean;
};

/** No word of a text is longer, so that a token is no more than this many UTF-16 units away from the next. */
const UNITS_A_TOKEN = 24;
/**
 * The texts of a pair are read to their end up to this many UTF-16 units: where a text without blanks is cut, its last
 * tokens change.
 */
const READ_WHOLE = 20_000;
const CACHED_WORDS = 50_000;
// no other white space: what the tokenizer removes instead of splitting at it differs
const BLANKS = /[ \t\r\n]+/;

/** @param json the parsed `tokenizer.json`. @throws Error when the tokenizer cannot be built from it */
export function createSequenceTokenizer(json: object, options: SequenceTokenizerOptions = {}): SequenceTokenizer {
  const tokenizer = createReferenceTokenizer(json);
  const encode = options.byWord ? byWord(tokenizer) : (text: string) => tokenizer.encode(text).ids;
  return {
    padding: paddingOf(json, tokenizer),
    encodePair: pairs(tokenizer),
    encode(text, longest) {
      const ids = encode(text.slice(0, longest * UNITS_A_TOKEN));
      const last = ids.at(-1);
      return ids.length <= longest || last === undefined ? ids : [...ids.slice(0, longest - 1), last];
    },
  };
}

/** Encodes pairs; the tokens of a first text are kept for the next pair, which mostly has the same. */
function pairs(tokenizer: Tokenizer): SequenceTokenizer["encodePair"] {
  let template: PairTemplate | undefined;
  let kept: { text: string; most: number; ids: number[] } | undefined;
  const idsOf = (text: string, most: number): number[] => {
    const start = text.slice(0, Math.max(READ_WHOLE, (most + 1) * UNITS_A_TOKEN));
    return tokenizer.encode(start, { add_special_tokens: false }).ids.slice(0, most);
  };
  return (first, second, longest) => {
    template ??= readPairTemplate(tokenizer);
    const room = longest - template.specials;
    if (room < 1) throw new Error(`${longest} tokens have no room for a pair`);
    const most = Math.min(room, Math.floor((longest * 3) / 4));
    if (kept?.text !== first || kept.most !== most) kept = { text: first, most, ids: idsOf(first, most) };
    return template.join(kept.ids, idsOf(second, room - kept.ids.length));
  };
}

const padded = z.object({ padding: z.object({ pad_id: z.number().int().min(0) }) });

/** The padding token that `tokenizer.json` states, or one under a usual name, else 0. */
function paddingOf(json: object, tokenizer: Tokenizer): number {
  const stated = padded.safeParse(json);
  if (stated.success) return stated.data.padding.pad_id;
  return tokenizer.token_to_id("<pad>") ?? tokenizer.token_to_id("[PAD]") ?? 0;
}

function byWord(tokenizer: Tokenizer): (text: string) => number[] {
  const [first = 0, last = 0] = tokenizer.encode("").ids;
  const idsOf = memoize((word) => tokenizer.encode(word, { add_special_tokens: false }).ids, {
    capacity: CACHED_WORDS,
  });

  return (text) => {
    const ids = [first];
    for (const word of text.split(BLANKS)) if (word !== "") ids.push(...idsOf(word));
    ids.push(last);
    return ids;
  };
}
