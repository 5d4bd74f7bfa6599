import type { Chain } from "./chain.ts";
import type { TaggerSettings } from "./settings.ts";

/** A set of types with its place among the model's outputs, and what makes a span's probability its confidence. */
export type Head = Chain & { first: number; scale: number; bias: number };

const NEVER = -10_000;

/** The heads of a tagger by name. No sentence begins inside a name. */
export function readHeads({ heads }: TaggerSettings): Map<string, Head> {
  return new Map(
    heads.map(({ name, first, labels, moves, scale, bias }) => [
      name,
      {
        first,
        labels,
        starts: Float32Array.from(labels, (label) => (label.startsWith("I-") ? NEVER : 0)),
        moves: Float32Array.from(moves.flat()),
        scale,
        bias,
      },
    ]),
  );
}
