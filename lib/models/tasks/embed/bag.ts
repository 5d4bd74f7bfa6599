import { at } from "../../../std/at.ts";
import type { TextTokenizer } from "../../tokenizers/text-tokenizer.ts";

/** A text as a bag of token ids: each id once, with its weight, a power of how often it occurs. */
export type Bag = { ids: Int32Array; weights: Float32Array };

/**
 * Makes bags with `tokenizer`; an id that occurs n times weighs n to the `power`. A text without any known token
 * becomes the bag of token 0 alone, the unknown token.
 */
export function createBagger(tokenizer: TextTokenizer, power: number): (text: string) => Bag {
  const count = new Uint32Array(tokenizer.vocabularySize);
  const seen: number[] = [];
  const take = (id: number): void => {
    if (count[id] === 0) seen.push(id);
    count[id] = (count[id] ?? 0) + 1;
  };

  return (text) => {
    tokenizer.eachId(text, take);
    if (seen.length === 0) take(0);
    const ids = Int32Array.from(seen);
    const weights = new Float32Array(ids.length);
    for (let i = 0; i < ids.length; i++) {
      const id = at(ids, i);
      weights[i] = (count[id] ?? 0) ** power;
      count[id] = 0;
    }
    seen.length = 0;
    return { ids, weights };
  };
}
