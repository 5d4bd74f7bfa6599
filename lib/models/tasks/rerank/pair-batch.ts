import type { TokenPair } from "../../tokenizers/pair-template.ts";
import type { TokenInputName } from "../../tokenizers/token-inputs.ts";

/**
 * The inputs of one run over `pairs`, each of shape [pairs, length]: shorter pairs are filled up with the padding
 * token, masked out.
 */
export function pairBatch(
  pairs: readonly TokenPair[],
  padding: number,
): Record<TokenInputName, Int32Array> & { length: number } {
  const length = Math.max(...pairs.map(({ ids }) => ids.length));
  const batch = {
    length,
    input_ids: new Int32Array(pairs.length * length).fill(padding),
    attention_mask: new Int32Array(pairs.length * length),
    token_type_ids: new Int32Array(pairs.length * length),
  };
  pairs.forEach(({ ids, types }, row) => {
    batch.input_ids.set(ids, row * length);
    batch.attention_mask.fill(1, row * length, row * length + ids.length);
    batch.token_type_ids.set(types, row * length);
  });
  return batch;
}

/** The pair made as long as `length` by repeating its last token. */
export function stretched({ ids, types }: TokenPair, length: number): TokenPair {
  const more = (row: readonly number[]) => [...row, ...new Array<number>(length - row.length).fill(row.at(-1) ?? 0)];
  return { ids: more(ids), types: more(types) };
}
