import { z } from "zod";

const slice = z.object({ at: z.number().int().min(0), count: z.number().int().min(0) });
const label = z.string().regex(/^(?:O|[BI]-[A-Za-z][A-Za-z-]*)$/);

const chain = z
  .object({
    name: z.string(),
    /** Its feature hashes within `features.bin`, in numbers of 32 bits; its rows of the table come in the same order. */
    features: slice,
    firstRow: z.number().int().min(1),
    labels: z.array(label).min(1),
    /** From each label (row) to each label. */
    moves: z.array(z.array(z.number())),
    /** Name lists whose answers are features of this chain, each with the chain that belongs to it where there is one. */
    uses: z.array(z.object({ names: z.string(), chain: z.string().optional() })),
    /** Confidence: the logistic function of scale × log-odds of the span + bias (Platt 1999). */
    scale: z.number().positive(),
    bias: z.number(),
  })
  .refine(({ labels, moves }) => moves.length === labels.length && moves.every((row) => row.length === labels.length), {
    error: "the moves are between other labels than the chain's",
  });

const names = z.object({
  name: z.string(),
  /** Hashes in `features.bin`, in numbers of 32 bits; then the number of each one's label, a byte each, in the same order. */
  phrases: slice.extend({ values: z.number().int().min(0) }),
  words: slice.extend({ values: z.number().int().min(0) }),
  phraseLabels: z.array(z.string()),
  wordLabels: z.array(z.string()),
});

/** Schema of `tagger.json`: the chains of a tagger, in the order in which they are computed, and the name lists. */
export const taggerSettings = z.object({ chains: z.array(chain).min(1), names: z.array(names) });

/** How a tagger's inputs are made and its outputs read. */
export type TaggerSettings = z.infer<typeof taggerSettings>;
