import { morphAnswer, type MorphQuestion, rootOf } from "./morph/answer.ts";
import { lemmaId } from "./morph/lemma-id.ts";
import { openMorphology } from "./morph/open.ts";
import { vowelled } from "./morph/transliteration.ts";

/** A lemma as `GET /lemmas/{id}` shows it. */
export type LemmaView = {
  lemma_id: number;
  lemma: string;
  pos: string;
  root: string | null;
  gloss: string | null;
  forms: string[];
};

/** A thread that takes Arabic text apart. */
export async function start() {
  const { lexicon, model } = await openMorphology();
  const lemma = (id: number): LemmaView | undefined => {
    const known = lexicon.lemmaById(id);
    return known === undefined
      ? undefined
      : {
          lemma_id: lemmaId(known),
          lemma: vowelled(known.form),
          pos: known.pos,
          root: rootOf(known),
          gloss: known.gloss || null,
          forms: lexicon.formsOf(known).map(vowelled),
        };
  };
  return {
    morph: (question: MorphQuestion) => morphAnswer({ lexicon, model }, question),
    lemma,
    lemmas: (ids: readonly number[]) => ids.map(lemma),
    close: () => {},
  };
}
