import { z } from "zod";
import { at, BoundedMap } from "../../std/mod.ts";
import { type AcrossTerms, acrossTerms } from "../keyword/cross-language.ts";
import { type AnalysedQuery, analyseSearch } from "../keyword/query.ts";
import {
  type Candidate,
  CandidateRanker,
  type CollectionStatistics,
  formsText,
  termsOfQuery,
} from "../keyword/candidates.ts";
import type { KeywordHit, KeywordQuery } from "../keyword/types.ts";
import { multiSearch, type OpenSearch, SearchAnswer } from "./client.ts";
import { type Clause, entitledKey } from "./mapping.ts";
import { acrossClause, conditionClauses, wordClause } from "./query.ts";

/** The best documents are ranked anew by our own measure: so many, whatever is asked for, so that pages agree. */
const CANDIDATES = 120;
/** Documents whose title is the query, at most. */
const ENTITLED = 20;
/** Says how long the mean length of documents is taken to stay as it is, in milliseconds. */
const MEAN_MS = 60_000;

/** Characters of documents that are remembered, of those that searches proposed last. */
const REMEMBERED = 32_000_000;

/** A document that a search proposes: its score, article, and the number of its last change. */
const Scored = z.object({ _index: z.string(), sort: z.tuple([z.number(), z.number(), z.number()]) });
type Scored = z.output<typeof Scored>;
const Texts = SearchAnswer.extend({
  hits: z
    .object({ hits: z.array(Scored.extend({ _source: z.object({ ft: z.string(), fc: z.string() }) })) })
    .optional(),
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
type Conditions = Awaited<ReturnType<typeof conditionClauses>>;

/** Searches an index of articles by word. */
export class KeywordSearch {
  readonly #search: OpenSearch;
  readonly #index: string;
  readonly #tiers: () => Promise<ReadonlyMap<string, number>>;
  readonly #ranker = new CandidateRanker();
  /** Documents by index, article and last change: to read their texts costs more than to find them. */
  readonly #documents = new BoundedMap<string, Candidate>(REMEMBERED, {
    weigh: ({ title, content }) => title.length + content.length,
  });
  /** Holds what is being asked for the translation of a query: a search for it by both branches needs the same. */
  readonly #translations = new Map<string, Promise<readonly [Answer, Answer]>>();
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
    const isStrict = analysed.phrases.length === 0 || !analysed.loose || query.condition !== undefined;
    if (hits.length > 0 || isStrict) return hits;
    return await this.#find(query, { ...analysed, phrases: [] }, words);
  }

  /** Those of `articleIds` that an answer to the query may hold, in their order. */
  async allowed(query: Omit<KeywordQuery, "limit">, articleIds: readonly number[]): Promise<number[]> {
    if (articleIds.length === 0) return [];
    const analysed = analyseSearch(query.text);
    const among = async (which: AnalysedQuery): Promise<number[]> => {
      const conditions = await conditionClauses(query, which, this.sourcesOf);
      const bool = { ...conditions, filter: [...conditions.filter, { terms: { id: articleIds } }] };
      const [answer] = await this.#ask([ranked({ bool }, articleIds.length)]);
      const present = new Set(idsOf(answer));
      return articleIds.filter((id) => present.has(id));
    };
    if (analysed.phrases.length === 0 || !analysed.loose || query.condition !== undefined) return await among(analysed);
    const { filter, must_not } = await conditionClauses(query, analysed, this.sourcesOf);
    const [any] = await this.#ask([ranked({ bool: { filter, must_not } }, 1)]);
    return await among(idsOf(any).length > 0 ? analysed : { ...analysed, phrases: [] });
  }

  async #find(query: KeywordQuery, analysed: AnalysedQuery, words: Clause): Promise<KeywordHit[]> {
    const conditions = await conditionClauses(query, analysed, this.sourcesOf);
    const across = acrossTerms(query.text);
    const terms = termsOfQuery(query.text, across);
    const isOpen = conditions.filter.length === 0 && conditions.must_not.length === 0;
    const shared = isOpen ? this.#translations.get(query.text) : undefined;
    const inTitle = (query.fields?.title ?? 3) > 0;
    const entitled = { term: { entitled: entitledKey(formsText(analysed.words.map(({ form }) => form))) } };
    const own = [
      ranked({ bool: { ...conditions, must: [words] } }, Math.max(query.limit, CANDIDATES)),
      ranked({ bool: { ...conditions, filter: [...conditions.filter, entitled] } }, inTitle ? ENTITLED : 0),
    ] as const;
    const [all, titled, others, counts] =
      shared === undefined
        ? await this.#ask([...own, translationsOf(across, conditions), this.#statistics(terms)])
        : [...(await this.#ask(own)), ...(await shared)];
    const proposed = await this.#documentsOf([
      ...scoredIn(all).slice(0, CANDIDATES),
      ...scoredIn(titled),
      ...scoredIn(others),
    ]);
    if (proposed.length === 0) return [];
    const statistics = this.#read(counts, terms);
    // The cluster has looked at the condition, with the fields that it has.
    const first = this.#ranker.rank(proposed, { ...query, condition: undefined, limit: proposed.length }, statistics);
    return withTail(first, rowsOf(all), query.limit);
  }

  /** The likeliest translations of a query's words, for documents in the other language; empty where there are none. */
  async translation(text: string): Promise<string> {
    const across = acrossTerms(text);
    if (acrossClause(across) === undefined) return "";
    const terms = termsOfQuery(text, across);
    const asked = this.#ask([translationsOf(across), this.#statistics(terms)]);
    this.#translations.set(text, asked);
    try {
      const [others, counts] = await asked;
      const candidates = await this.#documentsOf(scoredIn(others));
      return this.#ranker.translation(candidates, text, this.#read(counts, terms));
    } finally {
      if (this.#translations.get(text) === asked) this.#translations.delete(text);
    }
  }

  /** Returns the sources of a tier. */
  readonly sourcesOf = async (tier: number): Promise<string[]> => {
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

  /** The documents that searches propose, each once; one that is gone meanwhile is left out. */
  async #documentsOf(proposed: readonly Scored[]): Promise<Candidate[]> {
    const documents = new Map<number, Candidate>();
    const unknown = new Set<number>();
    for (const each of proposed) {
      const known = this.#documents.get(keyOf(each));
      if (known === undefined) unknown.add(each.sort[1]);
      else documents.set(known.articleId, known);
    }
    if (unknown.size === 0) return [...documents.values()];
    const [answer] = await multiSearch(this.#search, { index: this.#index, answer: Texts }, [
      {
        ...{ query: { ids: { values: Array.from(unknown, String) } }, size: unknown.size, track_total_hits: false },
        ...{ sort: ["_doc", "id", "_seq_no"], _source: true },
      },
    ]);
    for (const hit of answer?.hits?.hits ?? []) {
      const document = { articleId: hit.sort[1], title: hit._source.ft, content: hit._source.fc };
      this.#documents.set(keyOf(hit), document);
      documents.set(document.articleId, document);
    }
    return [...documents.values()];
  }

  async #ask<const T extends readonly Clause[]>(bodies: T): Promise<{ [K in keyof T]: Answer }> {
    const header = { search_type: "dfs_query_then_fetch" };
    const responses = await multiSearch(this.#search, { index: this.#index, answer: Answer, header }, bodies);
    return bodies.map((_, i) => at(responses, i)) as { [K in keyof T]: Answer };
  }
}

/** The best documents for a query, equal ones by descending id. */
function ranked(query: Clause, size: number): Clause {
  const sort = [{ _score: "desc" }, { id: "desc" }, { _seq_no: "desc" }];
  return { query, size, sort, _source: false, stored_fields: "_none_", track_total_hits: false };
}

/** Returns what stands for a document as it is: each change of an index has a number of its own. */
function keyOf({ _index, sort: [, articleId, change] }: Scored): string {
  return `${_index}/${articleId}/${change}`;
}

/** Documents in the other language that hold translations of a query's words. */
function translationsOf(across: AcrossTerms, conditions: Conditions = { filter: [], must_not: [] }): Clause {
  const words = acrossClause(across);
  return ranked({ bool: { ...conditions, must: [words ?? NONE] } }, words === undefined ? 0 : CANDIDATES);
}

function scoredIn(answer: Answer): Scored[] {
  return answer.hits?.hits ?? [];
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
