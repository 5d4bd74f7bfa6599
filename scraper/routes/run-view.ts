import { z } from "@isnad/lib/http";
import type { Run } from "@isnad/lib/store";

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
    error: z.string().nullable(),
  })
  .openapi("Run");

/** Shows a run. */
export function runView(run: Run): z.output<typeof RunView> {
  const {
    runId,
    profileId,
    provider,
    status,
    trigger,
    attempts,
    limit,
    createdAt,
    startedAt,
    finishedAt,
    counts,
    error,
  } = run;
  return {
    run_id: runId,
    profile_id: profileId,
    provider,
    status,
    trigger,
    attempts,
    limit,
    created_at: createdAt,
    started_at: startedAt,
    finished_at: finishedAt,
    counts,
    error,
  };
}
