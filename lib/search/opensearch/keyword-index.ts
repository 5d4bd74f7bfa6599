import { z } from "zod";
import { mapInSlices } from "../../std/mod.ts";
import { asKeywordError } from "../engines/error.ts";
import { acrossTerms } from "../keyword/cross-language.ts";
import { analyseSearch } from "../keyword/query.ts";
import {
  type KeywordDoc,
  type KeywordIndex,
  KeywordIndexError,
  type KeywordStatus,
  supportsBySearch,
  type Survey,
  type SurveyFacet,
  type SurveyQuery,
} from "../keyword/types.ts";
import { multiSearch, type OpenSearch, SearchAnswer } from "./client.ts";
import { IndexWriter } from "./index-writer.ts";
import { currentIndex } from "./indices.ts";
import { type Clause, entitledKey, filterSource, KEYWORD_VERSION, keywordIndexBody } from "./mapping.ts";
import { acrossClause, conditionClauses, type SourcesOfTier, wordClause } from "./query.ts";
import { KeywordSearch } from "./search.ts";
import { timeOf } from "../filters.ts";
import { analysedText } from "../keyword/candidates.ts";
import { authorKey } from "../keyword/condition.ts";
import { isInArabic } from "../keyword/invert.ts";

/** Titles weigh three times as much as content. */
const TITLE_TIMES = 3;

/** An article as the index of words holds it. */
function keywordSource(doc: KeywordDoc): Record<string, unknown> {
  const title = analysedText(doc.title);
  const content = analysedText(doc.content);
  const weighted = (inTitle: string, inContent: string): string =>
    [...new Array<string>(TITLE_TIMES).fill(inTitle), inContent].join(" ");
  return {
    ...filterSource(doc.articleId, doc),
    all: weighted(title.stems, content.stems),
    allr: weighted(title.roots, content.roots),
    ...{ tt: title.stems, tc: content.stems, rt: title.roots, rc: content.roots },
    ...{ ft: title.forms, fc: content.forms },
    sounds: `${title.sounds} ${content.sounds}`,
    arabic: isInArabic([...title.rooted, ...content.rooted]),
    entitled: entitledKey(title.forms),
    length: title.terms + content.terms,
    time: timeOf(doc),
    authors: doc.authors ?? [],
    named: (doc.authors ?? []).map(authorKey),
  };
}

/** Values of a facet that each shard counts, so that the most frequent ones are counted in all of them. */
const SHARD_VALUES = 10_000;
/** Hits of one request at most. */
const PAGE = 10_000;
/** Bounds the stretches of a histogram, as of the embedded index. */
const MAX_BUCKETS = 10_000;

const FIELDS: Readonly<Record<SurveyFacet, string>> = {
  ...{ source: "sourceId", category: "categoryId", lang: "lang", domain: "domain", author: "authors" },
};

const Counted = z.object({
  buckets: z.array(z.object({ key: z.union([z.string(), z.number()]), doc_count: z.number() })),
});
const Last = z.object({ id: z.object({ value: z.number().nullable() }) });
const Answer = SearchAnswer.extend({
  hits: z
    .object({
      total: z.object({ value: z.number() }).optional(),
      hits: z.array(z.object({ sort: z.array(z.number()) })),
    })
    .optional(),
  aggregations: z.record(z.string(), z.union([Counted, Last])).optional(),
});

/** Names a cluster, an index in it, and which sources are of a tier. */
type Place = { search: OpenSearch; index: string; sourcesOf: SourcesOfTier };

/** Surveys the hits of a query by the cluster's own aggregations, which are exact but for facets of too many values. */
export async function surveyCluster(place: Place, query: SurveyQuery): Promise<Survey> {
  const { facets = [], facetLimit = 20, histogram, list } = query;
  const wanted = await hitsClause(place, query);
  const order = [{ _count: "desc" }, { _key: "asc" }];
  const aggs: Record<string, Clause> = { last: { global: {}, aggs: { id: { max: { field: "id" } } } } };
  for (const name of facets) {
    aggs[name] = { terms: { field: FIELDS[name], size: facetLimit, shard_size: SHARD_VALUES, order } };
  }
  if (histogram !== undefined) {
    const unit = { field: "time", calendar_interval: histogram.unit, time_zone: histogram.zone, min_doc_count: 1 };
    aggs.histogram = { date_histogram: unit };
  }
  const [answer] = await ask(place, { query: wanted, size: 0, track_total_hits: true, aggs });
  const counts = (name: string) => {
    const found = answer?.aggregations?.[name];
    return found !== undefined && "buckets" in found ? found.buckets : [];
  };
  const last = answer?.aggregations?.last;
  const buckets = counts("histogram").map(({ key, doc_count }) => ({ from: Number(key), count: doc_count }));
  return {
    total: answer?.hits?.total?.value ?? 0,
    facets: Object.fromEntries(
      facets.map((name) => [
        name,
        counts(name).map(({ key, doc_count }) => ({ value: String(key), count: doc_count })),
      ]),
    ),
    histogram: histogram === undefined || buckets.length > MAX_BUCKETS ? undefined : buckets,
    keys: list === undefined ? new Float64Array(0) : await keysOf(place, wanted, list),
    last: last !== undefined && "id" in last ? (last.id.value ?? 0) : 0,
    lacking: [],
  };
}

/** Returns what every hit is: it holds a word of the query or its translation and meets the conditions, or is named. */
async function hitsClause({ sourcesOf }: Place, query: SurveyQuery): Promise<Clause> {
  const { also = [], alone = false, text } = query;
  const named: Clause = { terms: { id: also } };
  if (alone) return named;
  const analysed = analyseSearch(text);
  const conditions = await conditionClauses(query, analysed, sourcesOf);
  const words = [wordClause(analysed, query.fields), acrossClause(acrossTerms(text))].filter(
    (each) => each !== undefined,
  );
  if (text === "") return { bool: { should: [{ bool: conditions }, named], minimum_should_match: 1 } };
  if (words.length === 0) return named;
  const held = { bool: { ...conditions, must: [{ bool: { should: words, minimum_should_match: 1 } }] } };
  return { bool: { should: [held, named], minimum_should_match: 1 } };
}

/** Returns the keys of hits in the order of time, page by page of the cluster's. */
async function keysOf(
  place: Place,
  query: Clause,
  { order, from, limit }: NonNullable<SurveyQuery["list"]>,
): Promise<Float64Array> {
  const by = order === "newest" ? "desc" : "asc";
  const sort = order === "any" ? [{ id: by }] : [{ time: by }, { id: by }];
  const keys: number[] = [];
  for (let after: readonly number[] | undefined; keys.length < from + limit; ) {
    const size = Math.min(PAGE, from + limit - keys.length);
    const page = { query, size, sort, _source: false, stored_fields: "_none_", track_total_hits: false };
    const [answer] = await ask(place, { ...page, ...(after !== undefined && { search_after: after }) });
    const hits = answer?.hits?.hits ?? [];
    for (const { sort: at } of hits) keys.push(at.at(-1) ?? 0);
    after = hits.at(-1)?.sort;
    if (hits.length < size) break;
  }
  return Float64Array.from(keys.slice(from));
}

async function ask({ search, index }: Place, body: Clause) {
  return await multiSearch(search, { index, answer: Answer }, [body]);
}

/** What an index in a cluster needs of the platform. */
type OpenSearchKeywordOptions = {
  search: OpenSearch;
  /** The alias under which the index is reached. */
  alias: string;
  /** The tier of every source. */
  tiers(): Promise<ReadonlyMap<string, number>>;
};

/** How long it is taken for granted that the index is the one it was, in milliseconds. */
const KNOWN_MS = 5_000;

/** Opens the index of articles by word in an OpenSearch cluster; its follower makes it. */
export function openSearchKeyword({ search, alias, tiers }: OpenSearchKeywordOptions): KeywordIndex {
  const searcher = new KeywordSearch({ search, index: alias, tiers });
  const writer = new IndexWriter({
    search,
    alias,
    isOurs: ({ version }) => version === KEYWORD_VERSION,
    body: (id) => keywordIndexBody(search.server, id),
  });
  let checkedAt = Number.NEGATIVE_INFINITY;

  /** Rejects when the index is not the one that this code writes and reads. */
  async function assertUsable(): Promise<void> {
    if (performance.now() - checkedAt < KNOWN_MS) return;
    const found = await currentIndex(search, alias);
    if (found === undefined) throw new KeywordIndexError("missing", `keyword index: there is no ${alias}`);
    if (found.meta.version !== KEYWORD_VERSION) {
      throw new KeywordIndexError("other-version", `keyword index: ${found.name} is of another version`);
    }
    checkedAt = performance.now();
  }

  /** Reads while it is looked up whether the index can be used. */
  async function read<T>(work: () => Promise<T>): Promise<T> {
    return await attempt(async () => {
      const done = work();
      // An index that cannot be used says so itself.
      done.catch(() => undefined);
      await assertUsable();
      return await done;
    });
  }

  async function attempt<T>(work: () => Promise<T>): Promise<T> {
    try {
      return await work();
    } catch (error) {
      checkedAt = Number.NEGATIVE_INFINITY;
      throw asKeywordError(error);
    }
  }

  async function count(): Promise<number> {
    const answer = z.object({ count: z.number() });
    return (await search.request(answer, { method: "GET", path: `/${alias}/_count` })).count;
  }

  async function status(): Promise<KeywordStatus> {
    try {
      return await attempt(async () => {
        await assertUsable();
        const meta = (await currentIndex(search, alias))?.meta;
        return { state: "ready" as const, documents: await count(), complete: meta?.complete === true };
      });
    } catch (error) {
      return { state: asKeywordError(error).reason, documents: 0, complete: false };
    }
  }

  const searchArticles: KeywordIndex["search"] = (query) =>
    read(async () => ({ hits: await searcher.search(query), corrections: [] }));

  return {
    upsert: (docs) =>
      attempt(async () => {
        await writer.write(await mapInSlices(docs, (doc) => ({ id: doc.articleId, source: keywordSource(doc) })));
      }),
    remove: (articleIds) => attempt(() => writer.write(articleIds.map((id) => ({ id })))),
    ids: (afterId, limit) => attempt(() => writer.ids(afterId, limit)),
    position: () => attempt(() => writer.position()),
    advance: (to) => attempt(() => writer.advance(to)),
    reset: () => attempt(() => writer.reset()),
    complete: () =>
      attempt(async () => {
        await writer.complete();
        checkedAt = Number.NEGATIVE_INFINITY;
      }),
    // Tiers are read from the platform when a search asks for one.
    setTier: async () => {},
    save: async () => {},
    search: searchArticles,
    supports: supportsBySearch(searchArticles),
    allowed: (query, articleIds) => read(() => searcher.allowed(query, articleIds)),
    survey: (query) => read(() => surveyCluster({ search, index: alias, sourcesOf: searcher.sourcesOf }, query)),
    reading: ({ text }) => read(async () => ({ text, translation: await searcher.translation(text) })),
    suggest: async () => ({ titles: [], words: [] }),
    count: () => attempt(count),
    status,
    threads: () => undefined,
    async close() {
      await writer.close();
      await search.close();
    },
  };
}
