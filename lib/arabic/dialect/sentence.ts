import { z } from "zod";

/** A word of a sentence of a corpus. */
export const CorpusToken = z.object({
  token: z.string(),
  coda: z.string(),
  segmentation: z.array(z.string()),
  lemma_msa: z.string(),
  lemma_dialect: z.string(),
  pos: z.string(),
  gloss: z.string(),
});
export type CorpusToken = z.output<typeof CorpusToken>;

/** The largest number that a sentence can have: ten digits. */
export const LARGEST_SENTENCE_ID = 9_999_999_999;

/** A sentence of a corpus and its words, in the order of the text. */
export const CorpusSentence = z.object({
  sentence_id: z.int().min(0).max(LARGEST_SENTENCE_ID),
  text: z.string(),
  dialect: z.string(),
  tokens: z.array(CorpusToken),
});
export type CorpusSentence = z.output<typeof CorpusSentence>;

/** The sentences of a corpus by their places from 0. */
export type Sentences = { readonly size: number; at(place: number): CorpusSentence };
