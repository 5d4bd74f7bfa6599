import {
  AppError,
  createRoute,
  type HttpEnv,
  keepOpen,
  note,
  type OpenAPIHono,
  problems,
  z,
} from "@isnad/lib/service/http";
import { nameField, timeParam } from "@isnad/lib/contract";
import { type Guard, GUARDED } from "../auth.ts";
import { optionalJsonBody } from "./optional-body.ts";
import { unknownProfile } from "./profiles.ts";
import type { ScraperDeps } from "../deps.ts";

/** POST /replay: sends kept articles again; nothing is fetched. */
export function addReplay(app: OpenAPIHono<HttpEnv>, deps: ScraperDeps, guard: Guard): void {
  const { crawler, profiles, store } = deps;
  app.openapi({ ...route, middleware: [guard, optionalJsonBody()] }, async (c) => {
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

const route = createRoute({
  method: "post",
  path: "/replay",
  operationId: "replayArticles",
  tags: ["runs"],
  summary: "Send kept articles to the ingest endpoint again",
  description: "Articles come from the scraper's own store. Without any filter, all of them.",
  security: GUARDED,
  request: { body: { required: false, content: { "application/json": { schema: ReplayBody } } } },
  responses: {
    202: { description: "What became of them.", content: { "application/json": { schema: ReplayCounts } } },
    ...problems(
      "malformed-json",
      "unauthorized",
      "not-found",
      "payload-too-large",
      "unsupported-media-type",
      "validation-error",
      "service-unavailable",
    ),
  },
});
