import { z } from "zod";

const label = z.string().regex(/^(?:O|[BI]-[A-Za-z][A-Za-z-]*)$/);

const head = z
  .object({
    name: z.string(),
    /** The first of its outputs among those of the model; one a label, in their order. */
    first: z.number().int().min(0),
    labels: z.array(label).min(1),
    /** From each label (row) to each label. */
    moves: z.array(z.array(z.number())),
    /** Confidence: the logistic function of scale × log-odds of the span + bias (Platt 1999). */
    scale: z.number().positive(),
    bias: z.number(),
  })
  .refine(({ labels, moves }) => moves.length === labels.length && moves.every((row) => row.length === labels.length), {
    error: "the moves are between other labels than the head's",
  });

/** Schema of `tagger.json`: the sets of types that a tagger can answer in. */
export const taggerSettings = z.object({ heads: z.array(head).min(1) });

/** How a tagger's outputs are read. */
export type TaggerSettings = z.infer<typeof taggerSettings>;
