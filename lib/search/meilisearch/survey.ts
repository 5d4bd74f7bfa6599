import type { Meilisearch } from "meilisearch";
import { z } from "zod";
import { SEARCH_DEPTH } from "../../contract/mod.ts";
import { Histogram, zoneOf } from "../calendar.ts";
import type { Survey, SurveyFacet, SurveyQuery } from "../keyword/types.ts";
import type { QueryNode } from "../query-language/parse.ts";
import { among, fieldExpression, filterExpressions, NOTHING } from "./document.ts";
import type { MeiliKeywordSearch } from "./search.ts";

/** Articles whose times are read for a histogram at most, which the server has none of; and those read at once. */
const MAX_TIMES = 10_000;
const PAGE = 5_000;

const FIELDS: Readonly<Record<SurveyFacet, string>> = {
  ...{ source: "sourceId", category: "categoryId", lang: "lang", domain: "domain", author: "authors" },
};

const Facets = z.object({ facetDistribution: z.record(z.string(), z.record(z.string(), z.number())).optional() });
const Listed = z.object({ total: z.number(), results: z.array(z.object({ id: z.number(), time: z.number() })) });
type Listed = z.output<typeof Listed>;

/** An index in a server, and what searches it. */
type Place = { client: Meilisearch; index: string; searcher: MeiliKeywordSearch };

/** Hits as a filter of the server; `whole`: all of them, as far as anybody knows. */
type Hits = { filter: string; whole: boolean };

/**
 * Surveys the hits of a query: by the server's own facets and order where filters and fields alone say what they are,
 * or where a search looks at all that holds a word of the query. Of other hits it knows the best, and says so.
 */
export async function surveyServer(place: Place, query: SurveyQuery): Promise<Survey> {
  const { facets = [], facetLimit = 20, histogram, list } = query;
  const { filter, whole } = await hitsOf(place, query);
  const { client, index } = place;
  const [first, newest, counted] = await Promise.all([
    page(place, { filter, limit: 1 }),
    page(place, { sort: ["id:desc"], limit: 1 }),
    facets.length === 0
      ? {}
      : client.index(index).search("", { filter, facets: facets.map((name) => FIELDS[name]), limit: 0 }),
  ]);
  const { facetDistribution = {} } = Facets.parse(counted);
  const isTimed = histogram !== undefined && first.total <= MAX_TIMES;
  const times = isTimed ? await pages(place, { filter, from: 0, limit: first.total }) : [];
  const buckets = isTimed ? new Histogram(histogram.unit, zoneOf(histogram.zone)) : undefined;
  for (const { time } of times) buckets?.add(time);
  const listed = list === undefined ? [] : await pages(place, { filter, sort: ORDERS[list.order], ...list });
  const lacking = whole
    ? [...(histogram !== undefined && !isTimed ? ["histogram"] : [])]
    : ["total", ...facets, ...(histogram === undefined ? [] : ["histogram"]), ...(isOrdered(list) ? ["sort"] : [])];
  return {
    total: first.total,
    facets: Object.fromEntries(
      facets.map((name) => [
        name,
        Object.entries(facetDistribution[FIELDS[name]] ?? {})
          .map(([value, count]) => ({ value, count }))
          .sort((a, b) => b.count - a.count || (a.value < b.value ? -1 : 1))
          .slice(0, facetLimit),
      ]),
    ),
    histogram: buckets?.buckets(),
    keys: Float64Array.from(listed, ({ id }) => id),
    last: newest.results[0]?.id ?? 0,
    lacking,
  };
}

const ORDERS = { newest: ["time:desc", "id:desc"], oldest: ["time:asc", "id:asc"], any: undefined };

function isOrdered(list: SurveyQuery["list"]): boolean {
  return list !== undefined && list.order !== "any";
}

async function hitsOf({ searcher }: Place, query: SurveyQuery): Promise<Hits> {
  const { also = [], alone = false, text, condition } = query;
  if (alone) return { filter: among("id", also), whole: true };
  if (text !== "") {
    const [hits, whole] = await Promise.all([
      searcher.search({ ...query, limit: SEARCH_DEPTH }),
      searcher.looksAtAll(query),
    ]);
    const ids = new Set([...hits.map(({ articleId }) => articleId), ...also]);
    return { filter: among("id", [...ids]), whole: whole && hits.length < SEARCH_DEPTH };
  }
  const filters = await filterExpressions(query, searcher.sourcesOf);
  const asked = condition === undefined ? undefined : expressionOf(condition);
  const all = [...filters, ...(asked === undefined ? [] : [asked])].map((each) => `(${each})`).join(" AND ");
  const whole = condition === undefined || asked !== undefined;
  if (!whole) return { filter: among("id", also), whole };
  return { filter: all === "" ? "id >= 0" : also.length === 0 ? all : `(${all}) OR ${among("id", also)}`, whole };
}

/** Returns a condition in the server's language; undefined where it asks for words, which are no field of it. */
function expressionOf(node: QueryNode): string | undefined {
  switch (node.is) {
    case "field":
      return fieldExpression(node.field, node.text);
    case "among":
      return among("id", node.keys);
    case "not": {
      const of = expressionOf(node.of);
      return of === undefined ? undefined : `NOT (${of})`;
    }
    case "all":
    case "any": {
      const parts = node.of.map(expressionOf);
      if (parts.includes(undefined)) return undefined;
      return parts.map((part) => `(${part})`).join(node.is === "all" ? " AND " : " OR ") || NOTHING;
    }
    default:
      return undefined;
  }
}

type Asked = { filter?: string; sort?: string[] | undefined; limit: number; offset?: number };

async function page({ client, index }: Place, { sort, ...asked }: Asked): Promise<Listed> {
  const fields = ["id" as const, "time" as const];
  const answer = await client.index(index).getDocuments({ ...asked, ...(sort && { sort }), fields });
  return Listed.parse(answer);
}

/** Returns up to `limit` documents from place `from` on, read in parts. */
async function pages(
  place: Place,
  { filter, sort, from, limit }: { filter: string; sort?: string[] | undefined; from: number; limit: number },
): Promise<Listed["results"]> {
  const documents: Listed["results"] = [];
  while (documents.length < limit) {
    const size = Math.min(PAGE, limit - documents.length);
    const { results } = await page(place, { filter, sort, limit: size, offset: from + documents.length });
    documents.push(...results);
    if (results.length < size) break;
  }
  return documents;
}
