import {
  CURSOR_DOC,
  LIMITS,
  nameField,
  NewSource,
  SCHEDULED_PROVIDERS,
  SourceChange,
  SourceKey,
  SourcePage,
  type SourceStatus,
  SourceView,
  wholeParam,
} from "@isnad/lib/contract";
import {
  type Access,
  answer,
  AppError,
  BODY_PROBLEMS,
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
import type { Source, SourceInput, SourceOverview } from "@isnad/lib/store";
import { refusedAddress } from "@isnad/lib/web/egress";
import type { ApiDeps } from "../deps.ts";

/** A source that is pulled and brings nothing for so long is silent, in milliseconds. */
const SILENT_MS = 7 * 86_400_000;

/** Returns a source as clients see it; its feed's address, which may hold a credential, only `withFeed`. */
function sourceView(
  source: SourceOverview,
  { withFeed, now, intervalS }: { withFeed: boolean; now: number; intervalS: number },
): SourceView {
  const { key, name, provider, feedUrl, homepage, language, tier, active, lastPull, lastArticle, volume } = source;
  const shown = { key, name, provider, ...(withFeed && { feed_url: feedUrl }), homepage, language, tier, active };
  return {
    ...shown,
    ...stateOf(source, now),
    last_pull: lastPull === null ? null : { ...pullView(lastPull), error: withFeed ? lastPull.error : null },
    next_pull: nextPull(source, { now, intervalS }),
    last_article: lastArticle === null ? null : { article_id: lastArticle.articleId, at: lastArticle.at },
    volume: volume === null ? null : volumeView(volume),
    articles_per_day: source.articlesPerDay,
    created_at: source.createdAt,
    updated_at: source.updatedAt,
  };
}

function pullView({ runId, by, status, at }: NonNullable<SourceOverview["lastPull"]>) {
  return { run_id: runId, by, status, at };
}

/** Returns when the workers pull a source again by themselves; null where they do not, or are about to. */
function nextPull(
  { provider, active, lastPull }: SourceOverview,
  { now, intervalS }: { now: number; intervalS: number },
): string | null {
  const isScheduled = active && intervalS > 0 && SCHEDULED_PROVIDERS.includes(provider ?? "");
  if (!isScheduled || lastPull === null || ["queued", "running"].includes(lastPull.status)) return null;
  const due = Date.parse(lastPull.at) + intervalS * 1_000;
  return due > now ? new Date(due).toISOString() : null;
}

function volumeView({ state, since, lastDay, usual }: NonNullable<SourceOverview["volume"]>) {
  return { state, since, last_day: lastDay, usual };
}

/** Tells how a source stands, for programs and in words, an unusual last day among them. */
function stateOf(source: SourceOverview, now: number): { status: SourceStatus; state: string } {
  const { status, state } = pullState(source, now);
  const { volume } = source;
  if (volume === null || volume.state === "usual" || volume.usual === null) return { status, state };
  const { lastDay, usual, since } = volume;
  const what = volume.state === "quiet" ? "has gone quiet" : "has doubled";
  const counts = `${lastDay} ${lastDay === 1 ? "article" : "articles"} in 24 hours, usually ${Math.round(usual)}`;
  return { status, state: `${what}${since === null ? "" : ` since ${day(since)}`}: ${counts}; ${state}` };
}

/** Tells how the pulls of a source stand. */
function pullState(source: SourceOverview, now: number): { status: SourceStatus; state: string } {
  const { provider, active, offSince, lastPull, lastArticle, articlesPerDay } = source;
  const last = lastArticle === null ? "no article yet" : `last article ${day(lastArticle.at)}`;
  const verb = lastPull?.by === "scraper" ? "scraped" : "pulled";
  if (offSince !== null) return { status: "off", state: `switched off since ${day(offSince)}; ${last}` };
  if (!active || provider === null) {
    if (lastPull !== null) {
      const end = lastPull.status === "failed" ? ", which failed" : "";
      return { status: "not-pulled", state: `not ${verb} by itself; last ${day(lastPull.at)}${end}; ${last}` };
    }
    return {
      status: "not-pulled",
      state: `${lastArticle === null ? "" : "known from its articles, "}not pulled; ${last}`,
    };
  }
  if (lastPull === null) return { status: "waiting", state: `not ${verb} yet; ${last}` };
  const rate = `${articlesPerDay} ${articlesPerDay === 1 ? "article" : "articles"} a day`;
  if (lastPull.status === "queued") return { status: "waiting", state: `waits to be ${verb}; ${rate}` };
  if (lastPull.status === "running") return { status: "running", state: `is being ${verb}; ${rate}` };
  if (lastPull.status === "failed")
    return { status: "failing", state: `the last time failed (${day(lastPull.at)}); ${last}` };
  const isSilent = lastArticle === null || now - Date.parse(lastArticle.at) > SILENT_MS;
  if (isSilent) return { status: "silent", state: `${verb} ${day(lastPull.at)}; ${last}` };
  return { status: "ok", state: `${verb} ${day(lastPull.at)}; ${rate}` };
}

function day(time: string): string {
  return time.slice(0, 10);
}

/** GET and POST /v1/sources, GET, PATCH and DELETE /v1/sources/{key}: what articles come from. */
export function addSources(
  app: OpenAPIHono<HttpEnv>,
  { config, access, store, limiter }: Pick<ApiDeps, "config" | "store"> & { access: Access; limiter: Limiter },
): void {
  const read = access.read();
  const desk = access.require("desk");
  const { intervalS } = config.pull;
  const allowed = config.scraper.allowPrivateHosts;
  const checkFeed = (address: string | undefined): void => {
    const refusal = address && refusedAddress(address, allowed, "SCRAPER_ALLOW_PRIVATE_HOSTS");
    if (refusal) throw invalidFields({ feed_url: [refusal] });
  };
  const seenBy = (c: HttpContext) => ({ withFeed: access.has(c, "desk"), now: Date.now(), intervalS });

  const shown = async (c: HttpContext, key: string): Promise<SourceView> => {
    const [source] = await store.sourceStates.overviews({ key, limit: 1 });
    if (source === undefined) throw unknownSource(key);
    return sourceView(source, seenBy(c));
  };

  app.openapi({ ...list, middleware: [read] }, async (c) => {
    const { limit, cursor } = c.req.valid("query");
    const ask = () => store.sourceStates.overviews({ after: cursor, limit: limit + 1 });
    const sources = await limiter.run(ask, { signal: c.req.raw.signal, client: c.var.client });
    const { page, next_cursor } = pageOf(sources, limit, ({ key }) => key);
    return c.json({ sources: page.map((source) => sourceView(source, seenBy(c))), next_cursor }, 200);
  });

  app.openapi({ ...create, middleware: [desk, jsonBody()] }, async (c) => {
    const { key, provider = "rss", active = true, ...fields } = c.req.valid("json");
    checkFeed(fields.feed_url);
    if (!(await store.sources.create({ ...inputOf(key, { ...fields, provider }), active }))) {
      throw new AppError("conflict", `There is a source ${key}; PATCH changes it.`);
    }
    if (!active) await store.sourceStates.switch(key, false);
    note(c, { source: key, active });
    return c.json(await shown(c, key), 201, { Location: `/v1/sources/${encodeURIComponent(key)}` });
  });

  app.openapi({ ...show, middleware: [read] }, async (c) => c.json(await shown(c, c.req.valid("param").key), 200));

  app.openapi({ ...change, middleware: [desk, jsonBody()] }, async (c) => {
    const { key } = c.req.valid("param");
    const { active, ...fields } = c.req.valid("json");
    checkFeed(fields.feed_url);
    const source = await store.sources.get(key);
    if (source === undefined) throw unknownSource(key);
    const input = inputOf(key, fields);
    requireFeed({ ...source, ...input });
    // Removed meanwhile, it does not come back.
    if (!(await store.sources.update(input))) throw unknownSource(key);
    if (active !== undefined) await store.sourceStates.switch(key, active);
    note(c, { source: key, ...(active !== undefined && { active }) });
    return c.json(await shown(c, key), 200);
  });

  app.openapi({ ...pull, middleware: [desk] }, async (c) => {
    const { key } = c.req.valid("param");
    const source = await store.sources.get(key);
    if (source === undefined) throw unknownSource(key);
    const { provider, offSince } = source;
    if (offSince !== null) throw new AppError("conflict", `The source ${key.slice(0, 64)} is switched off.`);
    if (provider === null || provider === "scraper-push") {
      const how = provider === null ? "known from its articles alone" : "crawled by the scraper: POST /scraper/runs";
      throw new AppError("conflict", `The source ${key.slice(0, 64)} is not pulled; it is ${how}.`);
    }
    const { run, fresh } = await store.pulls.request({ sourceKey: key, provider, trigger: "api" });
    note(c, { source: key, run_id: run.runId, fresh });
    return c.json({ run_id: run.runId, status: run.status, fresh }, 202);
  });

  app.openapi({ ...remove, middleware: [desk] }, async (c) => {
    const { key } = c.req.valid("param");
    if (!(await store.sourceStates.remove(key))) throw unknownSource(key);
    note(c, { source: key });
    return c.body(null, 204);
  });
}

/** Returns what a request says of a source, for the store. */
function inputOf(key: string, change: SourceChange): SourceInput {
  const { provider, name, feed_url: feedUrl, homepage, language, tier } = change;
  return {
    key,
    ...(provider !== undefined && { provider }),
    ...(name !== undefined && { name }),
    ...(feedUrl !== undefined && { feedUrl }),
    ...(homepage !== undefined && { homepage }),
    ...(language !== undefined && { language }),
    ...(tier !== undefined && { tier }),
  };
}

function requireFeed({ provider, feedUrl }: Pick<Source, "provider" | "feedUrl">): void {
  if (provider === "rss" && feedUrl === null) throw invalidFields({ feed_url: ["is required with provider rss"] });
}

function unknownSource(key: string): AppError {
  return new AppError("not-found", `There is no source ${key.slice(0, 64)}.`);
}

const params = z.object({ key: SourceKey });
const DESK = [{ ingestToken: [] }];
const OPEN = [{}, { publicKey: [] }, { ingestToken: [] }];
const one = (description: string) => answer(description, SourceView);

const list = createRoute({
  method: "get",
  path: "/v1/sources",
  operationId: "listSources",
  tags: ["sources"],
  summary: "The sources, with what came of them lately",
  security: OPEN,
  request: {
    query: z.object({
      limit: wholeParam({ min: 1, max: 1000, fallback: 200 }),
      cursor: nameField({ max: LIMITS.sourceId }).optional().openapi({ description: CURSOR_DOC }),
    }),
  },
  responses: {
    200: answer("In the order of their keys.", SourcePage),
    ...problems("unauthorized", "validation-error", "overloaded", "service-unavailable"),
  },
});

const create = createRoute({
  method: "post",
  path: "/v1/sources",
  operationId: "createSource",
  tags: ["sources"],
  summary: "Register a source",
  security: DESK,
  request: {
    body: bodyOf(NewSource, {
      key: "alwatan",
      name: "الوطن",
      feed_url: "https://alwatan.example/rss",
      language: "ar",
      tier: 2,
    }),
  },
  responses: {
    201: one("Registered; the workers pull it when its turn comes."),
    ...problems(...BODY_PROBLEMS, "unauthorized", "conflict", "service-unavailable"),
  },
});

const show = createRoute({
  method: "get",
  path: "/v1/sources/{key}",
  operationId: "getSource",
  tags: ["sources"],
  summary: "A source, with what came of it lately",
  security: OPEN,
  request: { params },
  responses: {
    200: one("The source."),
    ...problems("unauthorized", "not-found", "validation-error", "service-unavailable"),
  },
});

const change = createRoute({
  method: "patch",
  path: "/v1/sources/{key}",
  operationId: "updateSource",
  tags: ["sources"],
  summary: "Change a source, switch it off or on",
  description:
    "A source that is off is neither pulled by the workers nor scheduled by the scraper, whatever its profile says; what is in work ends.",
  security: DESK,
  request: { params, body: bodyOf(SourceChange) },
  responses: {
    200: one("As it is now."),
    ...problems(...BODY_PROBLEMS, "unauthorized", "not-found", "service-unavailable"),
  },
});

const pull = createRoute({
  method: "post",
  path: "/v1/sources/{key}/pull",
  operationId: "pullSource",
  tags: ["sources"],
  summary: "Have a source pulled now",
  description: "The workers take it when they are free. Asking again while it waits changes nothing.",
  security: DESK,
  request: { params },
  responses: {
    202: answer(
      "It waits; `last_pull` of the source tells how it goes on. `fresh` is false where it waited before.",
      z.object({ run_id: z.string(), status: z.string(), fresh: z.boolean() }).openapi("PullReceipt"),
    ),
    ...problems("unauthorized", "not-found", "conflict", "validation-error", "service-unavailable"),
  },
});

const remove = createRoute({
  method: "delete",
  path: "/v1/sources/{key}",
  operationId: "deleteSource",
  tags: ["sources"],
  summary: "Remove a source; its articles stay",
  description:
    "It is neither pulled nor scheduled until it is registered again. An article that is pushed under its key makes it known again, not pulled.",
  security: DESK,
  request: { params },
  responses: {
    204: { description: "Removed." },
    ...problems("unauthorized", "not-found", "validation-error", "service-unavailable"),
  },
});
