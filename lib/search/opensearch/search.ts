import { z } from "zod";
import { at } from "../../std/index.ts";
import { acrossTerms } from "../keyword/across.ts";
import { type AnalysedQuery, analyseSearch } from "../keyword/analysed-query.ts";
import {
  type Candidate,
  CandidateRanker,
  type CollectionStatistics,
  formsText,
  termsOfQuery,
} from "../keyword/candidates.ts";
import type { KeywordHit, KeywordQuery } from "../keyword/types.ts";
import type { OpenSearch } from "./client.ts";
import { entitledKey } from "./document.ts";
import { acrossClause, type Clause, conditionClauses, wordClause } from "./query.ts";
import { multiSearch, SearchAnswer } from "./reads.ts";

/** The best documents are ranked anew by our own measure: so many, whatever is asked for, so that pages agree. */
const CANDIDATES = 120;
/** Documents whose title is the query, at most. */
const ENTITLED = 20;
/** How long the mean length of documents is taken to stay as it is, in milliseconds. */
const MEAN_MS = 60_000;

const Scored = z.object({
  sort: z.tuple([z.number(), z.number()]),
  _source: z.object({ ft: z.string(), fc: z.string() }).optional(),
});
const Bucket = z.object({ doc_count: z.number() });
const Answer = SearchAnswer.extend({
  hits: z.object({ total: z.object({ value: z.number() }).optional(), hits: z.array(Scored) }).optional(),
  aggregations: z
    .object({
      withTerm: z.object({ buckets: z.array(Bucket) }).optional(),
      inArabic: Bucket.optional(),
      length: z.object({ value: z.number().nullable() }).optional(),
    })
    .optional(),
});
type Answer = z.output<typeof Answer>;

const NONE: Clause = { match_none: {} };

/** Searches an index of articles by word. */
export class KeywordSearch {
  readonly #search: OpenSearch;
  readonly #index: string;
  readonly #tiers: () => Promise<ReadonlyMap<string, number>>;
  readonly #ranker = new CandidateRanker();
  #mean: { length: number; at: number } | undefined;

  constructor({
    search,
    index,
    tiers,
  }: {
    search: OpenSearch;
    index: string;
    tiers: () => Promise<ReadonlyMap<string, number>>;
  }) {
    this.#search = search;
    this.#index = index;
    this.#tiers = tiers;
  }

  /**
   * The cluster's best by BM25, the first of them ranked anew as the embedded index does; the scores are on the scale
   * of that one.
   */
  async search(query: KeywordQuery): Promise<KeywordHit[]> {
    const analysed = analyseSearch(query.text);
    const words = wordClause(analysed, query.fields);
    if (words === undefined) return [];
    const hits = await this.#find(query, analysed, words);
    if (hits.length > 0 || analysed.phrases.length === 0 || !analysed.loose) return hits;
    return await this.#find(query, { ...analysed, phrases: [] }, words);
  }

  /** Those of `articleIds` that an answer to the query may hold, in their order. */
  async allowed(query: Omit<KeywordQuery, "limit">, articleIds: readonly number[]): Promise<number[]> {
    if (articleIds.length === 0) return [];
    const analysed = analyseSearch(query.text);
    const among = async (which: AnalysedQuery): Promise<number[]> => {
      const conditions = await conditionClauses(query, which, this.#sourcesOf);
      const bool = { ...conditions, filter: [...conditions.filter, { terms: { id: articleIds } }] };
      const [answer] = await this.#ask([ranked({ bool }, articleIds.length)]);
      const present = new Set(idsOf(answer));
      return articleIds.filter((id) => present.has(id));
    };
    if (analysed.phrases.length === 0 || !analysed.loose) return await among(analysed);
    const { filter, must_not } = await conditionClauses(query, analysed, this.#sourcesOf);
    const [any] = await this.#ask([ranked({ bool: { filter, must_not } }, 1)]);
    return await among(idsOf(any).length > 0 ? analysed : { ...analysed, phrases: [] });
  }

  async #find(query: KeywordQuery, analysed: AnalysedQuery, words: Clause): Promise<KeywordHit[]> {
    const conditions = await conditionClauses(query, analysed, this.#sourcesOf);
    const across = acrossTerms(query.text);
    const terms = termsOfQuery(query.text, across);
    const translated = acrossClause(across);
    const inTitle = (query.fields?.title ?? 3) > 0;
    const entitled = { term: { entitled: entitledKey(formsText(analysed.words.map(({ form }) => form))) } };
    const matching = { bool: { ...conditions, must: [words] } };
    const [best, titled, others, counts, all] = await this.#ask([
      ranked(matching, CANDIDATES, true),
      ranked({ bool: { ...conditions, filter: [...conditions.filter, entitled] } }, inTitle ? ENTITLED : 0, true),
      ranked({ bool: { ...conditions, must: [translated ?? NONE] } }, translated === undefined ? 0 : CANDIDATES, true),
      this.#statistics(terms),
      ranked(matching, query.limit > CANDIDATES ? query.limit : 0),
    ]);
    const proposed = [best, titled, others].flatMap(candidatesOf);
    const candidates = new Map(proposed.map((each) => [each.articleId, each]));
    if (candidates.size === 0) return [];
    const statistics = this.#read(counts, terms);
    const first = this.#ranker.rank([...candidates.values()], { ...query, limit: candidates.size }, statistics);
    return withTail(first, rowsOf(all), query.limit);
  }

  /** The likeliest translations of a query's words, for documents in the other language; empty where there are none. */
  async translation(text: string): Promise<string> {
    const across = acrossTerms(text);
    const clause = acrossClause(across);
    if (clause === undefined) return "";
    const terms = termsOfQuery(text, across);
    const [others, counts] = await this.#ask([ranked(clause, CANDIDATES, true), this.#statistics(terms)]);
    return this.#ranker.translation(candidatesOf(others), text, this.#read(counts, terms));
  }

  readonly #sourcesOf = async (tier: number): Promise<string[]> => {
    return [...(await this.#tiers())].flatMap(([source, its]) => (its === tier ? [source] : []));
  };

  #statistics({ stems, roots, sounds }: ReturnType<typeof termsOfQuery>): Clause {
    const filters = [
      ...stems.map((stem) => ({ term: { all: stem } })),
      ...roots.map((root) => ({ term: { allr: root } })),
      ...sounds.map((sound) => ({ term: { sounds: sound } })),
    ];
    const isStale = this.#mean === undefined || performance.now() - this.#mean.at > MEAN_MS;
    return {
      ...{ size: 0, track_total_hits: true },
      aggs: {
        ...{ withTerm: { filters: { filters } }, inArabic: { filter: { term: { arabic: true } } } },
        ...(isStale && { length: { avg: { field: "length" } } }),
      },
    };
  }

  #read(answer: Answer, { stems, roots, sounds }: ReturnType<typeof termsOfQuery>): CollectionStatistics {
    const mean = answer.aggregations?.length?.value;
    if (mean !== undefined && mean !== null) this.#mean = { length: mean, at: performance.now() };
    const buckets = answer.aggregations?.withTerm?.buckets ?? [];
    const terms = [...stems, ...roots];
    return {
      documents: answer.hits?.total?.value ?? 0,
      inArabic: answer.aggregations?.inArabic?.doc_count ?? 0,
      meanLength: this.#mean?.length ?? 1,
      withTerm: new Map(terms.map((term, i) => [term, at(buckets, i).doc_count])),
      withSound: new Map(sounds.map((sound, i) => [sound, at(buckets, terms.length + i).doc_count])),
    };
  }

  async #ask<const T extends readonly Clause[]>(bodies: T): Promise<{ [K in keyof T]: Answer }> {
    const header = { search_type: "dfs_query_then_fetch" };
    const responses = await multiSearch(this.#search, { index: this.#index, answer: Answer, header }, bodies);
    return bodies.map((_, i) => at(responses, i)) as { [K in keyof T]: Answer };
  }
}

/** The best documents for a query, equal ones by descending id, `withWords` or without. */
function ranked(query: Clause, size: number, withWords = false): Clause {
  const sort = [{ _score: "desc" }, { id: "desc" }];
  const shown = withWords ? { _source: true } : { _source: false, stored_fields: "_none_" };
  return { query, size, sort, ...shown, track_total_hits: false };
}

function candidatesOf(answer: Answer): Candidate[] {
  return (answer.hits?.hits ?? []).flatMap(({ sort: [, articleId], _source: words }) =>
    words === undefined ? [] : [{ articleId, title: words.ft, content: words.fc }],
  );
}

function rowsOf(answer: Answer): KeywordHit[] {
  return (answer.hits?.hits ?? []).map(({ sort: [score, articleId] }) => ({ articleId, score }));
}

function idsOf(answer: Answer): number[] {
  return rowsOf(answer).map(({ articleId }) => articleId);
}

/** The documents that were ranked, then the others in the cluster's order, their scores on the same scale. */
function withTail(first: readonly KeywordHit[], scored: readonly KeywordHit[], limit: number): KeywordHit[] {
  const known = new Set(first.map(({ articleId }) => articleId));
  const rest = scored.slice(CANDIDATES).filter(({ articleId }) => !known.has(articleId));
  const [last, next] = [first.at(-1), rest[0]];
  const scale = last === undefined || next === undefined || next.score === 0 ? 1 : last.score / next.score;
  return [...first, ...rest.map(({ articleId, score }) => ({ articleId, score: score * scale }))].slice(0, limit);
}
