import type { Tokenizer } from "@huggingface/tokenizers";
import type { InferenceSession, Tensor } from "onnxruntime-node";
import { z } from "zod";
import { memoize } from "../../std/mod.ts";
import { createReferenceTokenizer } from "./text-tokenizer.ts";

/**
 * Two texts as one sequence of token ids, with the type of each token: which of the texts it belongs to, in the
 * tokenizer's own numbers.
 */
export type TokenPair = { ids: number[]; types: number[] };

/** Puts the special tokens of a tokenizer around the tokens of two texts. */
interface PairTemplate {
  /** Special tokens of a pair. */
  readonly specials: number;
  join(first: readonly number[], second: readonly number[]): TokenPair;
}

/** Holds what stands for the tokens of each text; no vocabulary has them. */
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

/** Returns what the post-processor makes of the two; without types where it leaves them as they are. */
function joined({ post_processor: processor }: Tokenizer): { tokens: string[]; types?: number[] | undefined } {
  if (processor === null) return { tokens: [FIRST, SECOND] };
  const made = processor.post_process([FIRST], [SECOND], true);
  // one that corrects offsets alone hands the second text on
  if (made.tokens_pair !== undefined) return { tokens: [...made.tokens, ...made.tokens_pair] };
  // the library gives the pairs of RoBERTa two types, the reference one
  const oneType = JSON.stringify(processor.config).includes('"RobertaProcessing"');
  return { tokens: made.tokens, types: oneType ? made.tokens.map(() => 0) : made.token_type_ids };
}

/** Texts as sequences of token ids, with the special tokens that the tokenizer puts around them. */
interface SequenceTokenizer {
  /** Returns the ids of `text`, at most `longest` of them: what is beyond is cut before the last special token. */
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

type SequenceTokenizerOptions = {
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

/** Returns the padding token that `tokenizer.json` states, or one under a usual name, else 0. */
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

/** An input of a graph over sequences of tokens: one of those known here, in the integers that the graph declares. */
export type TokenInput = { name: TokenInputName; type: "int64" | "int32" };

const INPUT_NAMES = ["input_ids", "attention_mask", "token_type_ids"] as const;
export type TokenInputName = (typeof INPUT_NAMES)[number];

/** Why a graph cannot be run, in words for whoever pulled the model. */
export class UnknownGraph extends Error {
  override readonly name = "UnknownGraph";
}

/**
 * Reads what inputs the graph declares. @throws UnknownGraph for inputs and types that are not those of a transformer
 * over tokens
 */
export function readTokenInputs({ inputMetadata }: Pick<InferenceSession, "inputMetadata">): TokenInput[] {
  const strangers: string[] = [];
  const inputs: TokenInput[] = [];
  for (const input of inputMetadata) {
    const name = INPUT_NAMES.find((known) => known === input.name);
    const type = input.isTensor ? input.type : "no tensor";
    if (name === undefined) strangers.push(input.name);
    else if (type === "int64" || type === "int32") inputs.push({ name, type });
    else throw new UnknownGraph(`the graph wants ${name} as ${type}, not as integers`);
  }
  if (strangers.length > 0) {
    throw new UnknownGraph(`the graph asks for ${strangers.join(", ")}; known are ${INPUT_NAMES.join(", ")}`);
  }
  for (const needed of ["input_ids", "attention_mask"]) {
    if (!inputs.some(({ name }) => name === needed)) throw new UnknownGraph(`the graph has no input ${needed}`);
  }
  return inputs;
}

/** Returns the graph's inputs as tensors of `shape` [rows, length]. */
export function tokenFeeds(
  inputs: readonly TokenInput[],
  values: Readonly<Record<TokenInputName, Int32Array>>,
  shape: readonly [number, number],
  make: typeof Tensor,
): Record<string, Tensor> {
  return Object.fromEntries(
    inputs.map(({ name, type }) => {
      const whole = values[name];
      return [
        name,
        type === "int64" ? new make(type, BigInt64Array.from(whole, BigInt), shape) : new make(type, whole, shape),
      ];
    }),
  );
}
