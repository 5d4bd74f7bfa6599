import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { Tokenizer } from "@huggingface/tokenizers";
import { z } from "zod";
import { boundMarks, memoize } from "../../std/mod.ts";
import { type ModelCard, modelCard, readVerified, SHIPPED_MODELS } from "../cards/registry.ts";
import { BLOCK, fourBit, fourBitBytes } from "../runtime/four-bit.ts";
import { textOf, unusable } from "../runtime/onnxruntime.ts";

/** Cuts a normalised word into the pieces of a Unigram vocabulary (Kudo 2018): the cut with the highest sum of scores.
 * Gives the ids that the tokenizer libraries give, in a tenth of their time; unknown letters are left out, or kept. */
export type Segmenter = (word: string) => number[];

const UNITS = 0x10000;
/** Says how much worse than the worst piece an unknown letter is, as in SentencePiece. */
const UNKNOWN_PENALTY = 10;

/** @param vocab pieces with their log probabilities; the place of a piece is its id
 * @param unknown id of the unknown token, itself no piece
 * @param options `keepUnknown`: unknown letters that follow each other are one unknown token. Default false */
export function createSegmenter(
  vocab: readonly (readonly [string, number])[],
  unknown: number,
  { keepUnknown = false }: { keepUnknown?: boolean } = {},
): Segmenter {
  // a trie as one map from (node, UTF-16 unit) to node
  const next = new Map<number, number>();
  const pieceAt: number[] = [-1];
  vocab.forEach(([piece], id) => {
    if (id === unknown || piece === "") return;
    let node = 0;
    for (let i = 0; i < piece.length; i++) {
      const key = node * UNITS + piece.charCodeAt(i);
      node = next.get(key) ?? pieceAt.push(-1) - 1;
      next.set(key, node);
    }
    pieceAt[node] = id;
  });
  const scores = Float64Array.from(vocab, ([, score]) => score);
  const unknownScore =
    scores.reduce((least, score) => Math.min(least, score), Number.POSITIVE_INFINITY) - UNKNOWN_PENALTY;

  let best = new Float64Array(64);
  let from = new Int32Array(64);
  let piece = new Int32Array(64);

  return (word) => {
    const length = word.length;
    if (length >= best.length) {
      best = new Float64Array(length * 2);
      from = new Int32Array(length * 2);
      piece = new Int32Array(length * 2);
    }
    best.fill(Number.NEGATIVE_INFINITY, 0, length + 1);
    best[0] = 0;
    for (let start = 0; start < length; start++) {
      const base = best[start] ?? 0;
      const reach = (end: number, id: number, score: number): void => {
        if (base + score <= (best[end] ?? 0)) return; // of equal cuts the one found first, with the longer last piece
        best[end] = base + score;
        from[end] = start;
        piece[end] = id;
      };
      let single = false;
      let node = 0;
      for (let end = start; end < length; end++) {
        const child = next.get(node * UNITS + word.charCodeAt(end));
        if (child === undefined) break;
        node = child;
        const id = pieceAt[node] ?? -1;
        if (id < 0) continue;
        if (end === start) single = true;
        reach(end + 1, id, scores[id] ?? 0);
      }
      if (!single) reach(start + 1, unknown, unknownScore);
    }
    const ids: number[] = [];
    for (let end = length; end > 0; end = from[end] ?? 0) {
      const id = piece[end] ?? unknown;
      if (id !== unknown || (keepUnknown && ids.at(-1) !== unknown)) ids.push(id);
    }
    return ids.reverse();
  };
}

/** A Unigram vocabulary, and what is done to a text before it is cut into its pieces. */
type UnigramModel = {
  /** Pieces with their log probabilities; the place of a piece is its id. */
  vocab: readonly (readonly [string, number])[];
  /** The id of the unknown token. */
  unknown: number;
  /** Returns the parts of a text, folded, that no piece reaches beyond. */
  partsOf(text: string): string[];
};

const isEntry = (entry: unknown): boolean =>
  Array.isArray(entry) && entry.length === 2 && typeof entry[0] === "string" && typeof entry[1] === "number";

const unigram = z.object({
  type: z.literal("Unigram"),
  unk_id: z.number().int().min(0),
  // Tens of thousands of entries: a schema for each takes longer than all else that a tokenizer begins with.
  vocab: z.custom<[string, number][]>((vocab) => Array.isArray(vocab) && vocab.every(isEntry)),
});

/**
 * Returns the Unigram model of a parsed `tokenizer.json`; undefined where the model is another one, or the tokenizer
 * does not fold or split. The library folds and splits, and does not build its index of the vocabulary.
 */
export function unigramOf(json: { model?: unknown }): UnigramModel | undefined {
  const parsed = unigram.safeParse(json.model);
  if (!parsed.success) return undefined;
  const { vocab, unk_id: unknown } = parsed.data;
  const none = { type: "Unigram", unk_id: 0, vocab: [["<unk>", 0]] };
  const { normalizer, pre_tokenizer: splitter } = new Tokenizer({ ...json, model: none }, {});
  if (normalizer === null || splitter === null) return undefined;
  return { vocab, unknown, partsOf: (text) => splitter.pre_tokenize(normalizer.normalize(boundMarks(text))) };
}

/** Ids of the shared pieces. */
interface PieceTokenizer {
  /**
   * Returns the ids of a text's pieces between `<s>` and `</s>`, at most `longest`: what is beyond is cut before
   * `</s>`.
   */
  encode(text: string, longest: number): number[];
  /** Returns the ids of one word's pieces. A word that is only marks or blanks has none. */
  idsOf(word: string): readonly number[];
  readonly size: number;
}

/** Ids that stand for no piece. */
const PADDING = 0;
export const FIRST = 1;
export const LAST = 2;

/** No piece is longer in UTF-16 units, so that a text is read no further than its pieces reach. */
const UNITS_A_PIECE = 24;
const CACHED_WORDS = 50_000;
/**
 * Holds what the tokenizer makes one blank of. No piece reaches across a blank, so that words can be encoded one by
 * one.
 */
const BLANKS = /[\s\p{Cc}]+/u;
/** The piece of a blank that no letter follows. */
const BLANK_PIECE = "▁";

/**
 * @param json the parsed `tokenizer.json` of the pieces. @throws Error when it is no tokenizer with `<s>` and `</s>` in
 * their places
 */
function createPieceTokenizer(json: { model?: unknown }): PieceTokenizer {
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

/**
 * Holds what the contextual models share: pieces of words, and a row of weights for each, which a model takes as its
 * input.
 */
export interface Pieces {
  readonly tokenizer: PieceTokenizer;
  /** Weights of a row. */
  readonly width: number;
  /** Returns the rows of `ids`, one after the other; padding (id 0) is a row of zeros. */
  rowsOf(ids: ArrayLike<number>): Float32Array;
}

/**
 * Reads the pieces that a model's card names, from the folder beside the model's own or the shipped ones, after
 * checking their files.
 * @param dir the folder of the model
 * @throws InferenceError `model-missing`, `model-altered`, `model-invalid`
 */
export async function loadPieces(dir: string, model: ModelCard): Promise<Pieces> {
  const name = model.pieces ?? "";
  const folder = sharedFolder(dir, name);
  const card = await readCard(folder, model);
  const [rows, json] = await Promise.all([
    readVerified(folder, card, "rows.bin"),
    readVerified(folder, card, "tokenizer.json"),
  ]);
  const { dims: width = 0 } = card;
  try {
    const tokenizer = createPieceTokenizer(JSON.parse(textOf(json)));
    if (width % BLOCK !== 0 || rows.length !== fourBitBytes([tokenizer.size, width])) {
      throw new Error("rows.bin does not hold one row for each piece");
    }
    return { tokenizer, width, rowsOf: rowReader(rows, width) };
  } catch (cause) {
    throw unusable(card, cause);
  }
}

/** Returns the folder of the model `name`: beside that of one that reads it, `dir`, else among the shipped ones. */
export function sharedFolder(dir: string, name: string): string {
  const beside = join(dirname(dir), name);
  return existsSync(join(beside, "model.json")) ? beside : join(SHIPPED_MODELS, name);
}

async function readCard(folder: string, model: ModelCard): Promise<ModelCard> {
  try {
    const card = modelCard.parse(JSON.parse(await readFile(join(folder, "model.json"), "utf8")));
    if (card.architecture !== "pieces") throw new Error(`${card.name} holds no pieces`);
    return card;
  } catch (cause) {
    throw unusable(model, cause);
  }
}

function rowReader(bytes: Uint8Array, width: number): (ids: ArrayLike<number>) => Float32Array {
  const blocks = width / BLOCK;
  const packed = fourBit(bytes);
  return (ids) => {
    const out = new Float32Array(ids.length * width);
    for (let place = 0; place < ids.length; place++) {
      const id = ids[place] ?? PADDING;
      if (id !== PADDING) packed.unpack(id * blocks, blocks, out, place * width);
    }
    return out;
  };
}

/** 1 for each UTF-16 unit below U+3001 that no word contains and that no folding step joins to its neighbours:
 * white space, ASCII and Arabic punctuation, dashes and quotation marks. */
const SEPARATOR = new Uint8Array(0x3001);

function mark(from: number, to = from): void {
  SEPARATOR.fill(1, from, to + 1);
}

mark(0x00, 0x2f);
mark(0x3a, 0x40);
mark(0x5b, 0x60);
mark(0x7b, 0xa0);
for (const code of [0xab, 0xbb, 0x60c, 0x61b, 0x61f, 0x6d4, 0x1680, 0x3000]) mark(code);
mark(0x2000, 0x200a);
mark(0x2010, 0x2029);
mark(0x202f, 0x205f);

/** Calls `take` for each run of `text` between separators. Encoding the runs one by one gives the tokens of the whole
 * text for every tokenizer that splits at punctuation and white space and folds letter by letter. */
export function eachWord(text: string, take: (word: string) => void): void {
  let start = -1;
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i);
    if (code < 0x3001 && SEPARATOR[code] === 1) {
      if (start >= 0) take(text.slice(start, i));
      start = -1;
    } else if (start < 0) {
      start = i;
    }
  }
  if (start >= 0) take(text.slice(start));
}
