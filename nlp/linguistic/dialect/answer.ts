import { tokensOf } from "../tokens.ts";
import type { DialectCorpus, GlossaryMatch, SentenceMatch } from "./corpus.ts";

/** What is asked of the corpus: a sentence by number, by text, or by both. */
export type SentenceQuestion = { id?: number | undefined; text?: string | undefined; fuzzy: boolean };

/** The sentence; or that number and text are two sentences; or that there is none, with the closest one. */
export type SentenceAnswer =
  | { is: "match"; match: SentenceMatch }
  | { is: "conflict" }
  | { is: "none"; closest: { sentence_id: number; text: string; match_score: number } | null };

/** Looks a sentence up. */
export function findSentence(corpus: DialectCorpus, { id, text, fuzzy }: SentenceQuestion): SentenceAnswer {
  const byId = id === undefined ? undefined : corpus.byId(id);
  const byText = text === undefined ? undefined : corpus.byText(text, { fuzzy });
  if (byId !== undefined && text !== undefined && byText?.sentence_id !== byId.sentence_id) return { is: "conflict" };
  if (byId !== undefined) return { is: "match", match: { ...byId, match_type: "id", match_score: 1 } };
  if (id === undefined && byText !== undefined) return { is: "match", match: byText };
  if (id !== undefined && byText !== undefined) return { is: "conflict" };
  const closest = text === undefined ? undefined : corpus.closest(text);
  if (closest === undefined) return { is: "none", closest: null };
  const { sentence_id, text: like } = closest.sentence;
  return { is: "none", closest: { sentence_id, text: like, match_score: closest.score } };
}

/** A word of a text with what it may mean. */
export type GlossaryToken = { token: string; start: number; end: number; matches: GlossaryMatch[] };

/** Looks up every word of a text, signs left out. */
export function glossaryAnswer(
  corpus: DialectCorpus,
  { text, ...options }: { text: string; topK: number; threshold: number },
): GlossaryToken[] {
  return tokensOf(text)
    .filter(({ token }) => /[\p{L}\p{N}]/u.test(token))
    .map(({ token, start, end }) => ({ token, start, end, matches: corpus.glossary(token, options) }));
}
