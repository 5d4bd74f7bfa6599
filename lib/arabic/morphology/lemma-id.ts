import { hashOf } from "../hash.ts";
import type { Lemma } from "./lexicon.ts";

/**
 * The number by which a lemma is known outside: of 52 bits, made of its form, part of speech and root alone, so that it
 * stays when the lexicon grows.
 */
export function lemmaId({ form, pos, root }: Pick<Lemma, "form" | "pos" | "root">): number {
  const key = `${form}|${pos}|${root}`;
  return hashOf(key) * 0x100000 + (hashOf(`${key}|2`) >>> 12);
}
