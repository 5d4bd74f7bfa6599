import { statSync } from "node:fs";
import { fileURLToPath, URL } from "node:url";
import { DialectSentence } from "../../contract/lexicon.ts";
import { at, createSlicer } from "../../std/mod.ts";
import { attempt } from "../attempt.ts";
import { hashOf, tokensOf } from "../tokens.ts";
import { readEntries } from "../lexicon-files.ts";
import { createDialectCorpus, type DialectCorpus, importedPath, readImported, type SentenceMatch } from "./corpus.ts";
import { type CorpusSentence, type GlossaryMatch, openDialectWords } from "./glossary.ts";

/** Holds what is asked of the corpus: a sentence by number, by text, or by both. */
export type SentenceQuestion = { id?: number | undefined; text?: string | undefined; fuzzy: boolean };

/** A sentence that was not asked for, and how like it is, from 0 to 1. */
type ClosestSentence = { sentence_id: number; text: string; match_score: number };

/**
 * The sentence; or that number and text are two sentences; or that there is none, with the closest one (null in an
 * empty corpus).
 */
type SentenceAnswer =
  | { is: "match"; match: SentenceMatch }
  | { is: "conflict" }
  | { is: "none"; closest: ClosestSentence | null };

/** Looks a sentence up. With both, number and text must be of one sentence. */
export function findSentence(corpus: DialectCorpus, { id, text, fuzzy }: SentenceQuestion): SentenceAnswer {
  const byId = id === undefined ? undefined : corpus.byId(id);
  if (byId !== undefined) {
    if (text !== undefined && !corpus.matches(byId.sentence_id, text, { fuzzy })) return { is: "conflict" };
    return { is: "match", match: { ...byId, match_type: "id", match_score: 1 } };
  }
  const match = text === undefined ? undefined : corpus.byText(text, { fuzzy });
  if (match !== undefined) return id === undefined ? { is: "match", match } : { is: "conflict" };
  return { is: "none", closest: closestTo(corpus, { id, text }) };
}

/** Returns the sentence most like the text, else that of the nearest number, which is like nothing that was asked. */
function closestTo(corpus: DialectCorpus, { id = 0, text }: Omit<SentenceQuestion, "fuzzy">): ClosestSentence | null {
  const like = text === undefined ? undefined : corpus.closest(text);
  const sentence = like?.sentence ?? corpus.nearestId(id);
  return sentence === undefined
    ? null
    : { sentence_id: sentence.sentence_id, text: sentence.text, match_score: like?.score ?? 0 };
}

/** A word of a text with what it may mean. */
type GlossaryToken = {
  token: string;
  start: number;
  end: number;
  matches: GlossaryMatch[];
  /** Names the dialects that have the word where this one does not. */
  dialects?: readonly string[];
};

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
    const dialects = corpus.otherDialects(token);
    answer.push({ token, start, end, matches, ...(dialects.length > 0 && { dialects }) });
  }
  return answer;
}

const FOLDER = new URL("../../../nlp/lexicon/dialect/", import.meta.url);

/** The corpus that ships, as health and answers call it. */
export const SHIPPED = "isnad-levantine";

/** Returns the sentences in Levantine dialect that ship. Throws when a file is missing or a line has another form. */
export function openShippedCorpus(): DialectCorpus {
  const sentences = readEntries(fileURLToPath(FOLDER), DialectSentence).map(toCorpusSentence);
  const all = { size: sentences.length, at: (place: number) => at(sentences, place) };
  return createDialectCorpus(all, SHIPPED, openDialectWords());
}

/**
 * Returns the corpus to answer from, opened again when another one has been imported: the imported one, else the one
 * that ships. The function throws when the one that is to answer is missing or damaged.
 */
export function openDialectCorpus(dataDir: string | undefined): () => DialectCorpus {
  const path = dataDir === undefined ? undefined : importedPath(dataDir);
  let version: string | undefined;
  let opened: () => DialectCorpus = openShippedCorpus;
  return () => {
    const current = versionOf(path);
    if (current !== version) opened = attempt(() => open(path));
    version = current;
    return opened();
  };
}

function open(path: string | undefined): DialectCorpus {
  const imported = path === undefined ? undefined : readImported(path);
  return imported === undefined ? openShippedCorpus() : createDialectCorpus(imported.sentences, imported.head.corpus);
}

/** Tells which file stands at the path; another one after each import. */
function versionOf(path: string | undefined): string {
  const facts = path === undefined ? undefined : statSync(path, { throwIfNoEntry: false });
  return facts === undefined ? "" : `${facts.ino} ${facts.mtimeMs} ${facts.size}`;
}

/** Returns a sentence of the lexicon as one of a corpus. */
export function toCorpusSentence({ id, text, region, tokens }: DialectSentence): CorpusSentence {
  return {
    sentence_id: sentenceId(id),
    text,
    dialect: region,
    tokens: tokens.map(({ segments, msa_lemma, dialect_lemma, token, coda, pos, gloss }) => ({
      ...{ token, coda, segmentation: segments, lemma_msa: msa_lemma, lemma_dialect: dialect_lemma, pos, gloss },
    })),
  };
}

/** Returns a number for the id of a sentence: of 31 bits, made of the id alone. */
function sentenceId(id: string): number {
  return hashOf(id) >>> 1;
}
