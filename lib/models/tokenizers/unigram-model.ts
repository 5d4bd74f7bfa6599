import { Tokenizer } from "@huggingface/tokenizers";
import { z } from "zod";
import { boundMarks } from "../../std/mod.ts";

/** A Unigram vocabulary, and what is done to a text before it is cut into its pieces. */
export type UnigramModel = {
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
