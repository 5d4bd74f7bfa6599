import { at } from "../../std/index.ts";
import type { WordTerms } from "../../text/index.ts";
import { type AnalysedQuery, analyseSearch } from "./analysed-query.ts";
import { addTerm, frequencyTable, inverseFrequency, type WeightedTerm } from "./bm25.ts";
import { type Conditions, documentsMeeting } from "./conditions.ts";
import { withExactness } from "./exactness.ts";
import type { Numbers } from "./numbers.ts";
import type { Projection } from "./projection.ts";
import { hashForms, SEGMENT_DOCS, type Segment } from "./segment.ts";
import { byRank, type Ranked, Top } from "./top.ts";
import type { KeywordHits, KeywordQuery } from "./types.ts";

/**
 * What a root is worth beside a stem. On the Arabic sets of `eval --task keyword`, 0.5 and 0.7 gain about .012 nDCG@10
 * over none.
 */
const ROOT_WEIGHT = 0.5;

/** The best of a query are compared with its words as written: so many, whatever is asked for, so that pages agree. */
const COMPARED = 100;

const scores = new Float32Array(SEGMENT_DOCS);

/** The documents that answer a query, best first, equal scores by descending id. */
export function search(projection: Projection, numbers: Numbers, query: KeywordQuery): KeywordHits {
  const { title = 0, content = 0 } = query.fields ?? { title: 3, content: 1 };
  const analysed = analyseSearch(query.text);
  const terms = weightedTerms(analysed, projection, numbers, { title, content });
  const masks = masksOf(projection, numbers, query, analysed);
  const titleForms = title > 0 ? analysed.words.map((word) => numbers.form(word)) : [];
  const top = new Top(Math.max(query.limit, COMPARED));
  const entitled: Ranked[] = [];
  projection.segments.forEach((segment, s) => {
    const mask = masks[s];
    const view = scores.subarray(0, segment.forward.count).fill(0);
    for (const term of terms) addTerm(view, segment, term, projection.length / projection.count);
    collect(view, mask, segment, s, top);
    for (const doc of entitledBy(titleForms, segment, projection)) {
      if (mask !== undefined && mask[doc] === 0) continue;
      entitled.push({ score: at(view, doc), id: at(segment.forward.ids, doc), segment: s, doc });
    }
  });
  return columnsOf(rank(top.list(), entitled, analysed.words, projection, numbers).slice(0, query.limit));
}

/** The terms that are looked for, rare ones first. */
function weightedTerms(
  { stems, roots }: AnalysedQuery,
  { documents, count }: Projection,
  numbers: Numbers,
  { title, content }: { title: number; content: number },
): WeightedTerm[] {
  const weighted = (times: ReadonlyMap<string, number>, frequencies: Float64Array): WeightedTerm[] =>
    Array.from(times, ([text, repeated]) => {
      const term = numbers.term(text);
      return { term, weight: repeated * inverseFrequency(count, documents[term] ?? 0), frequencies };
    }).filter(({ term }) => term !== 0);
  return [
    ...weighted(stems, frequencyTable(title, content)),
    ...weighted(roots, frequencyTable(ROOT_WEIGHT * title, ROOT_WEIGHT * content)),
  ].sort((a, b) => at(documents, a.term) - at(documents, b.term) || a.term - b.term);
}

/** What documents each segment's answer is chosen from; undefined for all. */
function masksOf(
  projection: Projection,
  numbers: Numbers,
  { filters = {}, term }: KeywordQuery,
  analysed: AnalysedQuery,
): (Uint8Array | undefined)[] {
  const stemsOf = (words: readonly WordTerms[]): number[] =>
    words.flatMap(({ stems }) => stems.map((stem) => numbers.term(stem)));
  const phraseOf = (words: readonly WordTerms[]) => ({
    forms: words.map((word) => numbers.form(word)),
    stems: stemsOf(words),
  });
  const conditions: Conditions = {
    ...{ filters, term },
    phrases: analysed.phrases.map(phraseOf),
    excludedWords: analysed.excludedWords.map((word) => stemsOf([word])),
    excludedPhrases: analysed.excludedPhrases.map(phraseOf),
  };
  const meeting = (wanted: Conditions) =>
    projection.segments.map((segment) => documentsMeeting(segment, wanted, projection, numbers));
  const masks = meeting(conditions);
  if (analysed.phrases.length === 0 || !analysed.loose) return masks;
  return masks.some((mask) => mask?.includes(1)) ? masks : meeting({ ...conditions, phrases: [] });
}

/** Puts the documents with a score into `top`. */
function collect(view: Float32Array, mask: Uint8Array | undefined, segment: Segment, s: number, top: Top): void {
  const { ids } = segment.forward;
  let least = top.least;
  for (let doc = 0; doc < view.length; doc++) {
    const score = view[doc] ?? 0;
    if (score === 0 || score < least || (mask !== undefined && mask[doc] === 0)) continue;
    top.add(score, ids[doc] ?? 0, s, doc);
    least = top.least;
  }
}

/** The documents whose title is made of these forms, all of them and nothing else. */
function entitledBy(forms: readonly number[], { titles, forward }: Segment, { scratch }: Projection): number[] {
  if (forms.length === 0 || forms.includes(0)) return [];
  const hash = hashForms(forms, 0, forms.length);
  const docs: number[] = [];
  for (let doc = 0; doc < titles.length; doc++) if (titles[doc] === hash) docs.push(doc);
  return docs.filter((doc) => {
    const { content } = scratch.decode(forward, doc);
    return content === forms.length + 1 && forms.every((form, i) => scratch.forms[i + 1] === form);
  });
}

/** The final order: documents entitled as the query, then the others, the best of them by exactness as well. */
function rank(
  ranked: readonly Ranked[],
  entitled: readonly Ranked[],
  words: readonly WordTerms[],
  projection: Projection,
  numbers: Numbers,
): Ranked[] {
  const first = new Set(entitled.map(({ id }) => id));
  const others = ranked.filter(({ id }) => !first.has(id));
  const queryWords = words.map((word) => {
    const stem = numbers.term(word.stems[0] ?? "");
    return {
      form: numbers.form(word),
      stem,
      weight: stem === 0 ? 0 : inverseFrequency(projection.count, at(projection.documents, stem)),
    };
  });
  return withExactness(queryWords, projection, (gainOf) => {
    const compared = (list: readonly Ranked[], above: number) =>
      list
        .map((each) => ({
          ...each,
          score: above + each.score + gainOf(at(projection.segments, each.segment), each.doc),
        }))
        .sort(byRank);
    const best = compared(others.slice(0, COMPARED), 0);
    return [...compared(entitled, best[0]?.score ?? 0), ...best, ...others.slice(COMPARED)];
  });
}

function columnsOf(ranked: readonly Ranked[]): KeywordHits {
  return {
    articleIds: Float64Array.from(ranked, ({ id }) => id),
    scores: Float64Array.from(ranked, ({ score }) => score),
  };
}
