import {
  NewSearch,
  numberParam,
  pageParams,
  readHookAddress,
  SavedSearchPage,
  SavedSearchView,
  SearchChange,
  SearchMatchPage,
  type SearchMatchView,
  SearchNotify,
} from "@isnad/lib/contract";
import { asksForEntities } from "@isnad/lib/search/watch";
import {
  type Access,
  answer,
  AppError,
  bodyOf,
  createRoute,
  type HttpContext,
  type HttpEnv,
  invalidFields,
  jsonBody,
  type Limiter,
  note,
  type OpenAPIHono,
  pageOf,
  problems,
  z,
} from "@isnad/lib/service/http";
import { isObject, type Json } from "@isnad/lib/std";
import type { SavedSearch, SearchInput, SearchMatch } from "@isnad/lib/store";
import { hostsForHooks, refusedAddress } from "@isnad/lib/web/egress";
import type { ApiDeps } from "../deps.ts";
import { createHash, timingSafeEqual } from "node:crypto";
import { type OutgoingFeed, writeAtom, writeJsonFeed } from "../../lib/web/feeds-out/feed.ts";
import { searchContent } from "../formats.ts";

/** The parts that the routes of saved searches stand on. */
type SearchesDeps = Pick<ApiDeps, "config" | "store"> & { access: Access; limiter: Limiter };

/** POST and GET /v1/searches, GET, PATCH and DELETE /v1/searches/{search_id}, its matches and its feeds' key. */
export function addSavedSearches(app: OpenAPIHono<HttpEnv>, { access, store, config, limiter }: SearchesDeps): void {
  // Before it is used as nullable: the document would have it as nullable everywhere.
  app.openAPIRegistry.register("SearchNotify", SearchNotify);
  const { searches } = store;
  const read = access.read();
  const desk = access.require("desk");
  const allowed = hostsForHooks({ appEnv: config.appEnv, allowPrivateHosts: config.outbox.allowPrivateHosts });

  const view = (c: HttpContext, search: SavedSearch): SavedSearchView =>
    searchView(search, { withSecrets: access.has(c, "desk"), baseUrl: config.publicBaseUrl });
  const refusalOf = (address: string): string | undefined => {
    const hook = readHookAddress(address);
    if (typeof hook === "string") return hook;
    if (hook.form !== "email") return refusedAddress(hook.url.href, allowed, "OUTBOX_ALLOW_PRIVATE_HOSTS");
    return config.notices.smtp === undefined ? "can be an e-mail address where SMTP_URL is set" : undefined;
  };
  const checkHook = (url: string | null | undefined): void => {
    const refusal = url == null ? undefined : refusalOf(url);
    if (refusal !== undefined) throw invalidFields({ "notify.webhook": [refusal] });
  };

  app.openapi({ ...create, middleware: [desk, jsonBody()] }, async (c) => {
    const { name, query, min_similarity = null, active, notify } = c.req.valid("json");
    const { webhook = null, digest = "none" } = notify ?? {};
    checkHook(webhook);
    const search = await searches.create({
      ...{ name, query: stored(query, await c.req.json()), minSimilarity: min_similarity, active, webhook, digest },
      ofEntities: asksForEntities(query),
      ofClaims: query.claims !== undefined,
    });
    note(c, { search: search.searchId });
    return c.json(view(c, search), 201, { Location: `/v1/searches/${search.searchId}` });
  });

  app.openapi({ ...list, middleware: [read] }, async (c) => {
    const { limit, cursor } = c.req.valid("query");
    const ask = () => searches.list({ before: cursor, limit: limit + 1 });
    const rows = await limiter.run(ask, { signal: c.req.raw.signal, client: c.var.client });
    const { page, next_cursor } = pageOf(rows, limit, ({ searchId }) => String(searchId));
    return c.json({ searches: page.map((search) => view(c, search)), next_cursor }, 200);
  });

  app.openapi({ ...show, middleware: [read] }, async (c) => {
    const { search_id } = c.req.valid("param");
    return c.json(view(c, found(await searches.get(search_id), search_id)), 200);
  });

  app.openapi({ ...change, middleware: [desk, jsonBody()] }, async (c) => {
    const { search_id } = c.req.valid("param");
    const { name, query, min_similarity, active, notify } = c.req.valid("json");
    checkHook(notify?.webhook);
    const input: Partial<SearchInput> = {
      ...(name !== undefined && { name }),
      ...(query !== undefined && {
        ...{ query: stored(query, await c.req.json()), ofEntities: asksForEntities(query) },
        ofClaims: query.claims !== undefined,
      }),
      ...(min_similarity !== undefined && { minSimilarity: min_similarity }),
      ...(active !== undefined && { active }),
      ...(notify === null && { webhook: null, digest: "none" }),
      ...(notify?.webhook !== undefined && { webhook: notify.webhook }),
      ...(notify?.digest !== undefined && { digest: notify.digest }),
    };
    note(c, { search: search_id });
    return c.json(view(c, found(await searches.update(search_id, input), search_id)), 200);
  });

  app.openapi({ ...remove, middleware: [desk] }, async (c) => {
    const { search_id } = c.req.valid("param");
    if (!(await searches.remove(search_id))) throw unknownSearch(search_id);
    note(c, { search: search_id });
    return c.body(null, 204);
  });

  app.openapi({ ...matches, middleware: [read] }, async (c) => {
    const { search_id } = c.req.valid("param");
    const { limit, cursor } = c.req.valid("query");
    found(await searches.get(search_id), search_id);
    const ask = () => searches.matches(search_id, { before: cursor, limit: limit + 1 });
    const rows = await limiter.run(ask, { signal: c.req.raw.signal, client: c.var.client });
    const { page, next_cursor } = pageOf(rows, limit, ({ matchNo }) => String(matchNo));
    return c.json({ matches: page.map(matchView), next_cursor }, 200);
  });

  for (const [route, revoke] of [
    [renewKey, false],
    [revokeKey, true],
  ] as const) {
    app.openapi({ ...route, middleware: [desk] }, async (c) => {
      const { search_id } = c.req.valid("param");
      note(c, { search: search_id });
      return c.json(view(c, found(await searches.changeFeedKey(search_id, { revoke }), search_id)), 200);
    });
  }
}

/** Returns the query as it was given, with its defaults: times as they were written. */
function stored(query: object, body: unknown): { [key: string]: Json } {
  const given = isObject(body) && isObject(body.query) ? body.query : {};
  return Object.fromEntries(
    Object.entries(query).flatMap(([name, value]): [string, Json][] =>
      value === undefined ? [] : [[name, JSON.parse(JSON.stringify(given[name] ?? value))]],
    ),
  );
}

function found(search: SavedSearch | undefined, searchId: number): SavedSearch {
  if (search === undefined) throw unknownSearch(searchId);
  return search;
}

/** Says that there is no search of this number. */
function unknownSearch(searchId: number): AppError {
  return new AppError("not-found", `There is no saved search ${searchId}.`);
}

/** Returns a search as clients see it; what lets others read or receive its matches only `withSecrets`. */
function searchView(
  search: SavedSearch,
  { withSecrets, baseUrl }: { withSecrets: boolean; baseUrl: string },
): SavedSearchView {
  const { searchId, name, query, minSimilarity, active, feedKey, webhook, digest, failures, lastError } = search;
  const feed = (form: string) => `${baseUrl.replace(/\/$/, "")}/v1/searches/${searchId}/feed.${form}?key=${feedKey}`;
  return {
    ...{ search_id: searchId, name, query, min_similarity: minSimilarity, active },
    ...(withSecrets && {
      notify: { webhook, digest, failures, last_error: lastError, next_at: search.dueAt },
      feed_key: feedKey,
      feeds: feedKey === null ? null : { atom: feed("atom"), json: feed("json") },
    }),
    matches: search.matches,
    last_match_at: search.lastMatchAt,
    created_at: search.createdAt,
    updated_at: search.updatedAt,
  };
}

function matchView(match: SearchMatch): SearchMatchView {
  return {
    article_id: match.articleId,
    doc_id: match.docId,
    matched_at: match.matchedAt,
    similarity: match.similarity,
    title: match.title,
    url: match.url,
    source: match.sourceId,
    lang: match.lang,
    category: match.categoryId,
    published_at: match.publishedAt,
  };
}

/** Names a search in a path. */
const searchParams = z.object({ search_id: numberParam() });

const DESK = [{ ingestToken: [] }];
const OPEN = [{}, { publicKey: [] }, { ingestToken: [] }];
const one = (description: string) => answer(description, SavedSearchView);
const EXAMPLE = {
  name: "Ports",
  query: { q: "مرفأ (بيروت OR طرابلس)", lang: "ar" },
  notify: { webhook: "https://hooks.example/ports", digest: "hourly" },
};
const written = problems("not-found", "service-unavailable");
const shown = problems("not-found", "overloaded", "service-unavailable");

const create = createRoute({
  method: "post",
  path: "/v1/searches",
  operationId: "createSavedSearch",
  tags: ["saved searches"],
  summary: "Keep a search: it is matched by every article that becomes searchable from now on",
  description:
    "An article matches where a search with these parameters would find it: by word where it holds what the query asks " +
    `for, by meaning from \`min_similarity\` on. Unknown parameters are ignored. A webhook gets events signed as all are; where ` +
    "OUTBOX_WEBHOOK_SECRET is not set, under the search's `feed_key`.",
  security: DESK,
  request: {
    body: bodyOf(NewSearch, EXAMPLE),
  },
  responses: { 201: one("Kept."), ...problems("service-unavailable") },
});

const list = createRoute({
  method: "get",
  path: "/v1/searches",
  operationId: "listSavedSearches",
  tags: ["saved searches"],
  summary: "The saved searches, newest first",
  description:
    "Whoever may read sees what is searched for. Where matches are told of, and the key of the feeds, are shown to a credential of scope `desk` alone.",
  security: OPEN,
  request: { query: z.object(pageParams({ max: 200, fallback: 50 })) },
  responses: {
    200: answer("A page.", SavedSearchPage),
    ...problems("unauthorized", "validation-error", "overloaded", "service-unavailable"),
  },
});

const show = createRoute({
  method: "get",
  path: "/v1/searches/{search_id}",
  operationId: "getSavedSearch",
  tags: ["saved searches"],
  summary: "A saved search",
  security: OPEN,
  request: { params: searchParams },
  responses: { 200: one("The search."), ...shown },
});

const change = createRoute({
  method: "patch",
  path: "/v1/searches/{search_id}",
  operationId: "updateSavedSearch",
  tags: ["saved searches"],
  summary: "Change a saved search, pause it or go on",
  description:
    "What it has matched stays. Another query, and one that goes on after a pause, is matched by what comes from now on.",
  security: DESK,
  request: {
    params: searchParams,
    body: bodyOf(SearchChange),
  },
  responses: { 200: one("As it is now."), ...written },
});

const remove = createRoute({
  method: "delete",
  path: "/v1/searches/{search_id}",
  operationId: "deleteSavedSearch",
  tags: ["saved searches"],
  summary: "Delete a saved search with its matches and what is still to be delivered",
  security: DESK,
  request: { params: searchParams },
  responses: {
    204: { description: "Deleted." },
    ...problems("unauthorized", "forbidden", "not-found", "validation-error", "service-unavailable"),
  },
});

const matches = createRoute({
  method: "get",
  path: "/v1/searches/{search_id}/matches",
  operationId: "listSearchMatches",
  tags: ["saved searches"],
  summary: "What a saved search has matched, newest first",
  security: OPEN,
  request: { params: searchParams, query: z.object(pageParams({ max: 200, fallback: 50 })) },
  responses: {
    200: answer("A page.", SearchMatchPage),
    ...shown,
  },
});

const renewKey = createRoute({
  method: "post",
  path: "/v1/searches/{search_id}/feed-key",
  operationId: "renewFeedKey",
  tags: ["saved searches"],
  summary: "Give the feeds of a saved search another key; the one before is good for nothing",
  security: DESK,
  request: { params: searchParams },
  responses: { 200: one("With its new key."), ...written },
});

const revokeKey = createRoute({
  method: "delete",
  path: "/v1/searches/{search_id}/feed-key",
  operationId: "revokeFeedKey",
  tags: ["saved searches"],
  summary: "Take the key of a saved search's feeds away: nobody can read them",
  security: DESK,
  request: { params: searchParams },
  responses: { 200: one("Without a key."), ...written },
});

/** Entries of a feed. */
const ENTRIES = 50;

/** The forms of a feed: how each is written, and as what it is served. */
const FORMS = {
  atom: { write: writeAtom, type: "application/atom+xml", name: "Atom" },
  json: { write: writeJsonFeed, type: "application/feed+json", name: "JSON Feed" },
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
      const { key = "" } = c.req.valid("query");
      const search = await store.searches.get(search_id);
      if (search === undefined) throw unknownSearch(search_id);
      if (!isKey(search, key))
        throw new AppError("unauthorized", "The feed's key is missing, or not valid, or not any more.");
      const ask = () => store.searches.matches(search_id, { limit: ENTRIES });
      const matches = await limiter.run(ask, { signal: c.req.raw.signal, client: c.var.client });
      const self = `${config.publicBaseUrl.replace(/\/$/, "")}/v1/searches/${search_id}/feed.${form}?key=${search.feedKey}`;
      return c.body(write(feedOf(search, matches, self)), 200, {
        "Content-Type": `${type}; charset=utf-8`,
        "Cache-Control": "private",
      });
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
      // Without one the answer is 401, as without any other credential.
      query: z.object({
        key: z
          .string()
          .optional()
          .openapi({ description: "The search's `feed_key`.", param: { required: true } }),
      }),
    },
    responses: {
      200: { description: "The feed.", content: { [type]: searchContent[type] } },
      304: { description: "Not changed since the answer whose `ETag` is in `If-None-Match`." },
      ...problems("unauthorized", "not-found", "validation-error", "overloaded", "service-unavailable"),
    },
  });
}
