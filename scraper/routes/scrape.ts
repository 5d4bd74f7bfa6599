import {
  DetailedRunView,
  LIMITS,
  nameField,
  RUN_STATUSES,
  RUN_TRIGGERS,
  RunView,
  ScrapeFile,
  ScrapeResults,
  textField,
  timeParam,
  wholeParam,
} from "@isnad/lib/contract";
import {
  answer,
  AppError,
  BODY_PROBLEMS,
  bodyOf,
  createMiddleware,
  createRoute,
  type HttpEnv,
  jsonBody,
  keepOpen,
  note,
  type OpenAPIHono,
  Problem,
  PROBLEM_JSON,
  problems,
  z,
} from "@isnad/lib/service/http";
import type { OffState } from "@isnad/lib/store";
import { type Guard, GUARDED, type ScraperDeps } from "../deps.ts";
import type { Profile } from "../profiles/schema.ts";
import { detailedRunView, runView, sourceOff, unknownProfile } from "./profiles.ts";

/** POST /runs, GET /runs and GET /runs/{run_id}. */
export function addRuns(app: OpenAPIHono<HttpEnv>, deps: ScraperDeps, guard: Guard): void {
  const { profiles, onQueued } = deps;
  const { scraper, sourceStates } = deps.store;
  const { runs } = scraper;

  app.openapi({ ...create, middleware: [guard, jsonBody()] }, async (c) => {
    const { profile_id, limit, trigger, force } = c.req.valid("json");
    const profile = profiles.get(profile_id);
    if (profile === undefined) throw unknownProfile(profile_id);
    const off = force ? undefined : (await sourceStates.off()).get(profile.source.id);
    if (off !== undefined) throw sourceOff(profile.source.id, off);
    const made = await runs.create({
      profileId: profile.name,
      provider: profile.provider,
      sourceKey: profile.source.id,
      trigger,
      limit: limit ?? null,
    });
    if ("running" in made) throw alreadyRunning(made.running);
    const { runId, status } = made.run;
    onQueued();
    note(c, { run_id: runId, profile: profile.name, trigger });
    return c.json({ run_id: runId, profile_id: profile.name, status }, 202);
  });

  app.openapi(list, async (c) => {
    const { profile_id, since, until, ...filter } = c.req.valid("query");
    const { runs: page, nextCursor } = await runs.list({
      ...filter,
      profileId: profile_id,
      since: since === undefined ? undefined : new Date(since).toISOString(),
      until: until === undefined ? undefined : new Date(until).toISOString(),
    });
    return c.json({ runs: page.map(runView), next_cursor: nextCursor }, 200);
  });

  app.openapi(show, async (c) => {
    const { run_id } = c.req.valid("param");
    const run = await runs.get(run_id);
    if (run === undefined) throw new AppError("not-found", `There is no run ${run_id.slice(0, 64)}.`);
    return c.json(detailedRunView(run), 200);
  });
}

function alreadyRunning({ runId, status, profileId }: { runId: string; status: string; profileId: string }): AppError {
  return new AppError("conflict", `The profile ${profileId} has a run that is ${status}.`, {
    extra: { run_id: runId, profile_id: profileId, run_status: status },
  });
}

const NewRun = z
  .object({
    profile_id: nameField({ max: 64 }).openapi({ description: "Name of the profile; it need not be enabled." }),
    limit: z
      .int()
      .min(1)
      .max(10_000)
      .nullish()
      .openapi({ description: "Most articles to fetch, in place of the profile's." }),
    trigger: z
      .enum(["api", "cli"])
      .default("api")
      .openapi({ description: "What the run is recorded to be asked for by." }),
    force: z
      .boolean()
      .default(false)
      .openapi({ description: "Run it although its source was switched off or removed." }),
  })
  .openapi("NewRun");

const create = createRoute({
  method: "post",
  path: "/runs",
  operationId: "createRun",
  tags: ["runs"],
  summary: "Queue a run of a profile",
  security: GUARDED,
  request: { body: bodyOf(NewRun) },
  responses: {
    202: answer(
      "The run is queued; GET /runs/{run_id} tells how it goes on.",
      z.object({ run_id: z.string(), profile_id: z.string(), status: z.enum(RUN_STATUSES) }),
    ),
    ...problems(...BODY_PROBLEMS, "unauthorized", "not-found", "service-unavailable"),
    409: {
      description:
        "The profile has a run that is queued or running, which `run_id` names; or its source is off, and `force` is not set.",
      content: {
        [PROBLEM_JSON]: {
          schema: Problem.extend({ run_id: z.string().optional(), run_status: z.enum(RUN_STATUSES).optional() }),
        },
      },
    },
  },
});

const list = createRoute({
  method: "get",
  path: "/runs",
  operationId: "listRuns",
  tags: ["runs"],
  summary: "Runs, newest first",
  request: {
    query: z
      .object({
        profile_id: nameField({ max: 64 }).optional(),
        status: z.enum(RUN_STATUSES).optional(),
        trigger: z.enum(RUN_TRIGGERS).optional(),
        since: timeParam().optional().openapi({ description: "Queued then or later." }),
        until: timeParam({ endOfDay: true }).optional().openapi({ description: "Queued then or earlier." }),
        limit: wholeParam({ min: 1, max: 100, fallback: 50 }),
        cursor: z.string().optional().openapi({ format: "uuid", description: "The `next_cursor` of the page before." }),
      })
      .refine(({ since, until }) => since === undefined || until === undefined || since <= until, {
        error: "since must not be after until",
      }),
  },
  responses: {
    200: answer(
      "A page of runs; `next_cursor` is null on the last one.",
      z.object({ runs: z.array(RunView), next_cursor: z.string().nullable() }).openapi("RunPage"),
    ),
    ...problems("validation-error", "service-unavailable"),
  },
});

const show = createRoute({
  method: "get",
  path: "/runs/{run_id}",
  operationId: "getRun",
  tags: ["runs"],
  summary: "A run with its counts, its feeds, and why articles did not come",
  request: { params: z.object({ run_id: z.string().openapi({ format: "uuid" }) }) },
  responses: {
    200: answer("The run.", DetailedRunView),
    ...problems("not-found", "service-unavailable"),
  },
});

/** Reads a JSON body as {@link jsonBody} does; a request without any body is read as `{}`. */
function optionalJsonBody() {
  const read = jsonBody();
  return createMiddleware<HttpEnv>(async function readOptionalBody(c, next) {
    const { headers, body } = c.req.raw;
    if (body === null && !headers.has("content-type")) return await next();
    return await read(c, next);
  });
}

/** POST /scrape: scrapes now, and answers with what was found or where it was written. */
export function addScrape(app: OpenAPIHono<HttpEnv>, deps: ScraperDeps, guard: Guard): void {
  const { crawler, measured } = deps;
  app.openapi({ ...scrapeRoute, middleware: [guard, optionalJsonBody()] }, async (c) => {
    const { sources, query, categories, limit, send_to_api = true, write_to_disk = false, force } = c.req.valid("json");
    const off = force ? new Map<string, OffState>() : await deps.store.sourceStates.off();
    const chosen = chosenProfiles(deps, sources, off);
    keepOpen(c);
    const answer = await crawler.scrape(
      chosen,
      { query, categories, limit, sendToApi: send_to_api, writeToDisk: write_to_disk },
      { signal: c.req.raw.signal, requestId: c.var.requestId },
    );
    const { total_articles, errors = {} } = answer.metadata;
    measured.scraped(chosen, new Set(Object.keys(errors)), total_articles);
    note(c, { sources: chosen.length, articles: total_articles, failed: Object.keys(errors) });
    return c.json(answer, 200);
  });
}

/**
 * Returns the named profiles, each once, or all that are enabled and whose source is not off. Throws 404 for a name
 * without one, 409 for one whose source is off.
 */
function chosenProfiles(
  { profiles }: Pick<ScraperDeps, "profiles">,
  names: readonly string[] | undefined,
  off: ReadonlyMap<string, OffState>,
): Profile[] {
  if (names === undefined) return profiles.all().filter(({ enabled, source }) => enabled && !off.has(source.id));
  return [...new Set(names)].map((name) => {
    const profile = profiles.get(name);
    if (profile === undefined) throw unknownProfile(name);
    const state = off.get(profile.source.id);
    if (state !== undefined) throw sourceOff(profile.source.id, state);
    return profile;
  });
}

const ScrapeBody = z
  .object({
    sources: z
      .array(nameField({ max: 64 }))
      .min(1)
      .max(1000)
      .optional()
      .openapi({ description: "Names of profiles; when missing, all that are enabled and whose source is not off." }),
    query: textField({ min: 1, max: LIMITS.query })
      .optional()
      .openapi({ description: "Words that an article's title or content must all hold." }),
    categories: z
      .array(nameField({ max: LIMITS.category }))
      .max(100)
      .optional()
      .openapi({ description: "Categories or labels, one of which an article must have; none when missing or empty." }),
    limit: z.int().min(1).max(10_000).optional().openapi({ description: "Most articles of each source." }),
    write_to_disk: z
      .boolean()
      .optional()
      .openapi({ default: false, description: "Append the articles to a JSONL file of the output folder." }),
    send_to_api: z
      .boolean()
      .optional()
      .openapi({ default: true, description: "Send the articles to the ingest endpoint." }),
    force: z
      .boolean()
      .default(false)
      .openapi({ description: "Scrape the named sources although somebody switched them off or removed them." }),
  })
  .openapi("ScrapeRequest");

const scrapeRoute = createRoute({
  method: "post",
  path: "/scrape",
  operationId: "scrapeSources",
  tags: ["runs"],
  summary: "Scrape now",
  description:
    "Answers when all sources are done; a source that fails does not fail the others. What cannot be sent to the API now is kept and sent later.",
  security: GUARDED,
  request: { body: { required: false, content: { "application/json": { schema: ScrapeBody } } } },
  responses: {
    200: answer(
      "The articles, or with `write_to_disk` the file that they were appended to.",
      z.union([ScrapeResults, ScrapeFile]),
    ),
    ...problems(...BODY_PROBLEMS, "unauthorized", "not-found", "conflict", "service-unavailable"),
  },
});

/** POST /replay: sends kept articles again; nothing is fetched. */
export function addReplay(app: OpenAPIHono<HttpEnv>, deps: ScraperDeps, guard: Guard): void {
  const { crawler, profiles, store } = deps;
  app.openapi({ ...replayRoute, middleware: [guard, optionalJsonBody()] }, async (c) => {
    const { profile_id, run_id, since, until, limit, send_to_api = true } = c.req.valid("json");
    if (run_id !== undefined && (await store.scraper.runs.get(run_id)) === undefined) {
      throw new AppError("not-found", `There is no run ${run_id}.`);
    }
    keepOpen(c);
    const counts = await crawler.replay(
      {
        profileId: profile_id,
        runId: run_id,
        since: since === undefined ? undefined : new Date(since).toISOString(),
        until: until === undefined ? undefined : new Date(until).toISOString(),
        limit,
        sendToApi: send_to_api,
      },
      { signal: c.req.raw.signal, requestId: c.var.requestId },
    );
    // Articles outlive their profile, so that only a name without both is unknown.
    if (counts.matched === 0 && profile_id !== undefined && profiles.get(profile_id) === undefined) {
      throw unknownProfile(profile_id);
    }
    note(c, { ...counts });
    return c.json(counts, 202);
  });
}

const ReplayBody = z
  .object({
    profile_id: nameField({ max: 64 }).optional(),
    run_id: nameField({ max: 64 }).optional().openapi({ description: "Articles that this run kept." }),
    since: timeParam().optional().openapi({ description: "Kept then or later." }),
    until: timeParam({ endOfDay: true }).optional().openapi({ description: "Kept then or earlier." }),
    limit: z.int().min(1).max(1_000_000).optional().openapi({ description: "Most articles, the newest ones." }),
    send_to_api: z
      .boolean()
      .optional()
      .openapi({ default: true, description: "false only counts what would be sent." }),
  })
  .refine(({ since, until }) => since === undefined || until === undefined || since <= until, {
    error: "since must not be after until",
  })
  .openapi("ReplayRequest");

const ReplayCounts = z
  .object({
    matched: z.int(),
    sent: z.int().openapi({ description: "Articles that the API answered for." }),
    accepted: z.int(),
    duplicate: z.int(),
    conflict: z.int().openapi({ description: "The platform has the article with other content." }),
    failed: z.int(),
  })
  .openapi("ReplayCounts");

const replayRoute = createRoute({
  method: "post",
  path: "/replay",
  operationId: "replayArticles",
  tags: ["runs"],
  summary: "Send kept articles to the ingest endpoint again",
  description: "Articles come from the scraper's own store. Without any filter, all of them.",
  security: GUARDED,
  request: { body: { required: false, content: { "application/json": { schema: ReplayBody } } } },
  responses: {
    202: answer("What became of them.", ReplayCounts),
    ...problems(...BODY_PROBLEMS, "unauthorized", "not-found", "service-unavailable"),
  },
});
