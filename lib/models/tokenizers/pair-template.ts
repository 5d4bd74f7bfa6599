import type { Tokenizer } from "@huggingface/tokenizers";

/**
 * Two texts as one sequence of token ids, with the type of each token: which of the texts it belongs to, in the
 * tokenizer's own numbers.
 */
export type TokenPair = { ids: number[]; types: number[] };

/** Puts the special tokens of a tokenizer around the tokens of two texts. */
export interface PairTemplate {
  /** Special tokens of a pair. */
  readonly specials: number;
  join(first: readonly number[], second: readonly number[]): TokenPair;
}

/** What stands for the tokens of each text; no vocabulary has them. */
const FIRST = "\u0000first";
const SECOND = "\u0000second";

/**
 * Reads from the tokenizer's post-processor how it joins two texts. The tokenizer itself is not asked for pairs: it
 * takes an empty second text for none. @throws Error when the post-processor does not give each text once, or names an
 * unknown special token
 */
export function readPairTemplate(tokenizer: Tokenizer): PairTemplate {
  const { tokens, types } = joined(tokenizer);
  for (const text of [FIRST, SECOND]) {
    if (tokens.filter((token) => token === text).length !== 1) throw new Error("the tokenizer cannot join two texts");
  }
  const places = tokens.map((token, place) => {
    const id = tokenizer.token_to_id(token);
    const text = token === FIRST || token === SECOND;
    if (id === undefined && !text) throw new Error(`the special token ${token} is not in the vocabulary`);
    return { token, id: id ?? 0, type: types?.[place] ?? (token === SECOND ? 1 : 0) };
  });

  return {
    specials: places.length - 2,
    join(first, second) {
      const pair: TokenPair = { ids: [], types: [] };
      for (const { token, id, type } of places) {
        for (const each of token === FIRST ? first : token === SECOND ? second : [id]) {
          pair.ids.push(each);
          pair.types.push(type);
        }
      }
      return pair;
    },
  };
}

/** What the post-processor makes of the two; without types where it leaves them as they are. */
function joined({ post_processor: processor }: Tokenizer): { tokens: string[]; types?: number[] | undefined } {
  if (processor === null) return { tokens: [FIRST, SECOND] };
  const made = processor.post_process([FIRST], [SECOND], true);
  // one that corrects offsets alone hands the second text on
  if (made.tokens_pair !== undefined) return { tokens: [...made.tokens, ...made.tokens_pair] };
  // the library gives the pairs of RoBERTa two types, the reference one
  const oneType = JSON.stringify(processor.config).includes('"RobertaProcessing"');
  return { tokens: made.tokens, types: oneType ? made.tokens.map(() => 0) : made.token_type_ids };
}
