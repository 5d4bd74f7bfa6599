import { createSlicer } from "../../std/mod.ts";
import { tokensOf } from "../tokens.ts";
import type { DialectCorpus, SentenceMatch } from "./corpus.ts";
import type { GlossaryMatch } from "./glossary.ts";

/** What is asked of the corpus: a sentence by number, by text, or by both. */
export type SentenceQuestion = { id?: number | undefined; text?: string | undefined; fuzzy: boolean };

/** The sentence; or that number and text are two sentences; or that there is none, with the closest one. */
export type SentenceAnswer =
  | { is: "match"; match: SentenceMatch }
  | { is: "conflict" }
  | { is: "none"; closest: { sentence_id: number; text: string; match_score: number } | null };

/** Looks a sentence up. With both, number and text must be of one sentence. */
export function findSentence(corpus: DialectCorpus, { id, text, fuzzy }: SentenceQuestion): SentenceAnswer {
  const byId = id === undefined ? undefined : corpus.byId(id);
  if (byId !== undefined) {
    if (text !== undefined && !corpus.matches(byId.sentence_id, text, { fuzzy })) return { is: "conflict" };
    return { is: "match", match: { ...byId, match_type: "id", match_score: 1 } };
  }
  const match = text === undefined ? undefined : corpus.byText(text, { fuzzy });
  if (match !== undefined) return id === undefined ? { is: "match", match } : { is: "conflict" };
  const closest = text === undefined ? undefined : corpus.closest(text);
  if (closest === undefined) return { is: "none", closest: null };
  const { sentence_id, text: like } = closest.sentence;
  return { is: "none", closest: { sentence_id, text: like, match_score: closest.score } };
}

/** A word of a text with what it may mean. */
export type GlossaryToken = { token: string; start: number; end: number; matches: GlossaryMatch[] };

/**
 * Looks up every word of a text, signs left out. Gives the event loop its turn between words; rejects with the signal's
 * reason when that aborts.
 */
export async function glossaryAnswer(
  corpus: DialectCorpus,
  { text, ...options }: { text: string; topK: number; threshold: number },
  signal?: AbortSignal,
): Promise<GlossaryToken[]> {
  const known = new Map<string, GlossaryMatch[]>();
  const due = createSlicer();
  const answer: GlossaryToken[] = [];
  for (const { token, start, end } of tokensOf(text)) {
    if (!/[\p{L}\p{N}]/u.test(token)) continue;
    await due();
    signal?.throwIfAborted();
    const matches = known.get(token) ?? corpus.glossary(token, options);
    known.set(token, matches);
    answer.push({ token, start, end, matches });
  }
  return answer;
}
