import { readFileSync } from "node:fs";
import { join } from "node:path";
import { openMorphology } from "../../lib/arabic/morphology/open.ts";
import { heldOut } from "../../lib/arabic/training/held-out.ts";
import { readTreebank } from "../../lib/arabic/treebank.ts";
import { evalMorph } from "../morph/evaluate.ts";
import type { EvalTask } from "../task.ts";

/**
 * Lemma and part of speech of Arabic words. The treebank's own fifth that training leaves out is measured with the
 * treebank's words, and with the words as they are written, clitics joined.
 */
export const morph: EvalTask = {
  name: "morph",
  formats: "CoNLL-U: gold words, UPOS and LEMMA; Root in MISC where there is one",
  sets: (data) => [
    {
      set: "UD Arabic-PUD, held-out fifth",
      path: join(data, "linguistic/ud_pud/ar_pud-ud-test.conllu"),
      part: "last-fifth",
    },
  ],
  async load() {
    const { model, lexicon } = await openMorphology();
    return {
      async measure({ path, part }) {
        const all = readTreebank(readFileSync(path, "utf8"));
        const sentences = part === undefined ? all : all.filter((_, number) => heldOut(number));
        const words = evalMorph(
          model,
          lexicon,
          sentences.map((sentence) => sentence.words),
        );
        const written = evalMorph(
          model,
          lexicon,
          sentences.map((sentence) => sentence.written),
        );
        const figures = {
          lemma: words.lemma,
          UPOS: words.upos,
          ...(words.vowels !== undefined && { "lemma, with vowels": words.vowels }),
          ...(words.root !== undefined && { root: words.root }),
          "lemma, first analysis": words.firstLemma,
          "lemma, as written": written.lemma,
          "UPOS, as written": written.upos,
          ...(written.parts !== undefined && { "clitics F1": written.parts }),
        };
        return { figures, size: words.size, predictions: words.predictions };
      },
      async close() {},
    };
  },
};
