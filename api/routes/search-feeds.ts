import { createHash, timingSafeEqual } from "node:crypto";
import {
  AppError,
  createRoute,
  type HttpEnv,
  type Limiter,
  type OpenAPIHono,
  problems,
  z,
} from "@isnad/lib/service/http";
import type { SavedSearch, SearchMatch } from "@isnad/lib/store";
import { type OutgoingFeed, writeAtom, writeJsonFeed } from "../../lib/web/feeds-out/feed.ts";
import type { ApiDeps } from "../deps.ts";
import { searchParams, unknownSearch } from "./saved-searches.ts";

/** Entries of a feed. */
const ENTRIES = 50;

/** Longest key that is read, in UTF-16 units. */
const KEY_LENGTH = 128;

/** The forms of a feed: how each is written, and as what it is served. */
const FORMS = {
  atom: { write: writeAtom, type: "application/atom+xml; charset=utf-8", name: "Atom" },
  json: { write: writeJsonFeed, type: "application/feed+json; charset=utf-8", name: "JSON Feed" },
} as const;

/** GET /v1/searches/{search_id}/feed.atom and feed.json: the matches, for readers of feeds, by the search's own key. */
export function addSearchFeeds(
  app: OpenAPIHono<HttpEnv>,
  { config, store, limiter }: Pick<ApiDeps, "config" | "store"> & { limiter: Limiter },
): void {
  for (const form of ["atom", "json"] as const) {
    const { write, type } = FORMS[form];
    app.openapi(routeOf(form), async (c) => {
      const { search_id } = c.req.valid("param");
      const { key } = c.req.valid("query");
      const search = await store.searches.get(search_id);
      if (search === undefined) throw unknownSearch(search_id);
      if (!isKey(search, key)) throw new AppError("unauthorized", "The feed's key is not valid, or not any more.");
      const ask = () => store.searches.matches(search_id, { limit: ENTRIES });
      const matches = await limiter.run(ask, { signal: c.req.raw.signal, client: c.var.client });
      const self = `${config.publicBaseUrl.replace(/\/$/, "")}/v1/searches/${search_id}/feed.${form}?key=${search.feedKey}`;
      return c.body(write(feedOf(search, matches, self)), 200, { "Content-Type": type, "Cache-Control": "private" });
    });
  }
}

function isKey({ feedKey }: SavedSearch, given: string): boolean {
  const digest = (text: string) => createHash("sha256").update(text).digest();
  return feedKey !== null && timingSafeEqual(digest(feedKey), digest(given));
}

function feedOf(search: SavedSearch, matches: readonly SearchMatch[], self: string): OutgoingFeed {
  return {
    ...{ id: `urn:isnad:search:${search.searchId}`, title: search.name, self },
    updatedAt: matches[0]?.matchedAt ?? search.createdAt,
    items: matches.map((match) => ({
      ...{ id: `urn:uuid:${match.docId}`, url: match.url, title: match.title, authors: match.authors },
      ...{ lang: match.lang, publishedAt: match.publishedAt, updatedAt: match.matchedAt },
      summary: match.summary ?? undefined,
    })),
  };
}

function routeOf(form: keyof typeof FORMS) {
  const { type, name } = FORMS[form];
  return createRoute({
    method: "get",
    path: `/v1/searches/{search_id}/feed.${form}`,
    operationId: form === "atom" ? "getSearchAtomFeed" : "getSearchJsonFeed",
    tags: ["saved searches"],
    summary: `The newest ${ENTRIES} matches of a saved search, as ${name}`,
    description: "Needs the search's own key alone, which a holder of scope `desk` is shown, may renew and take away.",
    request: {
      params: searchParams,
      query: z.object({ key: z.string().min(1).max(KEY_LENGTH).openapi({ description: "The search's `feed_key`." }) }),
    },
    responses: {
      200: { description: "The feed.", content: { [type.split(";")[0] ?? ""]: { schema: z.string() } } },
      ...problems("unauthorized", "not-found", "validation-error", "overloaded", "service-unavailable"),
    },
  });
}
