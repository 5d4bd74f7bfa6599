import type { FilterName, Filters } from "../../contract/filter-table.ts";
import type { ThreadsState } from "../../service/threads/mod.ts";
import type { LogPosition } from "../../store/mod.ts";
import type { HistogramUnit } from "../calendar.ts";
import type { ArticleFields } from "../filters.ts";
import type { QueryNode } from "../query-language/parse.ts";
import type { Matched } from "./exact-match.ts";

/** An article as the keyword index takes it. */
export type KeywordDoc = ArticleFields & {
  articleId: number;
  sourceId: string;
  title: string;
  content: string;
  /** 1 to 3; kept for the source, so that the last one given holds for all its articles. */
  tier: number;
  /** Its arrival, ISO 8601: its time where it has no date of its own. */
  createdAt?: string;
  authors?: readonly string[];
};

/** What a term query can name: an article, what a filter looks at, and the two analysed fields. */
export type TermField = "article_id" | "title" | "content" | FilterName;

export type KeywordQuery = {
  text: string;
  /** A hint to the analyser. */
  lang?: string | undefined;
  /** Weight of each field that is searched; one that is missing or 0 is not. Default: title 3, content 1. */
  fields?: { title?: number | undefined; content?: number | undefined } | undefined;
  filters?: Filters | undefined;
  /** Only documents whose field has this value; in `title` and `content`, documents that hold the word. */
  term?: { field: TermField; value: string | number } | undefined;
  /** Held by every hit: phrases, fields and the like. */
  condition?: QueryNode | undefined;
  limit: number;
} & ReadingOptions;

type ReadingOptions = {
  /** `auto`: words that look like typing errors are read as those that were meant, too. Default: off. */
  typos?: "auto" | "off" | undefined;
  /** The last word stands for all words that begin with it. Default: false. */
  prefix?: boolean | undefined;
};

export type ReadableQuery = { text: string } & ReadingOptions;

/** A word of a query that looks like a typing error, as the query has it, and what it was read as, likeliest first. */
export type Correction = { word: string; readAs: readonly string[] };

export type KeywordAnswer = {
  hits: KeywordHit[];
  corrections: Correction[];
  /** Words beside its own that the query was read as, likeliest first: what is marked in a text. */
  alternatives?: readonly string[];
};

/** Holds what a query may say instead, and what that counts beside the likeliest reading. */
export type OtherReading = { text: string; share: number };

/** A query as it is searched by meaning. */
export type QueryReading = {
  /** With its typing errors mended, and its last word completed where it stands for those that begin with it. */
  text: string;
  corrections?: readonly Correction[];
  /** Default: none. */
  others?: readonly OtherReading[];
  /** Tells whether the archive or the dictionary has any of its words. Default: nobody can say. */
  isKnown?: boolean;
  /** The likeliest translations of its words between Arabic and English; empty where there are none. */
  translation: string;
};

/** Words typed so far; up to `limit` suggestions of each kind. */
export type SuggestQuery = { q: string; limit: number };

/**
 * Suggestions: articles by their titles, best first, and words in their folded form, each with an article
 * that has it in its title and how many have it.
 */
export type KeywordSuggestions = {
  titles: { articleId: number }[];
  words: { form: string; articleId: number; count: number }[];
};

/** A document found; a higher `score` is better. `matched`: how much of the query it holds, told of the first. */
export type KeywordHit = { articleId: number; score: number; matched?: Matched };

/** Documents found, best first, in columns; how much of the query the first one holds. */
export type KeywordHits = {
  articleIds: Float64Array;
  scores: Float64Array;
  matched?: Matched;
  corrections: Correction[];
  alternatives: readonly string[];
};

/** Lists what an index counts hits by. */
export const SURVEY_FACETS = ["source", "category", "lang", "domain", "author"] as const;
export type SurveyFacet = (typeof SURVEY_FACETS)[number];

/** Asks for the hits of a query as a whole: how many, of what, in which order. */
export type SurveyQuery = Omit<KeywordQuery, "limit"> & {
  /** Hits of another branch, which are hits too; with `alone` only these are. */
  also?: readonly number[];
  alone?: boolean;
  facets?: readonly SurveyFacet[];
  facetLimit?: number;
  histogram?: { unit: HistogramUnit; zone: string };
  /** The hits to name, in the order of time; `any`: in whatever order is quickest. */
  list?: { order: "newest" | "oldest" | "any"; from: number; limit: number };
};

export type FacetCount = { value: string; count: number };

/** Holds the answer: `keys` of those that are listed. A histogram of more than 10,000 stretches is left out. */
export type Survey = {
  total: number;
  facets: Partial<Record<SurveyFacet, FacetCount[]>>;
  histogram: { from: number; count: number }[] | undefined;
  keys: Float64Array;
  /** The highest key that the index has: what comes later has a higher one. */
  last: number;
  /** Parts that were asked for and that the engine cannot tell. */
  lacking: string[];
};

/** Why an index cannot answer; `away`: its engine cannot be reached, is full or read-only, whatever it is asked. */
type KeywordFault = "missing" | "other-version" | "corrupt" | "unavailable" | "away" | "closed";

/** An index that cannot answer; `reason` says why. Its follower repairs the first three. */
export class KeywordIndexError extends Error {
  override name = "KeywordIndexError";
  readonly reason: KeywordFault;
  constructor(reason: KeywordFault, message: string, options?: ErrorOptions) {
    super(message, options);
    this.reason = reason;
  }
}

/** What is known of an index without searching it. */
export type KeywordStatus = {
  state: "ready" | KeywordFault;
  documents: number;
  /** Whether it has been filled once since it was created. */
  complete: boolean;
};

/**
 * A keyword index, whatever engine keeps it. The `articleId`s of its documents are keys of articles (see `articleKey`).
 * All methods reject with {@link KeywordIndexError}.
 */
export interface KeywordIndex extends KeywordReader {
  /** Adds documents, or replaces those of the same ids. */
  upsert(docs: readonly KeywordDoc[]): Promise<void>;
  remove(articleIds: readonly number[]): Promise<void>;
  /** Up to `limit` ids above `afterId`, ascending, of what is written. */
  ids(afterId: number, limit: number): Promise<number[]>;
  /** Up to where in the log its documents go; undefined where it has to be filled from the beginning. */
  position(): Promise<LogPosition | undefined>;
  /** Says up to where the documents go that are there now. */
  advance(to: LogPosition): Promise<void>;
  /** Begins with nothing; what there was answers searches until `complete`. */
  reset(): Promise<void>;
  /** Says that what is written holds everything: it answers searches from now on. */
  complete(): Promise<void>;
  /** Sets the tier of a source, for all its documents at once. */
  setTier(sourceId: string, tier: number): Promise<void>;
  /** Keeps what is there across a restart, for an engine of this process. */
  save(): Promise<void>;
}

/** A keyword index as searches use it. */
export interface KeywordReader {
  /** Best first; equal scores by descending id. */
  search(query: KeywordQuery): Promise<KeywordAnswer>;
  /**
   * Those of `articleIds` that an answer to the query may hold: they pass the filters and the term, hold the phrases,
   * and nothing that is excluded.
   */
  allowed(query: Omit<KeywordQuery, "limit">, articleIds: readonly number[]): Promise<number[]>;
  /** Returns a query as it is searched by meaning among these documents. */
  reading(query: ReadableQuery): Promise<QueryReading>;
  /**
   * Returns how much of what a query says each of these articles says in one place, from 0 to 1: the share of its words
   * or of their translations, by how rare they are.
   */
  supports(query: ReadableQuery, articleIds: readonly number[]): Promise<number[]>;
  /**
   * Returns those of these articles that hold none of the words that the last one of a query may become, where it is
   * only begun; without it the engine cannot tell.
   */
  lackingBegun?(query: ReadableQuery, articleIds: readonly number[]): Promise<number[]>;
  /** Returns what somebody may be about to type; nothing where the engine cannot say. */
  suggest(query: SuggestQuery): Promise<KeywordSuggestions>;
  /** Surveys the hits of a query as a whole; what an engine cannot tell is `lacking`. */
  survey(query: SurveyQuery): Promise<Survey>;
  count(): Promise<number>;
  status(): Promise<KeywordStatus>;
  /** How its threads stand; undefined for an engine of another process. */
  threads(): ThreadsState | undefined;
  close(): Promise<void>;
}

/**
 * Says how much of a query articles say, for an engine of another process: it tells that of the best of them alone, and
 * of the others nothing is known.
 */
export function supportsBySearch(search: KeywordReader["search"]): KeywordReader["supports"] {
  return async (query, articleIds) => {
    const { hits } = await search({ ...query, filters: { articleIds: [...articleIds] }, limit: 1 });
    const [best] = hits;
    const { title = 0, passage = 0, known = 0 } = best?.matched ?? {};
    return articleIds.map((id) => (id === best?.articleId ? known * Math.max(title, passage) : 0));
  };
}
