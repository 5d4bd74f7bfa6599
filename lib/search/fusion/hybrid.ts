import { SEARCH_DEPTH, type SearchFusion } from "../../contract/search-v1.ts";
import { abortable, at } from "../../std/mod.ts";
import { hasSyntax, parseQuery } from "../../text/mod.ts";
import type { Filters } from "../filters.ts";
import type { QueryNode } from "../query-language/parse.ts";
import {
  type Correction,
  type KeywordAnswer,
  type KeywordHit,
  KeywordIndexError,
  type KeywordQuery,
  type QueryReading,
  type ReadableQuery,
} from "../keyword/types.ts";
import { aboveFloor, type Among, isUnsure, supportedNeighbours } from "./cut.ts";
import { type Fused, rankByReciprocalRanks, type Ranked } from "./rrf.ts";

/** A document of the fused list with the score that orders it, and that of its ranks. */
export type Hybrid = Omit<Fused, "score"> & { score: number; rrfScore: number };

/**
 * What a keyword score, over the square root of the best one, and a cosine count in the combined score; chosen on sets
 * of questions.
 */
const WORDS = 0.2;
const MEANING = 0.8;

type Lists = Pick<BranchResult, "keyword" | "vector"> & Partial<Pick<BranchResult, "quoted">>;
type HybridOptions = { k: number; fusion: SearchFusion };

/** As {@link rankHybrid}, all of the hits. */
export function fuseHybrid(found: Lists, options: HybridOptions): { hits: Hybrid[]; cut: number } {
  const { hits, cut } = rankHybrid(found, options);
  return { hits: hits.slice(), cut };
}

/**
 * The hits of a hybrid search, best first: those of the keyword branch, and the nearest neighbours as far as the
 * scores support them ({@link supportedNeighbours}); `cut` is how many these are. The hits are the same with every
 * fusion. `rrf` orders them by reciprocal rank fusion. `score` orders by the combined score 0.2 · bm25 / √(best bm25)
 * + 0.8 · cosine, where a document that is no neighbour counts as the last of them; equal ones stay in the order of
 * `rrf`.
 */
export function rankHybrid(
  { keyword, vector, quoted }: Lists,
  { k, fusion }: HybridOptions,
): { hits: Ranked<Hybrid>; cut: number } {
  const cut = supportedNeighbours({ keyword, vector, quoted }, k);
  const fused = rankByReciprocalRanks(
    keyword.map(({ articleId }) => articleId),
    vector.slice(0, cut).map(({ articleId }) => articleId),
    k,
  );
  const hitsFrom = (from?: number, to?: number): Hybrid[] =>
    fused.slice(from, to).map(({ articleId, keywordRank, vectorRank, score }) => {
      return { articleId, keywordRank, vectorRank, score, rrfScore: score };
    });
  if (fusion === "rrf") return { hits: { length: fused.length, slice: hitsFrom }, cut };
  const hits = hitsFrom();
  const similarities = new Map(vector.map(({ articleId, score }) => [articleId, score]));
  const last = vector.at(-1)?.score ?? 0;
  const unit = Math.sqrt(keyword[0]?.score || 1);
  for (const hit of hits) {
    const score = hit.keywordRank === null ? 0 : at(keyword, hit.keywordRank - 1).score / unit;
    hit.score = WORDS * score + MEANING * (similarities.get(hit.articleId) ?? last);
  }
  return { hits: hits.sort((a, b) => b.score - a.score), cut };
}

/** An article found by meaning, with its nearest passage: code-point offsets into its content, end exclusive. */
export type VectorHit = { articleId: number; score: number; chunkNo: number; start: number; end: number };

/**
 * The nearest articles, best first, and how many there are: all that pass the filters, each is somehow near; of those
 * that a query's syntax leaves, the ones among the nearest {@link SEARCH_DEPTH}.
 */
type Neighbours = { hits: VectorHit[]; candidates: number };

/** What is asked of both branches. A branch with `k` 0 is skipped. */
export type BranchQuery = Omit<KeywordQuery, "filters" | "limit"> & {
  filters: Filters;
  /** Held by every neighbour, as `condition` is by every hit by word. */
  required?: QueryNode | undefined;
  kKeyword: number;
  kVector: number;
  /** Only neighbours count that their similarity supports, see {@link aboveFloor}. Default: all. */
  floor?: boolean | undefined;
};

/** The two ways to search. Both reject when they cannot answer. */
export type Branches = {
  keyword(query: KeywordQuery): Promise<KeywordAnswer>;
  /** Returns how a query is read. Default: as it is. */
  reading?(query: ReadableQuery): Promise<QueryReading>;
  /** Returns how much of the query each of these articles says, from 0 to 1. Default: nobody knows. */
  supports?(query: ReadableQuery, articleIds: readonly number[]): Promise<number[]>;
  /**
   * Tells of one neighbour after the other how alike in content it and the query are, from -1 to 1, as an encoder reads
   * both: each that was not read beforehand takes milliseconds. Default, and nothing where there is no such encoder:
   * nobody knows.
   */
  likeness?(query: ReadableQuery, hits: readonly VectorHit[], signal: AbortSignal): AsyncIterable<number>;
  /** Those of these articles without any word that a last one may become that is only begun. Default: nobody knows. */
  lackingBegun?(query: ReadableQuery, articleIds: readonly number[]): Promise<number[]>;
  /** Those of these articles that hold the query's phrases and nothing that it excludes. Default: all. */
  allowed?(query: Omit<KeywordQuery, "limit">, articleIds: readonly number[]): Promise<number[]>;
  vector(query: ReadableQuery, k: number, filters: Filters, signal: AbortSignal): Promise<Neighbours>;
};

/** What each branch found, best first; a branch that was asked and failed has its error here. */
export type BranchResult = {
  keyword: KeywordHit[];
  /** Words that the keyword branch read as others. */
  corrections: readonly Correction[];
  /** Words beside its own that the query was read as. */
  alternatives?: readonly string[];
  vector: VectorHit[];
  /** Whether the query quotes a phrase. */
  quoted: boolean;
  /** Articles that the vector branch could find; 0 when it was not asked. */
  candidates: number;
  keywordError?: unknown;
  vectorError?: unknown;
  keywordMs: number;
  vectorMs: number;
};

/** Time after which a branch counts as failed, in milliseconds: the other one's list is to come in time. */
const BRANCH_MS = 9_000;

/** How both branches are asked. */
type BranchOptions = {
  signal?: AbortSignal | undefined;
  branchMs?: number;
  /** Called with what the keyword branch found, at least one hit, while the vector branch still searches. */
  onKeyword?: (answer: KeywordAnswer) => void;
};

/**
 * Asks both branches at once. A branch that fails leaves the other's list. Rejects only when every branch that was
 * asked failed, with the keyword branch's error when it was one of them.
 */
export async function searchBranches(
  branches: Branches,
  { kKeyword, kVector, floor = false, required, ...query }: BranchQuery,
  { signal, branchMs = BRANCH_MS, onKeyword }: BranchOptions = {},
): Promise<BranchResult> {
  const deadline = AbortSignal.timeout(branchMs);
  const limit = signal === undefined ? deadline : AbortSignal.any([signal, deadline]);
  // The vector branch first: it asks the keyword index for a translation, which is to wait for no search.
  let isNear = kVector === 0;
  const meaning = attempt(kVector, limit, () =>
    nearest(branches, { ...query, condition: required }, kVector, limit),
  ).finally(() => {
    isNear = true;
  });
  const words = attempt(kKeyword, limit, () => branches.keyword({ ...query, limit: kKeyword }));
  const early = words.then(({ value }) => {
    if (!isNear && value !== undefined && value.hits.length > 0) onKeyword?.(value);
  });
  const reading = kKeyword === 0 && query.typos === "auto" ? readAs(branches, query) : undefined;
  const [keyword, vector, , read] = await Promise.all([words, meaning, early, reading]);
  if (keyword.error !== undefined && keyword.error === deadline.reason) {
    const cause = keyword.error;
    keyword.error = new KeywordIndexError("away", `keyword index: no answer within ${branchMs} ms`, { cause });
  }
  signal?.throwIfAborted();
  if (vector.error !== undefined && kKeyword === 0) throw vector.error;
  if (keyword.error !== undefined && (kVector === 0 || vector.error !== undefined)) throw keyword.error;
  // Hits by word are cut by what both branches say; only where there are none can a query be without meaning.
  const isAlone = kKeyword === 0 || (keyword.error === undefined && keyword.value?.hits.length === 0);
  const near = vector.value ?? { hits: [], candidates: 0 };
  const neighbours =
    floor && isAlone && near.hits.length > 0
      ? await supported(branches, near, { ...query, condition: required, kVector, kKeyword }, limit)
      : near;
  return {
    keyword: keyword.value?.hits ?? [],
    corrections: keyword.value?.corrections ?? read?.corrections ?? [],
    alternatives: keyword.value?.alternatives ?? read?.corrections?.flatMap((each) => each.readAs) ?? [],
    vector: neighbours.hits,
    quoted: parseQuery(query.text).phrases.length > 0,
    candidates: neighbours.candidates,
    ...(keyword.error !== undefined && { keywordError: keyword.error }),
    ...(vector.error !== undefined && { vectorError: vector.error }),
    keywordMs: keyword.ms,
    vectorMs: vector.ms,
  };
}

/** Returns how a query is read; undefined where nobody can say. */
async function readAs(branches: Branches, { text, typos, prefix }: ReadableQuery): Promise<QueryReading | undefined> {
  return await branches.reading?.({ text: parseQuery(text).text, typos, prefix }).catch(() => undefined);
}

type VectorQuery = Omit<BranchQuery, "kKeyword" | "kVector" | "floor" | "required">;

/** Neighbours that are asked how much of the query they say, and those of them of which an encoder is asked, too. */
const WITNESSES = 10;
const READ_WITNESSES = 5;

/**
 * Returns those of the neighbours that their similarity supports. Where they are the whole answer and all of them
 * count, there may be more, which are counted.
 */
async function supported(
  branches: Branches,
  near: Neighbours,
  { kVector, kKeyword, ...query }: VectorQuery & Pick<BranchQuery, "kVector" | "kKeyword">,
  signal: AbortSignal,
): Promise<Neighbours> {
  const asked = { text: parseQuery(query.text).text, typos: query.typos, prefix: query.prefix };
  const witnesses = near.hits.slice(0, WITNESSES);
  const ids = witnesses.map(({ articleId }) => articleId);
  // Without the words there is no floor.
  const [supports, reading] = await Promise.all([
    branches.supports?.(asked, ids).catch(() => undefined),
    branches.reading?.(asked).catch(() => undefined),
  ]);
  if (supports === undefined) return near;
  const words = reading?.isKnown === false ? undefined : asked.text.trim().split(/\s+/).length;
  let among: Among = { supports, words, articles: near.candidates };
  if (isUnsure({ hits: witnesses, ...among })) {
    try {
      const read: number[] = [];
      for await (const each of branches.likeness?.(asked, witnesses.slice(0, READ_WITNESSES), signal) ?? []) {
        read.push(each);
        among = { ...among, likeness: read };
        if (!isUnsure({ hits: witnesses, ...among })) break;
      }
    } catch {
      // Those that were not read count as unknown.
      signal.throwIfAborted();
    }
  }
  const hits = aboveFloor({ hits: near.hits, ...among });
  const isWhole = hits.length < near.hits.length || near.hits.length < kVector || kVector >= SEARCH_DEPTH;
  if (isWhole || kKeyword > 0) return { hits, candidates: hits.length };
  const all = await nearest(branches, query, SEARCH_DEPTH, signal);
  return { hits, candidates: aboveFloor({ hits: all.hits, ...among }).length };
}

/**
 * Asks the vector branch for the text of the query. Where it has syntax, those that it rules out are left out of the
 * nearest {@link SEARCH_DEPTH}, however few are asked for, so that pages fit together, and what stays are the
 * candidates. A term narrows the keyword branch alone.
 */
async function nearest(
  branches: Branches,
  { term: _, ...query }: VectorQuery,
  k: number,
  signal: AbortSignal,
): Promise<Neighbours> {
  const parsed = parseQuery(query.text);
  const { typos, prefix } = query;
  const isBegun = prefix === true && branches.lackingBegun !== undefined;
  const isPlain = !hasSyntax(parsed) && query.condition === undefined;
  if (isPlain && !isBegun) return await branches.vector(query, k, query.filters, signal);
  if (parsed.text.trim() === "") return { hits: [], candidates: 0 };
  const asked = { text: parsed.text, typos, prefix };
  const { hits, candidates } = await branches.vector(asked, SEARCH_DEPTH, query.filters, signal);
  const near = isBegun ? await lackingLess(branches, asked, hits) : hits;
  if (isPlain) return { hits: near.slice(0, k), candidates };
  const ids = near.map(({ articleId }) => articleId);
  const kept = new Set((await branches.allowed?.(query, ids)) ?? ids);
  return { hits: near.filter(({ articleId }) => kept.has(articleId)).slice(0, k), candidates: kept.size };
}

/**
 * Taken off the similarity of an article without any word that begins as the last one of the query does: the vector is
 * of what that word likely becomes, and of an article is known what it is there. Chosen on headlines of `ant_v1_ar` and
 * of English news, none of those that `eval --task known-item` asks for.
 */
const LACKING = 0.04;

/** Returns the neighbours in their order once those without a word that the begun one may become are less near. */
async function lackingLess(
  branches: Pick<Branches, "lackingBegun">,
  query: ReadableQuery,
  hits: readonly VectorHit[],
): Promise<readonly VectorHit[]> {
  const ids = hits.map(({ articleId }) => articleId);
  const lacking = new Set(await branches.lackingBegun?.(query, ids).catch(() => []));
  if (lacking.size === 0) return hits;
  return hits
    .map((hit) => (lacking.has(hit.articleId) ? { ...hit, score: hit.score - LACKING } : hit))
    .sort((a, b) => b.score - a.score);
}

type Attempt<T> = { value?: T; error?: unknown; ms: number };

/** Searches until `limit` aborts; a search that goes on after that is not waited for. */
async function attempt<T>(k: number, limit: AbortSignal, search: () => Promise<T>): Promise<Attempt<T>> {
  if (k === 0) return { ms: 0 };
  const start = performance.now();
  try {
    return { value: await abortable(search(), limit), ms: performance.now() - start };
  } catch (error) {
    return { error: error ?? new Error("a branch failed"), ms: performance.now() - start };
  }
}
