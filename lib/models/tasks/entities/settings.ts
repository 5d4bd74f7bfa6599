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

const nested = z.object({
  /** The first of its outputs among those of the model: for each type in turn O, B and I. */
  first: z.number().int().min(0),
  types: z.array(z.string().regex(/^[A-Z]+$/)).min(1),
  /** As a head's. */
  scale: z.number().positive(),
  bias: z.number(),
  /**
   * The first of the outputs that say how many letters of an entity's first word stand before it: none, one, two and
   * so on.
   */
  cuts: z.object({ first: z.number().int().min(0), count: z.number().int().min(1) }),
});

/** Schema of `tagger.json`: the sets of types that a tagger can answer in; `nested`: its types for nested entities. */
export const taggerSettings = z.object({ heads: z.array(head).min(1), nested });

/** How a tagger's outputs are read. */
export type TaggerSettings = z.infer<typeof taggerSettings>;
