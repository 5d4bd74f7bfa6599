import { z } from "zod";
import type { Chain } from "./chain.ts";

const head = z.object({
  name: z.string(),
  /** The model's first output of this head; its labels are those from there on. */
  offset: z.number().int().min(0),
  labels: z.array(z.string().regex(/^(?:O|[BI]-[A-Za-z][A-Za-z-]*)$/)).min(1),
  starts: z.array(z.number()),
  /** From each label (row) to each label. */
  moves: z.array(z.array(z.number())),
  /** Confidence: the logistic function of scale × log-odds of the span + bias (Platt 1999). */
  scale: z.number().positive(),
  bias: z.number(),
});

/** Schema of `tagger.json`: how a tagger's inputs are made and its outputs read. */
export const taggerSettings = z
  .object({
    buckets: z.number().int().positive(),
    /** Empty places between two sentences: the farthest that a convolution reaches. */
    gap: z.number().int().min(0).max(64),
    heads: z.array(head).min(1),
  })
  .superRefine(({ heads }, context) => {
    for (const { name, labels, starts, moves } of heads) {
      const fits = (row: readonly number[]) => row.length === labels.length;
      if (!fits(starts) || moves.length !== labels.length || !moves.every(fits)) {
        context.addIssue({ code: "custom", message: `the head ${name} has scores for other labels than its own` });
      }
    }
  });

/** One set of types that a tagger can answer in. */
export type TagHead = Chain & { name: string; offset: number; scale: number; bias: number };

/** The heads of a tagger in the form they are computed with. */
export function headsOf(settings: z.infer<typeof taggerSettings>): Map<string, TagHead> {
  return new Map(
    settings.heads.map(({ starts, moves, ...rest }) => [
      rest.name,
      { ...rest, starts: Float32Array.from(starts), moves: Float32Array.from(moves.flat()) },
    ]),
  );
}
