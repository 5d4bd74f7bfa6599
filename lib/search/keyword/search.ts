import { at } from "../../std/mod.ts";
import { sharedDictionary, type WordTerms } from "../../text/mod.ts";
import { scriptOf } from "../translate/translate.ts";
import { documentsAllowed } from "./condition.ts";
import { asText, documentsIn, parted, rareFirst, translatedQuery } from "./cross-language.ts";
import { documentsEntitled, documentsTitled, matched, shareWithin, withExactness } from "./exact-match.ts";
import { documentsOf, type Segment } from "./postings.ts";
import type { Projection } from "./projection.ts";
import { type AnalysedQuery, analyseSearch, weightedTerms, weightedWords, wordsOf } from "./query.ts";
import { guessedGroups, type ReadQuery, readQuery, withForms } from "./reading.ts";
import { evaluate, inverseFrequency, scoreOf, type TermGroup, type WeightedTerm } from "./score.ts";
import { Top } from "./top.ts";
import type { KeywordHits, KeywordQuery, ReadableQuery } from "./types.ts";
import type { TermNumbers } from "./words.ts";

/** Words that may stand between those of a query; between their translations, which stand in another order. */
const WORDS_BETWEEN = 2;
const TRANSLATIONS_BETWEEN = 10;

/** A hit by where it is. */
type Place = { segment: number; doc: number };

/** A query as it is looked for: its words, and groups of terms in the other language by script. */
type Sought = {
  words: readonly WordTerms[];
  across: ReadonlyMap<"arabic" | "latin", readonly TermGroup[]>;
};

/**
 * Returns how much of what a query says each document says in one place, from 0 to 1: the share of its words, or of
 * their translations, by how rare they are. A word that no document holds counts as the rarest of all, so a query
 * without meaning has no support anywhere.
 */
function supportsOf(
  { words, across }: Sought,
  places: readonly (Place | undefined)[],
  projection: Projection,
  numbers: TermNumbers,
): number[] {
  const { segments, documents, count, scratch, vocabulary } = projection;
  const telling = words.some(({ stop }) => !stop) ? words.filter(({ stop }) => !stop) : words;
  const own = new Weights();
  for (const { stems } of telling) {
    const stem = numbers.term(stems[0] ?? "");
    own.add([stem], inverseFrequency(count, documents[stem] ?? 0));
  }
  const translated = new Map(
    Array.from(across, ([script, groups]) => {
      const weights = new Weights();
      for (const group of groups) weights.add(termsOf(group), group.weight);
      return [script, { weights, share: Math.min(1, groups.length / Math.max(1, telling.length)) }];
    }),
  );
  return places.map((place) => {
    if (place === undefined) return 0;
    const segment = at(segments, place.segment);
    const { content, end } = scratch.decode(segment.forward, place.doc);
    const stemAt = (word: number) => vocabulary.stems[at(scratch.forms, word)] ?? 0;
    const held = (weights: Weights, between: number): number => {
      const keyAt = (word: number) => weights.keyOf(stemAt(word));
      const width = telling.length + between;
      const title = shareWithin(weights.byKey, keyAt, { from: 1, to: content, width: content });
      return Math.max(title, shareWithin(weights.byKey, keyAt, { from: content, to: end, width }));
    };
    const other = translated.get(place.doc < segment.latin ? "arabic" : "latin");
    const said = other === undefined ? 0 : other.share * held(other.weights, TRANSLATIONS_BETWEEN);
    return Math.max(held(own, WORDS_BETWEEN), said);
  });
}

function termsOf({ terms }: TermGroup): number[] {
  return terms.map(({ term }) => term);
}

/** Weights of words, each under a number of its own, whichever of its terms stands for it. */
class Weights {
  readonly byKey = new Map<number, number>();
  readonly #keys = new Map<number, number>();

  /** Adds a word that any of these terms stands for; 0 is none. */
  add(terms: readonly number[], weight: number): void {
    const key = this.byKey.size + 1;
    this.byKey.set(key, weight);
    for (const term of terms) if (term !== 0 && !this.#keys.has(term)) this.#keys.set(term, key);
  }

  /** Returns the number of the word that a term stands for; 0 for none. */
  keyOf(term: number): number {
    return this.#keys.get(term) ?? 0;
  }
}

/** The best of a query are compared with its words as written: so many, whatever is asked for, so that pages agree. */
const COMPARED = 100;

/** Words that one of a query may be read as and that are marked in a text. */
const MAX_ALTERNATIVES = 12;

/** What the fields weigh where a query does not say. */
const FIELDS = { title: 3, content: 1 };

/** A document with its score, and where it is. */
type Hit = { score: number; id: number; segment: number; doc: number };

/** Holds what a query looks for, and in which documents. */
type Plan = {
  read: ReadQuery;
  analysed: AnalysedQuery;
  weighted: { terms: readonly WeightedTerm[]; meanLength: number };
  parts: readonly PlannedPart[];
  /** For each segment the documents that an answer may hold; undefined for all. */
  allowed: readonly (Uint8Array | undefined)[];
};

/** Holds documents of a segment with the groups of terms that they are searched for beside the query's own terms. */
type PlannedPart = ReturnType<typeof parted>[number] & {
  segment: Segment;
  place: number;
  mask: Uint8Array | undefined;
};

/** Returns what a query looks for: what has none of it is no answer, and what has some and is allowed is one. */
export function planned(projection: Projection, numbers: TermNumbers, query: Omit<KeywordQuery, "limit">): Plan {
  const { title = 0, content = 0 } = query.fields ?? FIELDS;
  const read = readQuery(query, projection, numbers);
  const analysed = analyseSearch(read.text);
  const allowed = documentsAllowed(projection, numbers, query, analysed);
  const weighted = {
    terms: weightedTerms(analysed, projection, numbers, { title, content }),
    meanLength: projection.length / projection.count,
  };
  const across = rareFirst(translatedQuery(read.text, projection, numbers, { title, content }));
  const guessed = guessedGroups(read.guessed, projection, { title, content });
  const parts = projection.segments.flatMap((segment, place) =>
    parted(segment, across).map((part) => {
      return { ...part, groups: [...guessed, ...part.groups], segment, place, mask: allowed[place] };
    }),
  );
  return { read, analysed, weighted, parts, allowed };
}

/** The documents that answer a query, best first, equal scores by descending id. */
export function search(projection: Projection, numbers: TermNumbers, query: KeywordQuery): KeywordHits {
  const { title = 0, content = 0 } = query.fields ?? FIELDS;
  const { read, analysed, weighted, parts, allowed } = planned(projection, numbers, query);
  const top = new Top(Math.max(query.limit, COMPARED));
  // Those that are searched for fewer words first: the better the best so far, the less the others must be searched.
  for (const part of parts.toSorted((a, b) => a.groups.length - b.groups.length)) {
    evaluate({ ...weighted, groups: part.groups }, part, top);
  }
  const words = withForms(weightedWords(analysed.words, projection, numbers), read.guessed);
  const forms = title > 0 ? words.map(({ form }) => form) : [];
  const above = (docsOf: (segment: Segment) => readonly number[], known: ReadonlySet<number>): Hit[] =>
    projection.segments.flatMap((segment, s) =>
      docsOf(segment)
        .filter((doc) => allowed[s]?.[doc] !== 0)
        .map((doc) => ({ score: scoreOf(weighted, segment, doc), id: at(segment.forward.ids, doc), segment: s, doc }))
        .filter(({ id }) => !known.has(id)),
    );
  const entitled = above((segment) => documentsEntitled(forms, segment, projection.scratch), new Set());
  const titled = above(titledBy(read, analysed, numbers, title), new Set(entitled.map(({ id }) => id)));

  const { ids, scores, segments, docs } = top.ranking();
  const isEntitled = new Set([...entitled, ...titled].map(({ id }) => id));
  const best: Hit[] = [];
  let compared = 0;
  for (; compared < ids.length && best.length < COMPARED; compared++) {
    const id = at(ids, compared);
    if (isEntitled.has(id)) continue;
    best.push({ id, score: at(scores, compared), segment: at(segments, compared), doc: at(docs, compared) });
  }
  const first = withExactness(words, projection, { title: title > 0, content: content > 0 }, (gainOf) => {
    const ranked = (hits: Hit[], above: number): Hit[] => {
      for (const hit of hits) {
        hit.score = above + hit.score + gainOf(at(projection.segments, hit.segment), hit.doc);
      }
      return hits.sort((a, b) => b.score - a.score || b.id - a.id);
    };
    const others = ranked(best, 0);
    const whole = ranked(titled, others[0]?.score ?? 0);
    return [...ranked(entitled, (whole[0] ?? others[0])?.score ?? 0), ...whole, ...others];
  });
  const articleIds = new Float64Array(Math.min(query.limit, first.length + ids.length - compared));
  const hitScores = new Float64Array(articleIds.length);
  let count = 0;
  for (; count < articleIds.length && count < first.length; count++) {
    const { id, score } = at(first, count);
    articleIds[count] = id;
    hitScores[count] = score;
  }
  for (let i = compared; i < ids.length && count < articleIds.length; i++) {
    const id = ids[i] ?? 0;
    if (isEntitled.size > 0 && isEntitled.has(id)) continue;
    articleIds[count] = id;
    hitScores[count++] = scores[i] ?? 0;
  }
  const [head] = first;
  return {
    articleIds: articleIds.subarray(0, count),
    scores: hitScores.subarray(0, count),
    corrections: read.corrections,
    alternatives: read.guessed.flatMap(({ guesses }) => guesses.slice(0, MAX_ALTERNATIVES).map(({ text }) => text)),
    ...(head && { matched: matched(words, projection, at(projection.segments, head.segment), head.doc) }),
  };
}

/**
 * Returns what finds the documents whose title holds all words of a query, one of which stands for what it was read as:
 * that says more than how often a text holds any of it.
 */
function titledBy(
  { guessed }: ReadQuery,
  { words }: AnalysedQuery,
  numbers: TermNumbers,
  title: number,
): (segment: Segment) => readonly number[] {
  const [read, ...more] = guessed.filter(({ forms, isHeld }) => forms !== undefined || !isHeld);
  if (title === 0 || read === undefined || more.length > 0) return () => [];
  const readAs = read.guesses.map(({ stem }) => stem);
  const stems = words.filter(({ stop }) => !stop).map((word) => numbers.term(word.stems[0] ?? ""));
  const others = stems.filter((stem) => stem !== readAs[0]);
  return others.length === 0 ? () => [] : (segment) => documentsTitled(segment, others, readAs);
}

/** Where fewer of the documents are in the other language, a query's vector is not moved towards them. */
const LEAST_OTHERS = 0.05;

/** The likeliest translations of a query's words, for documents in the other language; empty where these are few. */
export function translation(projection: Projection, numbers: TermNumbers, text: string): string {
  const { arabic, latin } = documentsIn(projection);
  const others = scriptOf(text) === "arabic" ? latin : arabic;
  if (others < LEAST_OTHERS * projection.count) return "";
  return asText(translatedQuery(text, projection, numbers, FIELDS), projection, numbers);
}

/** Tells whether a document holds any word of a text, stop words aside, or the dictionary has one. */
export function hasKnownWord({ documents }: Projection, numbers: TermNumbers, text: string): boolean {
  return wordsOf(text).some(({ stop, stems }) => {
    if (stop) return false;
    return stems.some((stem) => {
      return (documents[numbers.term(stem)] ?? 0) > 0 || sharedDictionary().options(stem).length > 0;
    });
  });
}

/** Returns how much of what a query says each of these articles says, from 0 to 1; see {@link supportsOf}. */
export function supportsAmong(
  projection: Projection,
  numbers: TermNumbers,
  query: ReadableQuery,
  articleIds: readonly number[],
): number[] {
  const { text } = readQuery(query, projection, numbers);
  const across = translatedQuery(text, projection, numbers, FIELDS);
  const places = articleIds.map((id) => placeOf(projection, id));
  return supportsOf({ words: analyseSearch(text).words, across }, places, projection, numbers);
}

function placeOf({ segments }: Projection, id: number): Place | undefined {
  for (const [segment, each] of segments.entries()) {
    const doc = documentsOf(each, [id]).find((doc) => each.live[doc] === 1);
    if (doc !== undefined) return { segment, doc };
  }
  return undefined;
}

/**
 * Returns those of `articleIds` that hold none of the words that the last one of a query may become; none where it is
 * not only begun. Articles in the other script are none of them: they say it otherwise.
 */
export function lackingBegun(
  projection: Projection,
  numbers: TermNumbers,
  query: ReadableQuery,
  articleIds: readonly number[],
): number[] {
  const { segments, scratch, vocabulary } = projection;
  const begun = readQuery(query, projection, numbers).guessed.find(({ forms }) => forms !== undefined);
  if (begun?.forms === undefined) return [];
  const isArabic = scriptOf(begun.guesses[0]?.text ?? "") === "arabic";
  const marks = new Uint8Array(vocabulary.forms + 1);
  for (const form of begun.forms) marks[form] = 1;
  return articleIds.filter((id) => {
    const place = placeOf(projection, id);
    if (place === undefined) return false;
    const { forward, latin } = at(segments, place.segment);
    if (place.doc < latin !== isArabic) return false;
    return scratch.decodeMarked(forward, place.doc, { marks, titleAlone: false }).count === 0;
  });
}

/** Those of `articleIds` that an answer to the query may hold, in their order. */
export function allowedAmong(
  projection: Projection,
  numbers: TermNumbers,
  query: Omit<KeywordQuery, "limit">,
  articleIds: readonly number[],
): number[] {
  const masks = documentsAllowed(projection, numbers, query, analyseSearch(query.text));
  return articleIds.filter((id) =>
    projection.segments.some((segment, s) => documentsOf(segment, [id]).some((doc) => masks[s]?.[doc] !== 0)),
  );
}
