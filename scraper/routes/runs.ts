import {
  BODY_PROBLEMS,
  AppError,
  createRoute,
  type HttpEnv,
  jsonBody,
  note,
  type OpenAPIHono,
  PROBLEM_JSON,
  Problem,
  problems,
  z,
} from "@isnad/lib/service/http";
import {
  DetailedRunView,
  nameField,
  RUN_STATUSES,
  RUN_TRIGGERS,
  RunView,
  timeParam,
  wholeParam,
} from "@isnad/lib/contract";
import { type Guard, GUARDED, type ScraperDeps } from "../deps.ts";
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
  request: { body: { required: true, content: { "application/json": { schema: NewRun } } } },
  responses: {
    202: {
      description: "The run is queued; GET /runs/{run_id} tells how it goes on.",
      content: {
        "application/json": {
          schema: z.object({ run_id: z.string(), profile_id: z.string(), status: z.enum(RUN_STATUSES) }),
        },
      },
    },
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
    200: {
      description: "A page of runs; `next_cursor` is null on the last one.",
      content: {
        "application/json": {
          schema: z.object({ runs: z.array(RunView), next_cursor: z.string().nullable() }).openapi("RunPage"),
        },
      },
    },
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
    200: { description: "The run.", content: { "application/json": { schema: DetailedRunView } } },
    ...problems("not-found", "service-unavailable"),
  },
});
