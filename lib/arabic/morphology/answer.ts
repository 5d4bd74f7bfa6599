import { at, createSlicer } from "../../std/mod.ts";
import { type TextToken, tokensOf } from "../tokens.ts";
import type { Candidate } from "./candidates.ts";
import { type Clitic, encliticsOf, guessedProclitics, procliticsOf } from "./clitics.ts";
import { type Lemma, lemmaId, type Lexicon } from "./lexicon.ts";
import { inflect, type Inflection } from "./inflection.ts";
import type { MorphModel } from "./model.ts";
import type { WordRules } from "./rules.ts";
import { patternOf, vowelled } from "./written-forms.ts";

/** Holds what is asked of a text; `inflected`: vowels, case, state and mood, too. */
export type MorphQuestion = { text: string; all: boolean; inflected?: boolean };

/** One reading of a token. Fields that its word does not have are null. */
export type MorphReading = {
  lemma: string;
  lemma_id: number | null;
  /** The universal part of speech. */
  pos: string;
  /** The lexicon's own, finer. */
  pos_lexicon: string;
  root: string | null;
  pattern: string | null;
  stem: string | null;
  proclitics: Clitic[];
  enclitics: Clitic[];
  features: Record<string, string>;
  gloss: string | null;
};

/**
 * A token with its reading in the sentence, whose number it carries; `analyses` are all its readings, best first, where
 * they are asked for.
 */
export type MorphToken = MorphReading &
  Inflection & {
    token: string;
    start: number;
    end: number;
    sentence: number;
    analyses?: (MorphReading & { score: number })[];
  };

/**
 * Names of features in answers, by those of the lexicon: what a word is before what it looks like (أيام is a plural,
 * شمس a feminine).
 */
const FEATURES: readonly (readonly [string, readonly string[], Readonly<Record<string, string>>])[] = [
  ["gender", ["gen", "form_gen"], { m: "masc", f: "fem" }],
  ["number", ["num", "form_num"], { s: "sing", d: "dual", p: "plur" }],
  ["person", ["per"], { "1": "1", "2": "2", "3": "3" }],
  ["aspect", ["asp"], { p: "perf", i: "imp", c: "command" }],
  ["voice", ["vox"], { a: "act", p: "pass" }],
];

type MorphParts = { lexicon: Lexicon; model: MorphModel; rules?: WordRules };

/** Reads a text: its tokens, each with its lemma, part of speech and parts. */
export function morphAnswer(parts: MorphParts, question: MorphQuestion): MorphToken[] {
  return [...readTokens(parts, tokensOf(question.text), question)];
}

/**
 * Returns the same, and gives the event loop its turn between words; rejects with the signal's reason when that aborts.
 * A text of words that are new takes a millisecond for each.
 */
export async function morphInTurns(
  parts: MorphParts,
  question: MorphQuestion,
  signal?: AbortSignal,
): Promise<MorphToken[]> {
  const due = createSlicer();
  const turns = async (): Promise<void> => {
    await due();
    signal?.throwIfAborted();
  };
  const tokens = tokensOf(question.text);
  // The model keeps what it has found out about a word.
  for (const { token } of tokens) {
    parts.model.candidates(wordIn(token));
    await turns();
  }
  const answer: MorphToken[] = [];
  for (const token of readTokens(parts, tokens, question)) {
    answer.push(token);
    await turns();
  }
  return answer;
}

/** Returns the word that is read for a token: a tag is what stands behind its sign. */
const wordIn = (token: string): string => (/^#[^_]+$/u.test(token) ? token.slice(1) : token);

/** Reads the tokens of a text, a sentence when its first token is asked for. */
function* readTokens(
  { lexicon, model, rules }: MorphParts,
  tokens: readonly TextToken[],
  { all, inflected = false }: Omit<MorphQuestion, "text">,
): Generator<MorphToken> {
  for (const [number, sentence] of Map.groupBy(tokens, (token) => token.sentence)) {
    const readings = model.read(sentence.map(({ token }) => wordIn(token)));
    const words = readings.map(({ best }, place) => {
      return { token: at(sentence, place).token, upos: best.upos, analysis: best.candidate.analysis };
    });
    const inflections = inflected && rules !== undefined ? inflect(words, rules) : [];
    for (const [place, { token, start, end }] of sentence.entries()) {
      const { best, candidates } = at(readings, place);
      const chosen = readingOf(lexicon, best.candidate, best.upos);
      const read = { token, start, end, sentence: number, ...chosen, ...inflections[place] };
      if (!all) {
        yield read;
        continue;
      }
      const uposOf = (each: Candidate): string =>
        each.analyses === best.candidate.analyses ? best.upos : model.uposOf(each.pos);
      const analyses = [{ ...chosen, score: 1 }, ...analysesOf(lexicon, candidates, uposOf)];
      yield { ...read, analyses: distinct(analyses) };
    }
  }
}

/** Returns every form that a word can be, the likeliest by itself first. */
function analysesOf(
  lexicon: Lexicon,
  candidates: readonly Candidate[],
  uposOf: (candidate: Candidate) => string,
): (MorphReading & { score: number })[] {
  const lowest = Math.min(...candidates.map(({ cost }) => cost));
  const score = (cost: number): number => Math.round(Math.exp(lowest - cost) * 1e4) / 1e4;
  const each = candidates.flatMap((candidate) => {
    const upos = uposOf(candidate);
    if (candidate.analyses.length === 0)
      return [{ ...readingOf(lexicon, candidate, upos), score: score(candidate.cost) }];
    const cheapest = Math.min(...candidate.analyses.map(({ cost }) => cost));
    return candidate.analyses.map((analysis) => ({
      ...readingOf(lexicon, { ...candidate, analysis }, upos),
      score: score(candidate.cost + analysis.cost - cheapest),
    }));
  });
  return each.sort((a, b) => b.score - a.score);
}

/**
 * Returns the first of those that differ in nothing but their score, or that answers do not tell apart (case, state).
 */
function distinct<T extends MorphReading & { score: number }>(readings: readonly T[]): T[] {
  const byForm = new Map<string, T>();
  for (const reading of readings) {
    const key = JSON.stringify({ ...reading, score: 0 });
    if (!byForm.has(key)) byForm.set(key, reading);
  }
  return [...byForm.values()];
}

function readingOf(lexicon: Lexicon, candidate: Candidate, upos: string): MorphReading {
  const { analysis } = candidate;
  if (analysis === undefined) {
    const none = { lemma_id: null, root: null, pattern: null, stem: null, gloss: null };
    const clitics = { proclitics: guessedProclitics(candidate.before), enclitics: [], features: {} };
    return { lemma: candidate.lemma, pos: upos, pos_lexicon: candidate.pos, ...none, ...clitics };
  }
  const lemma = lexicon.lemma(analysis.lemma.id);
  const form = vowelled(lemma.form);
  return {
    lemma: form,
    lemma_id: lemmaId(lemma),
    pos: upos,
    pos_lexicon: candidate.pos,
    root: rootOf(lemma),
    pattern: patternOf(form, lemma.root) ?? null,
    stem: vowelled(analysis.stem.form),
    proclitics: procliticsOf(analysis.features),
    enclitics: encliticsOf(analysis.features),
    features: featuresOf(analysis.features),
    gloss: lemma.gloss || null,
  };
}

/** Returns the letters of a root with spaces between. */
export function rootOf({ root }: Pick<Lemma, "root">): string | null {
  return root === "" ? null : [...root].join(" ");
}

function featuresOf(features: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(
    FEATURES.flatMap(([name, sources, values]) => {
      const value = sources.map((source) => values[features[source] ?? ""]).find((each) => each !== undefined);
      return value === undefined ? [] : [[name, value]];
    }),
  );
}
