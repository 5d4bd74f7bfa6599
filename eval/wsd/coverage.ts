import { morphAnswer } from "../../lib/arabic/morphology/answer.ts";
import type { Lexicon } from "../../lib/arabic/morphology/lexicon.ts";
import type { MorphModel } from "../../lib/arabic/morphology/model.ts";
import { wordsWithSenses } from "../../lib/arabic/senses/answer.ts";
import type { Inventory } from "../../lib/arabic/senses/inventory.ts";

/** Universal parts of speech of content words; names have no senses. */
const CONTENT: ReadonlySet<string> = new Set(["VERB", "NOUN", "ADJ", "ADV"]);

/** The share of content words, as they run, that have a sense; `missing`: lemmas without one by count, most first. */
export type Coverage = { words: number; covered: number; missing: [lemma: string, count: number][] };

/** Measures an inventory on texts. Throws RangeError when they have no content word. */
export function coverageOf(
  texts: Iterable<string>,
  { lexicon, model, inventory }: { lexicon: Lexicon; model: MorphModel; inventory: Inventory },
): Coverage {
  const missing = new Map<string, number>();
  const counts = { words: 0, covered: 0 };
  for (const text of texts) {
    const tokens = morphAnswer({ lexicon, model }, { text, all: false });
    const covered = new Set(
      wordsWithSenses(tokens, inventory).flatMap(({ from, to }) =>
        Array.from({ length: to - from }, (_, i) => from + i),
      ),
    );
    tokens.forEach(({ lemma, pos }, place) => {
      if (!CONTENT.has(pos)) return;
      counts.words++;
      if (covered.has(place)) counts.covered++;
      else missing.set(`${lemma}\t${pos}`, (missing.get(`${lemma}\t${pos}`) ?? 0) + 1);
    });
  }
  if (counts.words === 0) throw new RangeError("no content word to measure");
  return {
    words: counts.words,
    covered: counts.covered / counts.words,
    missing: [...missing].sort((a, b) => b[1] - a[1]),
  };
}
