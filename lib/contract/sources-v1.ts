import { z } from "@hono/zod-openapi";
import { SOURCE_VOLUME_STATES } from "./events-v1.ts";
import { addressField, isIdentifier, LIMITS, shownField } from "./fields.ts";

/**
 * Holds who brings the articles of a source: the workers from a feed, newsdata or the scraper, or the scraper by
 * itself.
 */
const SOURCE_PROVIDERS = ["rss", "newsdata", "scraper", "scraper-push"] as const;

/** Those whose active sources the workers pull by themselves, every `PULL_INTERVAL_S`. */
export const SCHEDULED_PROVIDERS: readonly string[] = ["rss", "newsdata", "scraper"];

/** Names the state of a source, for programs; `state` says it in words. */
const SOURCE_STATUSES = ["off", "not-pulled", "waiting", "running", "failing", "silent", "ok"] as const;
export type SourceStatus = (typeof SOURCE_STATUSES)[number];

/** Longest tag of a language, in characters. */
const MAX_LANGUAGE = 35;

const KEY_RULE = {
  error: `must have 1 to ${LIMITS.sourceId} characters, none of them a control character`,
  abort: true,
};

/** The key of a source that is named; an article may have brought one that is blank. */
export const SourceKey = z
  .string()
  .refine((key) => isIdentifier(key, LIMITS.sourceId), KEY_RULE)
  .openapi({ minLength: 1, maxLength: LIMITS.sourceId, pattern: "^[^\\u0000-\\u001f\\u007f]*$", example: "alwatan" });

const fields = {
  provider: z
    .enum(SOURCE_PROVIDERS)
    .openapi({ description: "Who brings its articles; `rss` where there is a feed and nothing else is said." }),
  name: shownField({ max: 255 }),
  feed_url: addressField().openapi({ description: "The feed that provider `rss` pulls." }),
  homepage: addressField(),
  language: z
    .string()
    .max(MAX_LANGUAGE)
    .regex(/^[a-z]{2,3}(?:-[A-Za-z0-9]{1,8})*$/, { error: "must be a language tag such as ar" }),
  tier: z.int().min(1).max(3).openapi({ description: "1 is most trusted." }),
  active: z.boolean().openapi({ description: "false switches it off: it is neither pulled nor scheduled." }),
};

/** Holds what a source may be changed in; what is left out stays. */
export const SourceChange = z.object(fields).partial().openapi("SourceChange");

export type SourceChange = z.output<typeof SourceChange>;

/** A source to register. */
export const NewSource = z
  .object({ key: SourceKey.refine((key) => key.trim() !== "", KEY_RULE), ...SourceChange.shape })
  .check(({ value, issues }) => {
    const { provider = "rss", feed_url } = value;
    if (provider !== "rss" || feed_url !== undefined) return;
    issues.push({ code: "custom", message: "is required with provider rss", input: value, path: ["feed_url"] });
  })
  .openapi("NewSource");
export type NewSource = z.output<typeof NewSource>;

const time = () => z.string().openapi({ format: "date-time" });

/** A source as clients see it. */
export const SourceView = z
  .object({
    key: z.string(),
    name: z.string(),
    provider: z.string().nullable(),
    feed_url: z.string().nullable().optional().openapi({ description: "Only with a credential: it may hold one." }),
    homepage: z.string().nullable(),
    language: z.string().nullable(),
    tier: z.int(),
    active: z.boolean(),
    status: z.enum(SOURCE_STATUSES),
    state: z.string().openapi({ description: "How it stands, in words.", example: "pulled; 12.3 articles a day" }),
    last_pull: z
      .object({
        run_id: z.string(),
        by: z.enum(["workers", "scraper"]),
        status: z.string(),
        at: time(),
        error: z.string().nullable(),
      })
      .nullable(),
    next_pull: time().nullable().openapi({
      description: "When the workers pull it again by themselves; null where they do not, or are about to.",
    }),
    last_article: z.object({ article_id: z.int(), at: time() }).nullable().openapi({ description: "When it came." }),
    volume: z
      .object({
        state: z.enum(SOURCE_VOLUME_STATES),
        since: time().nullable().openapi({ description: "When it changed; null where it never did." }),
        last_day: z.int().openapi({ description: "Articles of the last 24 hours, as of the last full hour." }),
        usual: z.number().nullable().openapi({
          description: "Median of the same 24 hours of the last six weeks; null where fewer than three are known.",
        }),
      })
      .nullable()
      .openapi({
        description: "Its last day against its usual ones, by the hour; null where no article was counted yet.",
      }),
    articles_per_day: z.number().openapi({ description: "Over the last seven days, or since it is registered." }),
    created_at: time(),
    updated_at: time(),
  })
  .openapi("Source");
export type SourceView = z.output<typeof SourceView>;

/** A page of sources. */
export const SourcePage = z
  .object({ sources: z.array(SourceView), next_cursor: z.string().nullable() })
  .openapi("SourcePage");
