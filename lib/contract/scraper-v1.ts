import { z } from "@hono/zod-openapi";

/**
 * A profile as `GET /profiles` of the scraper lists it, as far as its callers rely on it; the rest is configuration.
 */
export const ListedProfile = z.object({
  name: z.string(),
  enabled: z.boolean(),
  language: z.string(),
  source: z.object({
    /** The `source_id` that articles carry. */
    id: z.string(),
    name: z.string(),
    tier: z.int(),
    homepage: z.string(),
  }),
});
export type ListedProfile = z.output<typeof ListedProfile>;

/** The body of `GET /profiles`. */
export const ListedProfiles = z.array(ListedProfile);

/** An article as the scraper hands it out. */
export const NormalizedItem = z
  .object({
    id: z.string().openapi({
      description:
        "The same for the same source and canonical address for ever; the external_id at the ingest endpoint.",
    }),
    title: z.string(),
    content: z.string().openapi({ description: "Plain text, an empty line between paragraphs." }),
    url: z.string(),
    published_at: z
      .string()
      .nullable()
      .openapi({ format: "date-time", description: "null when neither the feed nor the page says." }),
    source: z.string().openapi({ description: "The source.id of the profile." }),
    category: z.string().openapi({
      description:
        "The canonical category, or the source's own label where the profile's map has none for it; empty for none.",
    }),
    language: z.string().openapi({ description: "Two-letter code, empty when unknown." }),
    canonical_url: z.string(),
    authors: z.array(z.string()),
    images: z.array(z.string()),
    provider: z.string(),
  })
  .openapi("NormalizedItem");
export type NormalizedItem = z.output<typeof NormalizedItem>;

const metadata = z
  .object({
    total_articles: z.int(),
    sources_processed: z.array(z.string()).openapi({ description: "Names of the profiles that were gone through." }),
    processing_time_ms: z.int(),
    errors: z
      .record(z.string(), z.string())
      .optional()
      .openapi({ description: "What went wrong with a profile, by its name; missing when nothing did." }),
    delivery: z
      .object({ accepted: z.int(), duplicate: z.int(), conflict: z.int(), failed: z.int(), pending: z.int() })
      .optional()
      .openapi({
        description:
          "What the API said to what was sent, earlier articles of these profiles included; `pending` ones are sent later.",
      }),
  })
  .openapi("ScrapeMetadata");

const errors = z
  .array(
    z
      .object({
        profile: z.string(),
        url: z.string(),
        reason: z.string().openapi({ description: "A code, with a detail after a colon.", example: "http-404" }),
        at: z.string().openapi({ format: "date-time" }),
      })
      .openapi("ScrapeError"),
  )
  .openapi({ description: "Why listings and articles did not come, the newest hundred articles of each profile." });

/** The answer to `POST /scrape`: the articles. */
export const ScrapeResults = z.object({ results: z.array(NormalizedItem), metadata, errors }).openapi("ScrapeResults");
export type ScrapeResults = z.output<typeof ScrapeResults>;

/** The same with `write_to_disk`: where the articles were written. */
export const ScrapeFile = z
  .object({
    file: z.string().openapi({ description: "Relative to the output folder." }),
    lines: z.int().openapi({ description: "Lines appended: one whole normalized item each." }),
    metadata,
    errors,
  })
  .openapi("ScrapeFile");
export type ScrapeFile = z.output<typeof ScrapeFile>;

/** The states of a run; the last three are final. */
export const RUN_STATUSES = ["queued", "running", "succeeded", "partial", "failed"] as const;

/** Holds what asks for a run. */
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

/** A draft of a profile, and what was seen of the site. */
export const ProfileDraft = z
  .object({
    profile: z.record(z.string(), z.unknown()).openapi({
      description: "As it goes into a file of `PROFILES_DIR`; it is not enabled.",
    }),
    url: z.string(),
    name: z.string(),
    language: z.enum(["ar", "en"]),
    timezone: z.string(),
    feeds: z.array(z.object({ url: z.string(), title: z.string(), entries: z.int() })),
    articles: z
      .array(
        z.object({
          url: z.string(),
          title: z.string(),
          words: z.int(),
          published_at: z.string().nullable().openapi({ format: "date-time" }),
          read_well: z.boolean(),
          why: z.string().nullable().openapi({ description: "Why it could not be read; null where it was." }),
        }),
      )
      .openapi({ description: "Those that were tried." }),
    notes: z.array(z.string()).openapi({ description: "What somebody should look at." }),
    requests: z.int().openapi({ description: "Addresses of the site that were asked." }),
  })
  .openapi("ProfileDraft");
export type ProfileDraft = z.output<typeof ProfileDraft>;
