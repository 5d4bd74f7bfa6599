import type { Chain } from "./chain.ts";
import type { TaggerSettings } from "./settings.ts";

/** A set of types with its place among the model's outputs, and what makes a span's probability its confidence. */
export type Head = Chain & { first: number; scale: number; bias: number };

/** How nested entities are read: a head of O, B and I for each type, and the outputs for letters before an entity. */
export type NestedHeads = { types: readonly Head[]; cuts: { first: number; count: number } };

const NEVER = -10_000;

/** The heads of a tagger by name. No sentence begins inside a name. */
export function readHeads({ heads }: Pick<TaggerSettings, "heads">): Map<string, Head> {
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

/** The heads of nested entities, one a type. */
export function readNested({ nested }: Pick<TaggerSettings, "nested">): NestedHeads {
  const { first, types, scale, bias, cuts } = nested;
  return {
    types: types.map((type, number) => ({
      first: first + 3 * number,
      labels: ["O", `B-${type}`, `I-${type}`],
      starts: Float32Array.of(0, 0, NEVER),
      moves: Float32Array.of(0, 0, NEVER, 0, 0, 0, 0, 0, 0),
      scale,
      bias,
    })),
    cuts,
  };
}
