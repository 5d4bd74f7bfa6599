import { openRegistry } from "@isnad/lib/models/cards";
import { type Context, serve } from "@isnad/lib/service/threads";
import { mapInSlices } from "@isnad/lib/std";
import { attempt, attemptLater } from "../../lib/arabic/attempt.ts";
import {
  findSentence,
  glossaryAnswer,
  openDialectCorpus,
  type SentenceQuestion,
} from "../../lib/arabic/dialect/answer.ts";
import { openDialectIdentifier } from "../../lib/arabic/dialect/identify.ts";
import { morphInTurns, type MorphQuestion, rootOf } from "../../lib/arabic/morphology/answer.ts";
import { createLemmaForms, createLemmaSearch, type LemmaQuestion } from "../../lib/arabic/morphology/lemmas.ts";
import { openMorphology } from "../../lib/arabic/morphology/model.ts";
import { vowelled } from "../../lib/arabic/morphology/written-forms.ts";
import { openRelations, relationsOf } from "../../lib/arabic/relations/answer.ts";
import type { ReEntity } from "../../lib/arabic/relations/words.ts";
import { type Lemma, lemmaId } from "../../lib/arabic/morphology/lexicon.ts";

/** A lemma as `GET /lemmas/{id}` shows it. */
type LemmaView = {
  lemma_id: number;
  lemma: string;
  pos: string;
  root: string | null;
  gloss: string | null;
  forms: string[];
};

/** Returns what is shown of a lemma wherever it is listed. */
const headOf = (known: Lemma): Omit<LemmaView, "forms"> => ({
  lemma_id: lemmaId(known),
  lemma: vowelled(known.form),
  pos: known.pos,
  root: rootOf(known),
  gloss: known.gloss || null,
});

/**
 * Returns a thread that takes Arabic text apart; `dataDir`: where a corpus and models of the operator are looked for.
 */
export async function start({ dataDir }: { dataDir?: string | undefined } = {}) {
  const morphology = await attemptLater(openMorphology);
  const registry = openRegistry(dataDir === undefined ? {} : { dataDir });
  const relations = await attemptLater(() => openRelations(registry));
  const identify = await attemptLater(() => openDialectIdentifier(registry));
  const corpus = openDialectCorpus(dataDir);
  const lemmaForms = attempt(() => createLemmaForms(morphology().lexicon, morphology().rules));
  const dialect = () => attempt(corpus)();
  const search = attempt(() => createLemmaSearch(morphology().lexicon));
  const lemma = (id: number): LemmaView | undefined => {
    const known = morphology().lexicon.lemmaById(id);
    return known === undefined ? undefined : { ...headOf(known), forms: lemmaForms()(known) };
  };
  return {
    morph: (question: MorphQuestion, { signal }: Context) => morphInTurns(morphology(), question, signal),
    sentence: (question: SentenceQuestion) => findSentence(dialect(), question),
    identify: (text: string) => identify()(text),
    glossary: (question: Parameters<typeof glossaryAnswer>[1], { signal }: Context) =>
      glossaryAnswer(dialect(), question, signal),
    async relations({ text, entities }: { text: string; entities: readonly ReEntity[] }, { signal }: Context) {
      const tokens = await morphInTurns(morphology(), { text, all: false }, signal);
      return await relationsOf({ text, entities, tokens }, relations(), signal);
    },
    /** Reads a text, and finds the events in it where its entities are given. */
    async analysis(
      { text, entities }: { text: string; entities: readonly ReEntity[] | undefined },
      { signal }: Context,
    ) {
      const tokens = await morphInTurns(morphology(), { text, all: false, inflected: true }, signal);
      if (entities === undefined) return { tokens, relations: undefined };
      return { tokens, relations: await relationsOf({ text, entities, tokens }, relations(), signal) };
    },
    lemma,
    async searchLemmas(question: LemmaQuestion, { signal }: Context) {
      const { lemmas, total } = await search()(question, signal);
      return { lemmas: lemmas.map(headOf), total };
    },
    lemmas: (ids: readonly number[], { signal }: Context) => {
      return mapInSlices(ids, (id) => {
        signal.throwIfAborted();
        return lemma(id);
      });
    },
    close: () => {},
  };
}

serve(start);
