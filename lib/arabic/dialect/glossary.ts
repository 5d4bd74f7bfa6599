import { readFileSync } from "node:fs";
import { fileURLToPath, URL } from "node:url";
import { z } from "zod";
import { normalForm } from "../../text/mod.ts";
import { createTrigramIndex } from "./similarity.ts";

/** A word of a sentence of a corpus. */
export const CorpusToken = z.object({
  token: z.string(),
  coda: z.string(),
  segmentation: z.array(z.string()),
  lemma_msa: z.string(),
  lemma_dialect: z.string(),
  pos: z.string(),
  gloss: z.string(),
});

export type CorpusToken = z.output<typeof CorpusToken>;

/** The largest number that a sentence can have: ten digits. */
export const LARGEST_SENTENCE_ID = 9_999_999_999;

/** A sentence of a corpus and its words, in the order of the text. */
export const CorpusSentence = z.object({
  sentence_id: z.int().min(0).max(LARGEST_SENTENCE_ID),
  text: z.string(),
  dialect: z.string(),
  tokens: z.array(CorpusToken),
});

export type CorpusSentence = z.output<typeof CorpusSentence>;

/**
 * Holds what is cut off a word: only what is joined to it, or the persons of a verb, or the gender and number of a
 * noun.
 */
type Cut = "joined" | "verb" | "noun";

/** Holds what a word may be without what was cut; `stem` is in {@link soundForm}, `letters` is how many it lacks. */
type Stem = { stem: string; cut: Cut; hasArticle: boolean; letters: number };

/** Conjunction, negation, preposition or the b of the present tense, demonstrative and article, in their order. */
const BEFORE = /^(?:و|ف|ش)?(?:ما)?(?:[بعكم]?ه?ال|ه?لل|[بعلهحم])?$/;
const ARTICLE = /(?:ال|لل)$/;

/** The dative l, a pronoun, and the sh of negation. */
const AFTER = /^ل?(?:ي|ني|ك|كي|ه|و|ها|نا|كم|كن|هم|هن|ن)?ش?$/;

/** Holds what may be cut off a stem of two letters. */
const CUT_LETTERS = /^[وبلعايكه]*$/;

/** Holds what persons, and what gender and number, add before and behind a stem. */
const VERB = { before: /^[ايتن]$/, after: /^(?:ا|ت|تي|تو|توا|نا|وا|و|ي)$/ };
const NOUN = { before: /^$/, after: /^(?:ه|ات|ين|تين)$/ };

const MAX_AFFIX_LETTERS = 6;

/**
 * Returns a word as Levantine speakers hear it: sounds that fell together are one letter, and so are the open endings.
 */
export function soundForm(word: string): string {
  return normalForm(word)
    .replace(/ث/g, "ت")
    .replace(/[ذظض]/g, "د")
    .replace(/[ؤئء]/g, "")
    .replace(/وا$/, "و")
    .replace(/(?<=..)[اي]$/, "ه");
}

/**
 * Returns the stems that a written word may have, those that lack least first: those of what is joined, then all
 * others.
 */
export function stemsOf(word: string): Stem[] {
  const form = normalForm(word);
  const stems: Stem[] = [];
  for (const [start, end] of parts(form, BEFORE, AFTER, 2)) {
    const text = form.slice(start, end);
    const rest = form.slice(0, start) + form.slice(end);
    if (text.length === 2 && (rest.length > 2 || !CUT_LETTERS.test(rest))) continue;
    const hasArticle = ARTICLE.test(form.slice(0, start));
    const facts = { hasArticle, letters: rest.length };
    // Before a pronoun the feminine ending is t.
    const isFeminine = end < form.length && text.length > 2 && text.endsWith("ت");
    for (const stem of isFeminine ? [text, `${text.slice(0, -1)}ه`] : [text]) {
      stems.push({ stem: soundForm(stem), cut: "joined", ...facts });
      for (const cut of ["verb", "noun"] as const) {
        for (const bare of bareOf(stem, cut)) stems.push({ stem: bare, cut, ...facts });
      }
    }
  }
  return stems.sort((a, b) => Number(b.cut === "joined") - Number(a.cut === "joined") || a.letters - b.letters);
}

/** Returns what a stem may be without what its persons, or its gender and number, add to it, in {@link soundForm}. */
export function bareOf(stem: string, cut: "verb" | "noun"): string[] {
  const { before, after } = cut === "verb" ? VERB : NOUN;
  return [...new Set(parts(stem, before, after, 3).map(([start, end]) => soundForm(stem.slice(start, end))))];
}

/**
 * Finds where the middles of a text begin and end that have nothing, or what is right there, before and behind them.
 */
function parts(text: string, before: RegExp, after: RegExp, least: number): [start: number, end: number][] {
  const middles: [number, number][] = [];
  for (let start = 0; start <= Math.min(MAX_AFFIX_LETTERS, text.length - least); start++) {
    if (start > 0 && !before.test(text.slice(0, start))) continue;
    for (let end = text.length; end >= Math.max(text.length - MAX_AFFIX_LETTERS, start + least); end--) {
      if (end === text.length || after.test(text.slice(end))) middles.push([start, end]);
    }
  }
  return middles;
}

/** An entry of the glossary that a token may stand for. */
export type GlossaryMatch = {
  gloss: string;
  lemma_msa: string;
  lemma_dialect: string;
  pos: string;
  score: number;
  sentence_ids: number[];
};

/** One meaning of the corpus as it is written there: its form, and its form in CODA. */
export type GlossaryEntry = Omit<GlossaryMatch, "score"> & {
  forms: Set<string>;
  stem: string;
  /** Says how many words of the corpus have this meaning. */
  count: number;
};

/** Holds what the words of a corpus mean. */
type Glossary = {
  /** Returns what a word may mean, best first, none below the threshold. */
  lookUp(word: string, options: { topK: number; threshold: number }): GlossaryMatch[];
};

/** Sentences of a glossary entry that are named, at most. */
const MAX_ENTRY_SENTENCES = 20;

/** Entries that are compared by their trigrams, at most. */
const MAX_COMPARED_ENTRIES = 200;

/** Says how alike a word is to an entry that is written so, sounds so, has it as its lemma, or shares its stem. */
const SCORE = { written: 1, sound: 0.95, lemma: 0.95, joined: 0.9, verb: 0.8, noun: 0.8 };

/** Parts of speech whose words have gender and number. */
const NOUNS = new Set(["NOUN", "ADJ", "NUM"]);

/** Makes the glossary of such meanings. */
export function createGlossary(entries: readonly GlossaryEntry[]): Glossary {
  const written = entries.flatMap((entry) => Array.from(entry.forms, (form) => ({ form, entry })));
  const alike = createTrigramIndex(written.map(({ form }) => form));
  const [byForm, bySound, byLemma] = [index(), index(), index()];
  const [byStem, byVerb, byNoun] = [index(), index(), index()];
  for (const { form, entry } of written) {
    add(byForm, form, entry);
    add(bySound, soundForm(form), entry);
  }
  const glossOf = lemmaGlosses(entries);
  for (const entry of entries) {
    add(byLemma, normalForm(entry.lemma_dialect), entry);
    add(byStem, soundForm(entry.stem), entry);
    if (entry.pos === "VERB") for (const bare of bareOf(entry.stem, "verb")) add(byVerb, bare, entry);
    if (NOUNS.has(entry.pos)) for (const bare of bareOf(entry.stem, "noun")) add(byNoun, bare, entry);
  }

  return {
    lookUp(word, { topK, threshold }) {
      const best = new Map<GlossaryEntry, number>();
      const offer = (found: Iterable<GlossaryEntry> | undefined, score: number): void => {
        for (const entry of found ?? []) if (score > (best.get(entry) ?? 0)) best.set(entry, score);
      };
      const form = normalForm(word);
      offer(byForm.get(form), SCORE.written);
      offer(bySound.get(soundForm(word)), SCORE.sound);
      offer(byLemma.get(form), SCORE.lemma);
      for (const { stem, cut, hasArticle } of stemsOf(word)) {
        if (best.size > 0) break;
        const found = (cut === "joined" ? byStem : cut === "verb" ? byVerb : byNoun).get(stem);
        offer(hasArticle ? found?.filter(({ pos }) => pos !== "VERB") : found, SCORE[cut]);
      }
      for (const { place, score } of alike.like(form, { threshold, limit: MAX_COMPARED_ENTRIES })) {
        const near = written[place];
        if (near !== undefined) offer([near.entry], score);
      }
      const sorted = Array.from(best, ([entry, score]) => ({ entry, score: Math.round(score * 1e4) / 1e4 }))
        .filter(({ score }) => score >= threshold)
        .sort((a, b) => b.score - a.score || b.entry.count - a.entry.count);
      const matches = new Map<string, GlossaryMatch>();
      for (const { entry, score } of sorted) {
        const { lemma_msa, lemma_dialect, pos, sentence_ids } = entry;
        // Of another form than was asked for, the gloss is that of the lemma: ناطرك is "waiting for you".
        const gloss = entry.forms.has(form) ? entry.gloss : glossOf(entry);
        const key = [gloss, lemma_msa, lemma_dialect, pos].join("\t");
        if (!matches.has(key)) matches.set(key, { gloss, lemma_msa, lemma_dialect, pos, score, sentence_ids });
        if (matches.size === topK) break;
      }
      return [...matches.values()];
    },
  };
}

/** Returns what tells the gloss of an entry's lemma: that of its most frequent entry in the form of the lemma. */
function lemmaGlosses(entries: readonly GlossaryEntry[]): (entry: GlossaryEntry) => string {
  const keyOf = ({ lemma_dialect, lemma_msa, pos }: GlossaryEntry): string => `${lemma_dialect}\t${lemma_msa}\t${pos}`;
  const best = new Map<string, GlossaryEntry>();
  for (const entry of entries) {
    if (!entry.forms.has(normalForm(entry.lemma_dialect))) continue;
    const known = best.get(keyOf(entry));
    if (known === undefined || entry.count > known.count) best.set(keyOf(entry), entry);
  }
  return (entry) => (best.get(keyOf(entry)) ?? entry).gloss;
}

/** Adds what the words of a sentence mean, one entry a meaning. */
export function addWords(meanings: Map<string, GlossaryEntry>, { sentence_id, tokens }: CorpusSentence): void {
  for (const word of tokens) {
    const { token, coda, lemma_msa, lemma_dialect, pos, gloss } = word;
    const stem = normalForm(stemOf(word));
    const key = [stem, gloss, lemma_msa, lemma_dialect, pos].join("\t");
    const entry = meanings.get(key) ?? {
      ...{ gloss, lemma_msa, lemma_dialect, pos, stem, sentence_ids: [], forms: new Set(), count: 0 },
    };
    entry.count++;
    for (const form of [token, coda].map(normalForm)) if (form !== "") entry.forms.add(form);
    if (entry.sentence_ids.length < MAX_ENTRY_SENTENCES && entry.sentence_ids.at(-1) !== sentence_id) {
      entry.sentence_ids.push(sentence_id);
    }
    meanings.set(key, entry);
  }
}

/** Returns the longest part of a word, which carries its meaning; the word where its parts are not told. */
function stemOf({ coda, segmentation }: CorpusToken): string {
  return segmentation.reduce((longest, part) => (part.length > longest.length ? part : longest), "") || coda;
}

const index = (): Map<string, GlossaryEntry[]> => new Map();

function add(to: Map<string, GlossaryEntry[]>, key: string, entry: GlossaryEntry): void {
  const list = to.get(key);
  if (list === undefined) to.set(key, [entry]);
  else list.push(entry);
}

const FUNCTION_WORDS = new URL("../../../nlp/lexicon/dialect-words.tsv", import.meta.url);
const REGIONS = new URL("../../../nlp/lexicon/regions/words.tsv", import.meta.url);

/** Words beside a corpus: function words with their spellings, and words that only other dialects have. */
export type DialectWords = {
  entries: readonly GlossaryEntry[];
  /** Returns the other dialects that a word is of, in normal form; none for one that this dialect, or MSA, has. */
  foreign(word: string): readonly string[];
};

/** The dialect of the corpus that ships, and the standard that all share. */
const SHARED_DIALECTS: ReadonlySet<string> = new Set(["levantine", "msa"]);

const linesOf = (url: URL): string[][] =>
  readFileSync(fileURLToPath(url), "utf8")
    .trim()
    .split("\n")
    .map((line) => line.split("\t"));

/** Opens the words that ship. Throws when a file cannot be read. */
export function openDialectWords(): DialectWords {
  const dialects = new Map<string, Set<string>>();
  for (const [dialect = "", word = ""] of linesOf(REGIONS)) {
    const form = normalForm(word);
    dialects.set(form, (dialects.get(form) ?? new Set()).add(dialect));
  }
  const entries = linesOf(FUNCTION_WORDS).map(functionWord);
  const own = new Set(entries.flatMap(({ forms }) => [...forms]));
  return {
    entries,
    foreign(word) {
      const form = normalForm(word);
      const all = [...(dialects.get(form) ?? [])];
      return own.has(form) || all.some((each) => SHARED_DIALECTS.has(each)) ? [] : all;
    },
  };
}

/** Returns what a line says: spellings, MSA lemma, dialect lemma, part of speech, gloss. */
function functionWord([
  spellings = "",
  lemma_msa = "",
  lemma_dialect = "",
  pos = "",
  gloss = "",
]: string[]): GlossaryEntry {
  const forms = [lemma_dialect, ...spellings.split(" ")].map((each) => normalForm(each.replaceAll("_", " ")));
  return {
    ...{ gloss, lemma_msa, lemma_dialect, pos, sentence_ids: [], count: 0 },
    ...{ stem: normalForm(lemma_dialect), forms: new Set(forms.filter((form) => form !== "" && !form.includes(" "))) },
  };
}
