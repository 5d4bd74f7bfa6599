import { z } from "zod";
import { acrossTerms } from "../keyword/cross-language.ts";
import { analyseSearch } from "../keyword/query.ts";
import type { Survey, SurveyFacet, SurveyQuery } from "../keyword/types.ts";
import { multiSearch, type OpenSearch, SearchAnswer } from "./client.ts";
import type { Clause } from "./mapping.ts";
import { acrossClause, conditionClauses, type SourcesOfTier, wordClause } from "./query.ts";

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
