import { at } from "../../std/mod.ts";
import type { WordTerms } from "../../text/mod.ts";
import { shareWithin } from "./exact-match.ts";
import type { Projection } from "./projection.ts";
import { inverseFrequency, type TermGroup } from "./score.ts";
import type { TermNumbers } from "./words.ts";

/** Words that may stand between those of a query; between their translations, which stand in another order. */
const WORDS_BETWEEN = 2;
const TRANSLATIONS_BETWEEN = 10;

/** A hit by where it is. */
type Place = { segment: number; doc: number };

/** A query as it is looked for: its words, and groups of terms in the other language by script. */
type Sought = {
  words: readonly WordTerms[];
  across: ReadonlyMap<"arabic" | "latin", readonly TermGroup[]>;
};

/**
 * Returns how much of what a query says each document says in one place, from 0 to 1: the share of its words, or of
 * their translations, by how rare they are. A word that no document holds counts as the rarest of all, so a query
 * without meaning has no support anywhere.
 */
export function supportsOf(
  { words, across }: Sought,
  places: readonly (Place | undefined)[],
  projection: Projection,
  numbers: TermNumbers,
): number[] {
  const { segments, documents, count, scratch, vocabulary } = projection;
  const telling = words.some(({ stop }) => !stop) ? words.filter(({ stop }) => !stop) : words;
  const own = new Weights();
  for (const { stems } of telling) {
    const stem = numbers.term(stems[0] ?? "");
    own.add([stem], inverseFrequency(count, documents[stem] ?? 0));
  }
  const translated = new Map(
    Array.from(across, ([script, groups]) => {
      const weights = new Weights();
      for (const group of groups) weights.add(termsOf(group), group.weight);
      return [script, { weights, share: Math.min(1, groups.length / Math.max(1, telling.length)) }];
    }),
  );
  return places.map((place) => {
    if (place === undefined) return 0;
    const segment = at(segments, place.segment);
    const { content, end } = scratch.decode(segment.forward, place.doc);
    const stemAt = (word: number) => vocabulary.stems[at(scratch.forms, word)] ?? 0;
    const held = (weights: Weights, between: number): number => {
      const keyAt = (word: number) => weights.keyOf(stemAt(word));
      const width = telling.length + between;
      const title = shareWithin(weights.byKey, keyAt, { from: 1, to: content, width: content });
      return Math.max(title, shareWithin(weights.byKey, keyAt, { from: content, to: end, width }));
    };
    const other = translated.get(place.doc < segment.latin ? "arabic" : "latin");
    const said = other === undefined ? 0 : other.share * held(other.weights, TRANSLATIONS_BETWEEN);
    return Math.max(held(own, WORDS_BETWEEN), said);
  });
}

function termsOf({ terms }: TermGroup): number[] {
  return terms.map(({ term }) => term);
}

/** Weights of words, each under a number of its own, whichever of its terms stands for it. */
class Weights {
  readonly byKey = new Map<number, number>();
  readonly #keys = new Map<number, number>();

  /** Adds a word that any of these terms stands for; 0 is none. */
  add(terms: readonly number[], weight: number): void {
    const key = this.byKey.size + 1;
    this.byKey.set(key, weight);
    for (const term of terms) if (term !== 0 && !this.#keys.has(term)) this.#keys.set(term, key);
  }

  /** Returns the number of the word that a term stands for; 0 for none. */
  keyOf(term: number): number {
    return this.#keys.get(term) ?? 0;
  }
}
