import type { SenseEntry } from "@isnad/lib/contract";
import { at } from "@isnad/lib/std";
import { type MorphToken, morphAnswer } from "../../lib/arabic/morphology/answer.ts";
import { bareForm } from "../../lib/arabic/morphology/bare-form.ts";
import type { Lexicon } from "../../lib/arabic/morphology/lexicon.ts";
import type { MorphModel } from "../../lib/arabic/morphology/model.ts";
import { sensesOf } from "../../lib/arabic/senses/answer.ts";
import type { SenseChooser } from "../../lib/arabic/senses/choose.ts";
import { createInventory } from "../../lib/arabic/senses/inventory.ts";

/** Words with fewer senses are not measured. */
const SENSES = 3;

/**
 * Shares of examples whose word gets the sense that the example stands under; `first`: were the first sense always
 * chosen. An example whose word is not recognised is wrong.
 */
export type WsdFigures = { size: number; accuracy: number; first: number; predictions: string[] };

/** What reads and chooses; `forms`: those that have senses of their own, as {@link createInventory} takes them. */
type WsdReaders = {
  lexicon: Lexicon;
  model: MorphModel;
  chooser: SenseChooser;
  forms?: ReadonlyMap<string, readonly string[]>;
};

/** Measures the chooser on the examples of those `senses` for which `measured` holds. RangeError when there is none. */
export async function evalWsd(
  senses: readonly SenseEntry[],
  measured: (sense: SenseEntry) => boolean,
  { lexicon, model, chooser, forms }: WsdReaders,
): Promise<WsdFigures> {
  const inventory = createInventory(senses, forms);
  const words = Map.groupBy(
    senses.filter(({ pos }) => pos !== "mwe"),
    ({ lemma, pos }) => `${bareForm(lemma)} ${pos}`,
  );
  const counts = { all: 0, right: 0, first: 0 };
  const predictions: string[] = [];
  for (const group of words.values()) {
    if (group.length < SENSES) continue;
    for (const sense of group.filter(measured)) {
      for (const example of sense.examples) {
        const tokens = morphAnswer({ lexicon, model }, { text: example, all: false });
        const place = tokens.findIndex((token) => isWord(token, sense));
        const chosen = place < 0 ? undefined : at(await sensesOf(tokens, { inventory, chooser }), place).sense;
        counts.all++;
        if (chosen?.id === sense.id) counts.right++;
        if (at(group, 0).id === sense.id) counts.first++;
        predictions.push(`${sense.id}\t${chosen?.id ?? ""}\t${example}`);
      }
    }
  }
  if (counts.all === 0) throw new RangeError(`no example of a word with ${SENSES} senses or more`);
  return { size: counts.all, accuracy: counts.right / counts.all, first: counts.first / counts.all, predictions };
}

function isWord({ lemma }: MorphToken, sense: SenseEntry): boolean {
  return bareForm(lemma) === bareForm(sense.lemma);
}
