import { SEARCH_DEPTH, type SearchParams, type SearchResult, type SearchSort } from "@isnad/lib/contract";
import {
  type Branches,
  type BranchResult,
  type Hybrid,
  type KeywordAnswer,
  type KeywordReader,
  type Ranked,
  rankHybrid,
  searchBranches,
  type Survey,
  SURVEY_FACETS,
  type SurveyQuery,
} from "@isnad/lib/search";
import { articleIdOfKey } from "@isnad/lib/store";
import { type Evidence, evidenceOf, VectorsUnavailable } from "../evidence.ts";
import type { RetrievalDeps } from "../deps.ts";
import type { ReadSearch } from "./read.ts";

/** Results of the keyword branch, whatever page is asked for: so that pages fit together. */
const KEYWORD_WINDOW = SEARCH_DEPTH;

/** Results of the vector branch. Everything is somehow near: what lies deeper is noise, and dear to find. */
const VECTOR_WINDOW = 200;

/** Titles weigh three times as much as content. */
const FIELDS = { title: 3, content: 1 };

/** Finds hits, and counts them. */
type HitDeps = { branches: Branches; keyword: Pick<KeywordReader, "survey" | "search"> };

/** The hits of a search before any of them is read. */
export type Hits = {
  found: BranchResult;
  evidence: Evidence;
  /** Neighbours that count. */
  cut: number;
  /** The hits of the pages that can be asked for without a cursor, in their order. */
  ranked: Ranked<Hybrid>;
  total: number;
  /** Tells whether there are more than are found without looking for all. */
  isDeep: boolean;
  survey: Survey | undefined;
  rrfMs: number;
  surveyMs: number;
  /** Returns the keys of all hits, in any order. */
  keys(): Promise<Iterable<number>>;
  /** Returns all hits in their order, however many. */
  all(): Promise<Hybrid[]>;
};

type HitOptions = {
  signal: AbortSignal | undefined;
  fusion: "rrf" | "score";
  onKeyword?: (answer: KeywordAnswer) => void;
  /** Tells whether all hits will be asked for. */
  isWhole?: boolean;
};

/** The order that a search asks for. */
export function sortOf({ sort }: Pick<SearchParams, "sort">, { kind }: Pick<ReadSearch, "kind">): SearchSort {
  return sort === undefined || (sort === "relevance" && kind !== "words")
    ? kind === "words"
      ? "relevance"
      : "newest"
    : sort;
}

const NOTHING: BranchResult = {
  ...{ keyword: [], corrections: [], vector: [], quoted: false, candidates: 0, keywordMs: 0, vectorMs: 0 },
};

/** Finds the hits of a search and counts them. Rejects as {@link searchBranches} does. */
export async function findHits(
  { branches, keyword }: HitDeps,
  params: SearchParams & { limit: number },
  read: ReadSearch,
  { signal, fusion, onKeyword, isWhole: wanted = false }: HitOptions,
): Promise<Hits> {
  const { mode, facets, facet_limit, histogram, tz, lang, typos, prefix } = params;
  const sort = sortOf(params, read);
  const query = { text: read.text, lang, typos, prefix, fields: FIELDS, filters: read.filters };
  const counts: Partial<SurveyQuery> = {
    ...(facets !== undefined && { facets: SURVEY_FACETS.filter((name) => facets.includes(name)) }),
    facetLimit: facet_limit,
    ...(histogram !== undefined && { histogram: { unit: histogram, zone: tz } }),
  };
  const isCounted = facets !== undefined || histogram !== undefined;
  const isWhole = wanted || isCounted || sort !== "relevance" || params.cursor !== undefined;
  const found =
    read.kind === "words"
      ? await searchBranches(
          branches,
          {
            ...query,
            condition: read.condition,
            required: read.required,
            kKeyword: mode === "vector" ? 0 : KEYWORD_WINDOW,
            kVector: vectorWindow(params, isWhole),
            floor: true,
          },
          { signal, ...(onKeyword && { onKeyword }) },
        ).catch((error: unknown) => {
          if (mode === "vector") throw new VectorsUnavailable("the vector branch failed", { cause: error });
          throw error;
        })
      : NOTHING;
  const fuseStart = performance.now();
  const { hits: head, cut } = rankHybrid(found, { k: params.k_rrf, fusion: mode === "hybrid" ? fusion : "rrf" });
  const rrfMs = performance.now() - fuseStart;
  const common = { found, evidence: evidenceOf(found), cut, rrfMs };
  if (read.kind === "none") {
    return {
      ...common,
      ranked: head,
      total: 0,
      isDeep: false,
      survey: undefined,
      surveyMs: 0,
      all: async () => [],
      keys: async () => [],
    };
  }
  const asked: SurveyQuery = {
    ...query,
    condition: read.condition,
    also: found.vector.slice(0, cut).map(({ articleId }) => articleId),
    alone: read.kind === "words" && mode === "vector",
  };
  const ask = (more: Partial<SurveyQuery>): Promise<Survey> => keyword.survey({ ...asked, ...more });
  const inTime = (keys: Iterable<number>): Hybrid[] => {
    const known = byId(head);
    return Array.from(keys, (key) => known.get(key) ?? unranked(key));
  };
  const isCut = mode !== "vector" && found.keyword.length >= KEYWORD_WINDOW;
  const surveyStart = performance.now();
  const list = sort === "relevance" ? undefined : { order: sort, from: 0, limit: SEARCH_DEPTH + SPARE };
  // Without the keyword branch nobody can count.
  const canCount = found.keywordError === undefined;
  const survey =
    canCount && (isCounted || isCut || list !== undefined)
      ? await ask({ ...counts, ...(list && { list }) })
      : undefined;
  const surveyMs = performance.now() - surveyStart;
  const isDeep = list === undefined ? isCut : (survey?.total ?? 0) > (survey?.keys.length ?? 0);
  const all = async (): Promise<Hybrid[]> => {
    if (sort !== "relevance") {
      if (!isDeep) return inTime(survey?.keys ?? []);
      return inTime((await ask({ list: { order: sort, from: 0, limit: Number.MAX_SAFE_INTEGER } })).keys);
    }
    if (!isDeep) return head.slice();
    const { hits } = await keyword.search({
      ...query,
      condition: read.condition,
      limit: survey?.total ?? SEARCH_DEPTH,
    });
    const known = byId(head);
    const tail = hits.slice(KEYWORD_WINDOW).flatMap(({ articleId, score }, i): Hybrid[] => {
      const keywordRank = KEYWORD_WINDOW + 1 + i;
      const rrfScore = 1 / (params.k_rrf + keywordRank);
      if (known.has(articleId)) return [];
      return [{ articleId, keywordRank, vectorRank: null, rrfScore, score: mode === "bm25" ? score : rrfScore }];
    });
    return [...head.slice(), ...tail];
  };
  const keys = async () => (await ask({ list: { order: "any", from: 0, limit: Number.MAX_SAFE_INTEGER } })).keys;
  return {
    ...{ ...common, survey, surveyMs, all, keys, isDeep },
    ranked: list === undefined ? head : rankedOf(inTime(survey?.keys ?? [])),
    total: survey?.total ?? (mode === "vector" ? Math.min(SEARCH_DEPTH, found.candidates) : head.length),
  };
}

/** Hits read beside those of a page, for those that were deleted an instant ago. */
const SPARE = 20;

function byId(head: Ranked<Hybrid>): Map<number, Hybrid> {
  return new Map(head.slice().map((hit) => [hit.articleId, hit]));
}

function unranked(articleId: number): Hybrid {
  return { articleId, keywordRank: null, vectorRank: null, score: 0, rrfScore: 0 };
}

function rankedOf(hits: readonly Hybrid[]): Ranked<Hybrid> {
  return { length: hits.length, slice: (from, to) => hits.slice(from, to) };
}

/** In mode `vector` the list may be paged through to its end; its order does not depend on how deep it goes. */
function vectorWindow({ mode, offset, limit }: SearchParams & { limit: number }, isWhole: boolean): number {
  if (mode === "bm25") return 0;
  return mode === "vector" && (isWhole || offset + limit > VECTOR_WINDOW) ? SEARCH_DEPTH : VECTOR_WINDOW;
}

/** Tells the stories of articles. */
type StoryStore = Pick<RetrievalDeps["store"], "stories">;

/** Leaves of the hits of each story its best; an article without a story is one by itself. */
export async function groupedByStory({ stories }: StoryStore, hits: Hits): Promise<Hits> {
  const all = await hits.all();
  const storyOf = await stories.idsOf(all.map(({ articleId }) => articleIdOfKey(articleId)));
  const seen = new Set<number>();
  const best = all.filter(({ articleId }) => {
    const story = storyOf.get(articleIdOfKey(articleId));
    if (story === undefined) return true;
    if (seen.has(story)) return false;
    seen.add(story);
    return true;
  });
  const head = best.slice(0, SEARCH_DEPTH);
  return {
    ...hits,
    ranked: { length: head.length, slice: (from, to) => head.slice(from, to) },
    total: best.length,
    isDeep: best.length > head.length,
    all: async () => best,
  };
}

/** Returns the story of each article of a page. */
export async function storiesOfPage(
  { stories }: StoryStore,
  page: readonly { document: { articleId: number } }[],
): Promise<Map<number, NonNullable<SearchResult["story"]>>> {
  const storyOf = await stories.idsOf(page.map(({ document }) => document.articleId));
  const whole = await stories.byIds([...new Set(storyOf.values())]);
  const views = new Map(
    whole.map(({ storyId, size, sources }) => [
      storyId,
      {
        story_id: storyId,
        size,
        sources: sources.map(({ sourceId, sourceName, count, firstAt }) => ({
          source_id: sourceId,
          source_name: sourceName,
          count,
          first_at: firstAt,
        })),
      },
    ]),
  );
  return new Map(
    [...storyOf].flatMap(([articleId, storyId]) => {
      const view = views.get(storyId);
      return view === undefined ? [] : [[articleId, view] as const];
    }),
  );
}
