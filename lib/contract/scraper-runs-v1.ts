import { z } from "@hono/zod-openapi";

/** The states of a run; the last three are final. */
export const RUN_STATUSES = ["queued", "running", "succeeded", "partial", "failed"] as const;

/** What asks for a run. */
export const RUN_TRIGGERS = ["schedule", "api", "cli"] as const;

const count = (description: string) => z.int().min(0).openapi({ description });

/** A run as the routes show it. */
export const RunView = z
  .object({
    run_id: z.string().openapi({ format: "uuid" }),
    profile_id: z.string(),
    provider: z.string(),
    status: z.enum(RUN_STATUSES),
    trigger: z.enum(RUN_TRIGGERS),
    attempts: z
      .int()
      .openapi({ description: "How often it was begun: again after its process ended; five times at most." }),
    limit: z.int().nullable().openapi({ description: "Most articles to fetch; null: as the profile says." }),
    created_at: z.string().openapi({ format: "date-time" }),
    started_at: z.string().nullable().openapi({ format: "date-time" }),
    finished_at: z.string().nullable().openapi({ format: "date-time" }),
    counts: z.object({
      discovered: count("Articles that feeds, sitemaps and list pages named."),
      fetched: count("Pages fetched."),
      extracted: count("Articles extracted."),
      sent: count("Articles that the platform answered for: accepted ones, duplicates and conflicts."),
      duplicate: count("Of those sent, articles that the platform had."),
      conflict: count("Articles that changed at their source after they were accepted (updated_at_source)."),
      failed: count("Articles that could not be fetched, extracted or taken in."),
      skipped: count("Articles passed over: too old, unchanged, or no articles."),
    }),
    selectors: z.record(z.string(), z.object({ matched: z.int().min(0), unmatched: z.int().min(0) })).openapi({
      description: "On how many pages each selector of the profile's `article` found something, and nothing.",
    }),
    error: z.string().nullable(),
  })
  .openapi("Run");
export type RunView = z.output<typeof RunView>;

/** A run with the reasons why articles did not come. */
export const DetailedRunView = RunView.extend({
  errors: z
    .array(
      z
        .object({
          url: z.string(),
          reason: z.string().openapi({ description: "A code, with a detail after a colon.", example: "http-500" }),
          at: z.string().openapi({ format: "date-time" }),
          retried: z.boolean().openapi({ description: "Whether it is tried again in a later run." }),
        })
        .openapi("RunError"),
    )
    .openapi({ description: "Why articles did not come, newest first, the newest hundred." }),
  feeds: z
    .array(
      z
        .object({
          url: z.string(),
          kind: z.enum(["feed", "sitemap", "list"]),
          status: z.int().nullable().openapi({ description: "HTTP status of its answer; null when there was none." }),
          entries: z.int().nullable().openapi({
            description: "What it names; null when it could not be read, or has not changed since it was read last.",
          }),
          too_old: z.int().openapi({ description: "Entries passed over as older than limits.max_age_days." }),
          error: z.string().nullable(),
        })
        .openapi("RunFeed"),
    )
    .openapi({ description: "What each feed, sitemap and list page of the profile answered." }),
  too_old: z.record(z.string(), z.int().min(0)).openapi({
    description:
      "Articles that were read and passed over as older than limits.max_age_days, by the date that decided: `listing`, `selector` (of the profile), `metadata`, `marked` (on the page as the article's own), `address`. A mere line of the page or a date of last change never decides.",
    example: { metadata: 3, listing: 1 },
  }),
}).openapi("DetailedRun");
export type DetailedRunView = z.output<typeof DetailedRunView>;
