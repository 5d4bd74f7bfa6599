import { normalForm } from "@isnad/lib/text";
import type { Features } from "./affixes.ts";
import type { Lemma, Lexicon, Stem } from "./lexicon.ts";
import type { Ending, Prefix, WordRules } from "./rules.ts";
import { lettersOf } from "./transliteration.ts";

/** One way to read a word. */
export type Analysis = {
  lemma: Lemma;
  prefix: Prefix;
  stem: Stem;
  ending: Ending;
  features: Features;
  pos: string;
  /** How much less likely than certain: minus a natural logarithm, roughly. */
  cost: number;
};

/** What a letter costs that is written otherwise than the lexicon has it. */
const SPELLING = { hamzaLeftOut: 0.5, hamzaAdded: 4, ya: 2.5, ta: 4 };

/**
 * All readings of a word that the lexicon allows, in the order of the lexicon; none for words that it does not have.
 */
export function analyse(word: string, lexicon: Lexicon, rules: WordRules): Analysis[] {
  const letters = normalForm(word);
  // Ha is often written where ta marbuta belongs, ta marbuta never for the pronoun.
  const endsInTa = /ة\p{M}*$/u.test(word);
  const analyses: Analysis[] = [];
  for (let start = 0; start <= Math.min(rules.longestPrefix, letters.length - 1); start++) {
    const before = letters.slice(0, start);
    if (!rules.canStandBefore(before)) continue;
    const shortest = Math.max(start + 1, letters.length - rules.longestEnding);
    for (let end = letters.length; end >= shortest; end--) {
      const after = letters.slice(end);
      if (!rules.canStandAfter(after)) continue;
      const stems = lexicon.stems(letters.slice(start, end));
      for (const stem of stems) {
        for (const ending of rules.endings(stem.signature, after)) {
          if (endsInTa && /h[iu]$/.test(ending.form)) continue;
          for (const prefix of rules.prefixes(ending.sequence, before)) {
            if (!rules.agree(prefix, stem.signature, ending)) continue;
            const { features, pos } = rules.signature(stem.signature);
            const lemma = lexicon.lemma(stem.lemma);
            analyses.push({
              ...{ lemma, prefix, stem, ending, pos },
              features: { ...prefix.features, ...features, ...ending.features },
              cost: lemma.cost + spellingCost(word, lettersOf(prefix.form + stem.form + ending.form)),
            });
          }
        }
      }
    }
  }
  return analyses;
}

/** What it costs that a word is written as it is and not as the lexicon would have it. */
function spellingCost(word: string, lexical: string): number {
  const written = word.replace(/[\p{M}\u0640]/gu, "");
  if (written === lexical || written.length !== lexical.length) return 0;
  let cost = 0;
  for (let i = 0; i < written.length; i++) {
    const [own, other] = [written.charAt(i), lexical.charAt(i)];
    if (own === other) continue;
    if (own === "ا") cost += SPELLING.hamzaLeftOut;
    else if (other === "ا" || "أإآ".includes(own)) cost += SPELLING.hamzaAdded;
    else cost += "يى".includes(own) ? SPELLING.ya : SPELLING.ta;
  }
  return cost;
}
