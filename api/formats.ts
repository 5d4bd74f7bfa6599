import {
  SEARCH_STATE,
  SEARCH_TYPES,
  SearchBody,
  type SearchFormat,
  type SearchParams,
  SearchState,
  searchState,
} from "@isnad/lib/contract";
import {
  AppError,
  type HttpContext,
  invalidFields,
  type Limiter,
  note,
  queryOf,
  type ServiceClient,
  z,
} from "@isnad/lib/service/http";
import { parseJson } from "@isnad/lib/std";
import { plainSnippet } from "@isnad/lib/text";
import { type FeedItem, writeAtom, writeJsonFeed } from "../lib/web/feeds-out/feed.ts";

/** Hits of a feed where a request does not say. */
const FEED_RESULTS = 50;

/** Documents the forms in which hits are answered. */
export const searchContent = {
  "application/json": { schema: SearchBody },
  "application/x-ndjson": { schema: z.string().openapi({ description: "A result a line, with `authors`." }) },
  "text/csv": {
    schema: z.string().openapi({
      description:
        "UTF-8 with a BOM, RFC 4180: article_id, doc_id, title, url, source, lang, category, authors, published_at, score, snippet. Texts that would be formulas begin with an apostrophe.",
    }),
  },
  "application/atom+xml": { schema: z.string() },
  "application/feed+json": { schema: z.object({}).loose() },
};

type FormatDeps = {
  retrieval: ServiceClient;
  limiter: Limiter;
  /** The address of what is asked for. */
  self: string;
};

/** Answers a search in another form than JSON: rows as they are made, or a feed. Throws as the search service does. */
export async function asFormat(
  c: HttpContext,
  { retrieval, limiter, self }: FormatDeps,
  { facets, histogram, limit, q }: Pick<SearchParams, "facets" | "histogram" | "limit" | "q">,
  format: Exclude<SearchFormat, "json">,
): Promise<Response> {
  if (facets !== undefined) throw invalidFields({ facets: [`are not part of format ${format}`] });
  if (histogram !== undefined) throw invalidFields({ histogram: [`is not part of format ${format}`] });
  const { signal } = c.req.raw;
  const on = { requestId: c.var.requestId, client: c.var.client, signal };
  const query = queryOf(c);
  const type = SEARCH_TYPES.find(({ value }) => value === format)?.types[0] ?? "";
  if (format === "jsonl" || format === "csv") {
    query.set("format", format);
    const open = () => retrieval.open(`/search?${query}`, undefined, on);
    const { body, headers } = await limiter.run(open, { signal, client: c.var.client });
    return c.body(body ?? "", 200, {
      ...stated(c, SearchState.safeParse(headers.get(SEARCH_STATE)).data),
      "Content-Type": `${type}; charset=utf-8`,
      "Content-Disposition": `attachment; filename="articles.${format}"`,
    });
  }
  query.set("format", "json");
  query.set("limit", String(limit ?? FEED_RESULTS));
  const { body } = await limiter.run(() => retrieval.get(`/search?${query}`, on), { signal, client: c.var.client });
  const { data, error: cause } = SearchBody.safeParse(parseJson(new TextDecoder().decode(body)));
  if (data === undefined) throw new AppError("service-unavailable", "The search service failed.", { cause });
  const items = data.results.map(feedItem);
  const feed = {
    ...{ id: self, self, title: q === undefined ? "Isnad" : `Isnad: ${data.meta.query ?? q}`, items },
    updatedAt:
      items
        .map(({ updatedAt }) => updatedAt)
        .sort()
        .at(-1) ?? NEVER,
  };
  const text = format === "atom" ? writeAtom(feed) : writeJsonFeed(feed);
  return c.body(text, 200, { ...stated(c, searchState(data.meta)), "Content-Type": `${type}; charset=utf-8` });
}

/** Returns the header that says how a search went, which is noted. */
function stated(c: HttpContext, state: SearchState = "whole"): Record<string, string> {
  note(c, { degraded: state !== "whole" });
  return { [SEARCH_STATE]: state };
}

const NEVER = new Date(0).toISOString();

function feedItem(result: SearchBody["results"][number]): FeedItem {
  return {
    id: `urn:uuid:${result.doc_id}`,
    url: result.url,
    title: result.title,
    summary: plainSnippet(result.snippet),
    lang: result.lang,
    publishedAt: result.published_at,
    updatedAt: result.published_at ?? cameAt(result.doc_id),
  };
}

/** Returns when an article came, as its uuid (version 7) has it. */
function cameAt(docId: string): string {
  return new Date(Number.parseInt(docId.replaceAll("-", "").slice(0, 12), 16)).toISOString();
}
