import type { DialectSentence } from "@isnad/lib/contract";
import { forEachWord, normalForm } from "@isnad/lib/text";
import { hashOf } from "../hash.ts";
import { createTrigramIndex } from "./similarity.ts";

/** How a sentence was found. */
export type MatchType = "id" | "exact" | "substring" | "fuzzy";

/** A sentence of the corpus as the service gives it. */
export type SentenceView = {
  sentence_id: number;
  text: string;
  dialect: string;
  source: string;
  tokens: {
    token: string;
    coda: string;
    segmentation: string[];
    lemma_msa: string;
    lemma_dialect: string;
    pos: string;
    gloss: string;
  }[];
};

/** A sentence with how it was found; `match_score` is 1 for `id` and `exact`. */
export type SentenceMatch = SentenceView & { match_type: MatchType; match_score: number };

/** An entry of the glossary that a token may stand for. */
export type GlossaryMatch = {
  gloss: string;
  lemma_msa: string;
  lemma_dialect: string;
  pos: string;
  score: number;
  sentence_ids: number[];
};

/** A corpus of annotated sentences in dialect. */
export type DialectCorpus = {
  byId(id: number): SentenceView | undefined;
  /** The sentence that is the text, or holds it, or, where `fuzzy`, is most like it. */
  byText(text: string, options: { fuzzy: boolean }): SentenceMatch | undefined;
  /** The sentence most like the text, however unlike. */
  closest(text: string): { sentence: SentenceView; score: number } | undefined;
  /** What a word may mean, best first, none below the threshold. */
  glossary(word: string, options: { topK: number; threshold: number }): GlossaryMatch[];
};

/** How alike a sentence must be to count as a fuzzy match. */
export const FUZZY = 0.65;

/** Sentences of a glossary entry that are named, at most. */
const MOST_SENTENCES = 20;

/** Makes the corpus; `source` names where its sentences come from. Throws RangeError when two ids become one number. */
export function createDialectCorpus(sentences: readonly DialectSentence[], source: string): DialectCorpus {
  const views = sentences.map(
    (sentence): SentenceView => ({
      sentence_id: sentenceId(sentence.id),
      text: sentence.text,
      dialect: sentence.region,
      source,
      tokens: sentence.tokens.map(({ segments, msa_lemma, dialect_lemma, token, coda, pos, gloss }) => ({
        ...{ token, coda, segmentation: segments, lemma_msa: msa_lemma, lemma_dialect: dialect_lemma, pos, gloss },
      })),
    }),
  );
  const byId = new Map(views.map((view) => [view.sentence_id, view]));
  if (byId.size < views.length) throw new RangeError("two sentences have one number");
  const keys = views.map(({ text }) => keyOf(text));
  const exact = new Map(keys.map((key, place) => [key, place]));
  const texts = createTrigramIndex(keys);
  const entries = glossaryOf(views);
  const forms = createTrigramIndex(entries.map(({ form }) => form));
  const round = (score: number): number => Math.round(score * 1e4) / 1e4;

  return {
    byId: (id) => byId.get(id),
    byText(text, { fuzzy }) {
      const key = keyOf(text);
      if (key === "") return undefined;
      const same = views[exact.get(key) ?? -1];
      if (same !== undefined) return { ...same, match_type: "exact", match_score: 1 };
      const holders = keys.flatMap((each, place) => (` ${each} `.includes(` ${key} `) ? [place] : []));
      const [holder] = holders.sort((a, b) => (keys[a]?.length ?? 0) - (keys[b]?.length ?? 0) || a - b);
      const held = views[holder ?? -1];
      if (held !== undefined) {
        return { ...held, match_type: "substring", match_score: round(key.length / keyOf(held.text).length) };
      }
      const [like] = fuzzy ? texts.like(key, { threshold: FUZZY, limit: 1 }) : [];
      const similar = views[like?.place ?? -1];
      if (similar === undefined || like === undefined) return undefined;
      return { ...similar, match_type: "fuzzy", match_score: round(like.score) };
    },
    closest(text) {
      const [like] = texts.like(keyOf(text), { threshold: 0, limit: 1 });
      const sentence = views[like?.place ?? -1];
      return sentence === undefined || like === undefined ? undefined : { sentence, score: round(like.score) };
    },
    glossary(word, { topK, threshold }) {
      const best = new Map<string, GlossaryMatch>();
      for (const { place, score } of forms.like(normalForm(word), { threshold, limit: 200 })) {
        const entry = entries[place];
        if (entry === undefined) continue;
        const { gloss, lemma_msa, lemma_dialect, pos, sentence_ids } = entry;
        const name = [gloss, lemma_msa, lemma_dialect, pos].join("\t");
        const known = best.get(name);
        const ids = [...new Set([...(known?.sentence_ids ?? []), ...sentence_ids])].slice(0, MOST_SENTENCES);
        const match = { gloss, lemma_msa, lemma_dialect, pos, score: known?.score ?? round(score), sentence_ids: ids };
        best.set(name, match);
      }
      return [...best.values()].slice(0, topK);
    },
  };
}

/** A number for the id of a sentence: of 31 bits, made of the id alone. */
function sentenceId(id: string): number {
  return hashOf(id) >>> 1;
}

/** The words of a text in normal form, one space between. */
function keyOf(text: string): string {
  const words: string[] = [];
  forEachWord(text, (start, end) => words.push(normalForm(text.slice(start, end))));
  return words.join(" ");
}

type Entry = Omit<GlossaryMatch, "score"> & { form: string };

/** One entry for each form of each meaning: as it is written, in CODA, and its lemma. */
function glossaryOf(views: readonly SentenceView[]): Entry[] {
  const entries = new Map<string, Entry>();
  for (const { sentence_id, tokens } of views) {
    for (const { token, coda, lemma_msa, lemma_dialect, pos, gloss } of tokens) {
      for (const form of new Set([token, coda, lemma_dialect].map(normalForm))) {
        if (form === "") continue;
        const key = [form, gloss, lemma_msa, lemma_dialect, pos].join("\t");
        const entry = entries.get(key) ?? { form, gloss, lemma_msa, lemma_dialect, pos, sentence_ids: [] };
        if (!entry.sentence_ids.includes(sentence_id)) entry.sentence_ids.push(sentence_id);
        entries.set(key, entry);
      }
    }
  }
  return [...entries.values()];
}
