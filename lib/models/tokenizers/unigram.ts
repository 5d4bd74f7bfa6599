import { Tokenizer } from "@huggingface/tokenizers";
import { z } from "zod";
import { boundMarks } from "../../std/mod.ts";

/** Cuts a normalised word into the pieces of a Unigram vocabulary (Kudo 2018): the cut with the highest sum of scores.
 * Gives the ids that the tokenizer libraries give, in a tenth of their time; unknown letters are left out, or kept. */
export type Segmenter = (word: string) => number[];

const UNITS = 0x10000;
/** How much worse than the worst piece an unknown letter is, as in SentencePiece. */
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
  /** The parts of a text, folded, that no piece reaches beyond. */
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
 * The Unigram model of a parsed `tokenizer.json`; undefined where the model is another one, or the tokenizer does not
 * fold or split. The library folds and splits, and does not build its index of the vocabulary.
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
