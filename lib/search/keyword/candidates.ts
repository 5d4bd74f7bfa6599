import { at } from "../../std/mod.ts";
import { forEachSearchWord, romanised, soundKey, type WordTerms, wordTerms, wordTermsAt } from "../../text/mod.ts";
import { ARTICLE_FIELDS } from "../filters.ts";
import { type Script, spellingsOf } from "../translate/translate.ts";
import { type AcrossTerms, soundToken, tokenOf } from "./cross-language.ts";
import { analyseSearch } from "./query.ts";
import type { Spelling, TermNumbers } from "./words.ts";
import { answerOf } from "./open.ts";
import { packed, VarintWriter } from "./postings.ts";
import { Projection } from "./projection.ts";
import { allowedAmong, search, translation } from "./search.ts";
import type { KeywordHit, KeywordQuery } from "./types.ts";
import { Vocabulary } from "./vocabulary.ts";

/**
 * A document that an engine proposes, with the forms of its words as {@link analysedText} gives them. One that is
 * proposed again as the same object is ranked sooner.
 */
export type Candidate = { readonly articleId: number; readonly title: string; readonly content: string };

/**
 * What is known of all documents: how many, how many of them in Arabic, their mean length in terms, how many hold a
 * term, and a word of a sound.
 */
export type CollectionStatistics = {
  documents: number;
  inArabic: number;
  meanLength: number;
  withTerm: ReadonlyMap<string, number>;
  withSound: ReadonlyMap<string, number>;
};

/** Stands for the blanks within the form of one character that stands for several words. */
const BLANK = "_";

/**
 * What an engine keeps of a text: the words as written, their stems, roots and sounds, each apart by blanks; `rooted`
 * says of each word whether it has a root.
 */
type AnalysedText = {
  forms: string;
  stems: string;
  roots: string;
  sounds: string;
  terms: number;
  rooted: readonly boolean[];
};

/** Analyses a text for an engine that takes terms as they are. */
export function analysedText(text: string): AnalysedText {
  const forms: string[] = [];
  const stems: string[] = [];
  const roots: string[] = [];
  const sounds = new Set<string>();
  const rooted: boolean[] = [];
  let length = 0;
  forEachSearchWord(text, (start, end) => {
    const terms = wordTermsAt(text, start, end);
    if (terms.form === "") return;
    forms.push(terms.form);
    stems.push(...terms.stems);
    roots.push(...terms.coarse);
    sounds.add(soundToken(terms.form));
    rooted.push(terms.coarse.length > 0);
    length += Math.min(1, terms.stems.length) + Math.min(1, terms.coarse.length);
  });
  return {
    forms: formsText(forms),
    stems: stems.join(" "),
    roots: roots.join(" "),
    sounds: [...sounds].filter((sound) => sound !== "").join(" "),
    terms: length,
    rooted,
  };
}

/** Forms of words as {@link analysedText} has them. */
export function formsText(forms: readonly string[]): string {
  return forms.map((form) => form.replaceAll(" ", BLANK)).join(" ");
}

/** Every term and sound of a query, and of what it is in the other language, that {@link CandidateRanker} asks for. */
export function termsOfQuery(
  text: string,
  across: AcrossTerms,
): { stems: string[]; roots: string[]; sounds: readonly string[] } {
  const { stems, roots, words } = analyseSearch(text);
  return {
    stems: [...new Set([...stems.keys(), ...words.flatMap((word) => word.stems.slice(0, 1)), ...across.stems])],
    roots: [...roots.keys()],
    sounds: across.sounds,
  };
}

/** Forms remembered; all are forgotten when there are more. */
const REMEMBERED = 200_000;

/**
 * Ranks documents that an engine proposes exactly as the embedded index would rank them among all documents. It
 * remembers the words that it has met.
 */
export class CandidateRanker {
  #words = new CandidateWords();

  /**
   * The candidates by BM25, then by words as written and in order, best first. Those that hold none of the query's
   * words are left out. Filters and `term` are the engine's part, and not looked at.
   */
  rank(
    candidates: readonly Candidate[],
    { text, lang, fields, limit, condition }: Pick<KeywordQuery, "text" | "lang" | "fields" | "limit" | "condition">,
    statistics: CollectionStatistics,
  ): KeywordHit[] {
    if (candidates.length === 0) return [];
    const { words, projection } = this.#among(candidates, statistics);
    return answerOf(search(projection, words, { text, lang, fields, limit, condition })).hits;
  }

  /** The likeliest translations of a query's words among those of the candidates. */
  translation(candidates: readonly Candidate[], text: string, statistics: CollectionStatistics): string {
    if (candidates.length === 0) return "";
    const { words, projection } = this.#among(candidates, statistics);
    return translation(projection, words, text);
  }

  /** The candidates as part of all documents. */
  #among(
    candidates: readonly Candidate[],
    { documents, inArabic, meanLength, withTerm, withSound }: CollectionStatistics,
  ): { words: CandidateWords; projection: Projection } {
    const { words, projection } = this.#project(candidates);
    const count = (number: number, frequency: number) => {
      projection.documents[number] = Math.max(frequency, at(projection.documents, number));
    };
    for (const [sound, frequency] of withSound) {
      const alike = words.termsOf(sound).filter((number) => at(projection.documents, number) > 0);
      const held = alike.reduce((sum, number) => sum + at(projection.documents, number), 0);
      // Not all documents that hold one of them are among the candidates: the others hold them in like parts.
      for (const number of alike) count(number, Math.round((at(projection.documents, number) * frequency) / held));
    }
    for (const [term, frequency] of withTerm) {
      const number = words.term(term);
      if (number !== 0) count(number, frequency);
    }
    projection.count = Math.max(documents, candidates.length);
    projection.length = projection.count * meanLength;
    projection.inArabic = Math.min(inArabic, projection.count);
    return { words, projection };
  }

  /** Those of `articleIds` among the candidates that hold the query's phrases and nothing that it excludes. */
  allowed(
    candidates: readonly Candidate[],
    { text, condition }: Pick<KeywordQuery, "text" | "condition">,
    articleIds: readonly number[],
  ): number[] {
    const { words, projection } = this.#project(candidates);
    return allowedAmong(projection, words, { text, condition }, articleIds);
  }

  #project(candidates: readonly Candidate[]): { words: CandidateWords; projection: Projection } {
    if (this.#words.size > REMEMBERED) this.#words = new CandidateWords();
    const words = this.#words;
    const rows = candidates.map((candidate, seq) => ({
      ...{ id: candidate.articleId, seq },
      fields: ARTICLE_FIELDS.map(() => null),
      words: words.document(candidate),
    }));
    const projection = new Projection(words.vocabulary());
    projection.add(rows);
    return { words, projection };
  }
}

/** Numbers the words of candidates. */
class CandidateWords implements TermNumbers {
  readonly #forms = new Map<string, number>();
  readonly #texts = new Map<number, string>();
  readonly #terms = new Map<string, number>();
  /** The number of each word as it stands in a candidate. */
  readonly #words = new Map<string, number>();
  /** The forms of each sound, by {@link soundToken}. */
  readonly #bySound = new Map<string, { form: string; number: number }[]>();
  readonly #vocabulary = new Vocabulary();
  readonly #parts = new VarintWriter();
  readonly #document = new VarintWriter();
  readonly #documents = new WeakMap<Candidate, Uint16Array>();

  get size(): number {
    return this.#words.size;
  }

  form({ form }: Pick<WordTerms, "form">): number {
    return this.#forms.get(form) ?? 0;
  }

  term(text: string): number {
    return this.#terms.get(text) ?? 0;
  }

  text(form: number): string | undefined {
    return this.#texts.get(form);
  }

  spellings(word: string, to: Script): Spelling[] {
    const alike = this.#bySound.get(tokenOf(to, soundKey(word))) ?? [];
    return spellingsOf(
      word,
      alike.map((each) => ({ ...each, sound: romanised(each.form) })),
    );
  }

  /** The stems of all words of a sound. */
  termsOf(sound: string): number[] {
    const forms = this.#bySound.get(sound) ?? [];
    return [...new Set(forms.map(({ number }) => this.#vocabulary.stems[number] ?? 0))];
  }

  /** The words of a document; remembered for as long as its owner keeps it. */
  document(candidate: Candidate): Uint16Array {
    const known = this.#documents.get(candidate);
    if (known !== undefined) return known;
    const document = packed(this.#encode(candidate));
    this.#documents.set(candidate, document);
    return document;
  }

  /** A document as `DocumentEncoder` has it. */
  #encode({ title, content }: Candidate): Uint8Array {
    const titleWords = wordsIn(title);
    this.#document.write(titleWords.length);
    for (const word of titleWords) this.#document.write(this.#number(word));
    for (const word of wordsIn(content)) this.#document.write(this.#number(word));
    return this.#document.take();
  }

  /** The terms of all words so far. */
  vocabulary(): Vocabulary {
    const parts = this.#parts.take();
    if (parts.length > 0) this.#vocabulary.add(this.#vocabulary.forms + 1, parts);
    return this.#vocabulary;
  }

  #number(word: string): number {
    const known = this.#words.get(word);
    if (known !== undefined) return known;
    const terms = wordTerms(word.replaceAll(BLANK, " "));
    const number = this.#forms.get(terms.form) ?? this.#add(terms);
    this.#words.set(word, number);
    return number;
  }

  #add({ form, stems, coarse }: WordTerms): number {
    for (const list of [stems, coarse]) {
      this.#parts.write(list.length);
      for (const text of list) {
        const number = this.#terms.get(text) ?? this.#terms.size + 1;
        this.#terms.set(text, number);
        this.#parts.write(number);
      }
    }
    const number = this.#forms.size + 1;
    this.#forms.set(form, number);
    this.#texts.set(number, form);
    const sound = soundToken(form);
    const alike = this.#bySound.get(sound);
    if (alike !== undefined) alike.push({ form, number });
    else if (sound !== "") this.#bySound.set(sound, [{ form, number }]);
    return number;
  }
}

function wordsIn(forms: string): string[] {
  return forms === "" ? [] : forms.split(" ");
}
