import { Buffer } from "node:buffer";
import { z } from "@hono/zod-openapi";
import { LIMITS, nameField, numberParam, wholeParam } from "./fields.ts";
import { brokenRange } from "./filter-table.ts";
import { filterParams } from "./filters.ts";

/** The orders of a list of stories. */
const STORY_SORTS = ["size", "newest", "growth"] as const;

/** Stories that are listed reach back so far where `from` is left out, in milliseconds. */
const DEFAULT_SPAN_MS = 7 * 86_400_000;

/** A time that a list of stories can be of: in years 0001 to 9999, but for its default beginning. */
const ListTime = z
  .int()
  .min(Date.parse("0001-01-01T00:00:00Z") - DEFAULT_SPAN_MS)
  .max(Date.parse("9999-12-31T23:59:59.999Z"));

/** Holds where a page of stories begins, and the time that the first page was of. */
const Cursor = z.tuple([z.enum(STORY_SORTS), z.number(), z.int().min(1), ListTime, ListTime]);

/** Names the story behind which a page begins, the order, and the time that the list is of. */
type StoryPlace = {
  sort: (typeof STORY_SORTS)[number];
  value: number;
  storyId: number;
  from: number;
  to: number;
};

/** Writes the cursor of the page behind a story. */
export function storyCursor({ sort, value, storyId, from, to }: StoryPlace): string {
  return Buffer.from(JSON.stringify([sort, value, storyId, from, to])).toString("base64url");
}

/** Returns what a cursor says; undefined for one that no list has given out. */
function readStoryCursor(text: string): StoryPlace | undefined {
  try {
    const [sort, value, storyId, from, to] = Cursor.parse(JSON.parse(Buffer.from(text, "base64url").toString()));
    return from <= to ? { sort, value, storyId, from, to } : undefined;
  } catch {
    return undefined;
  }
}

const { lang, category, source, from, to } = filterParams("query");

/** The parameters of `GET /v1/stories`. */
export const StoriesQuery = z
  .object({
    from: from.openapi({ description: "Default: seven days before `to`. Time is `published_at`, else when it came." }),
    to: to.openapi({ description: "Inclusive; a date alone stands for its end. Default: now." }),
    ...{ lang, category, source },
    entity: nameField({ max: LIMITS.query }).optional().openapi({
      description: "The name of an entity in any spelling, or its number.",
    }),
    q: nameField({ max: LIMITS.query }).optional().openapi({
      description: "Words that are all in the headline of one article, in any form and in either language.",
    }),
    min_size: wholeParam({ min: 1, max: 1_000, fallback: 2 }).openapi({
      description: "Articles of the story, at least.",
    }),
    sort: z.enum(STORY_SORTS).default("size").openapi({
      description: "`newest`: by `last_seen`. Ties by `story_id`, the newer one first.",
    }),
    limit: wholeParam({ min: 1, max: 100, fallback: 20 }),
    cursor: nameField({ max: 400 })
      .transform((text, ctx) => {
        const place = readStoryCursor(text);
        if (place !== undefined) return place;
        ctx.addIssue({ code: "custom", message: "must be a cursor that this list has given out" });
        return z.NEVER;
      })
      .optional()
      .openapi({ type: "string", description: "`next_cursor` of the page before, with the same parameters." }),
  })
  .check(({ value, issues }) => {
    const message = brokenRange(value);
    if (message !== undefined) issues.push({ code: "custom", message, input: value, path: [] });
    if (value.cursor !== undefined && value.cursor.sort !== value.sort) {
      const problem = "belongs to a list that is sorted otherwise";
      issues.push({ code: "custom", message: problem, input: value, path: ["cursor"] });
    }
  });
export type StoriesQuery = z.output<typeof StoriesQuery>;

/** Returns the time that a list is of: that of its first page, which its cursor holds; else by default seven days. */
export function storyWindow({ cursor, from, to }: Pick<StoriesQuery, "cursor" | "from" | "to">): {
  from: number;
  to: number;
} {
  if (cursor !== undefined) return { from: cursor.from, to: cursor.to };
  const end = to ?? Math.max(Date.now(), from ?? 0);
  return { from: from ?? end - DEFAULT_SPAN_MS, to: end };
}

/** The parameters of `GET /v1/stories/{story_id}`. */
export const StoryParams = {
  path: z.object({ story_id: numberParam() }),
  query: z.object({ lang: lang.openapi({ description: "The language of the headline, where the story has it." }) }),
};

const time = () => z.string().openapi({ format: "date-time" });

/** A story in a list. */
export const StoryView = z
  .object({
    story_id: z.int(),
    title: z.string().openapi({
      description: "The most central headline: in the language of `lang`, where it has one, else in its main language.",
    }),
    languages: z.array(z.string()).openapi({ description: "The one that most articles have first." }),
    first_seen: time(),
    last_seen: time(),
    size: z.int().openapi({ description: "Its articles." }),
    sources: z
      .array(z.object({ source_id: z.string(), source_name: z.string(), count: z.int(), first_at: time() }))
      .openapi({
        description: "Those with most articles first, at most 50.",
      }),
    entities: z
      .array(z.object({ entity_id: z.int(), name: z.string(), articles: z.int() }))
      .openapi({ description: "Those that most of its articles name, at most 8." }),
    article_ids: z.array(z.int()).openapi({ description: "The newest five." }),
    growth: z.int().openapi({
      description:
        "Its articles of the 24 hours before `to` (or now, where that is earlier), less those of the 24 hours before these.",
    }),
  })
  .openapi("Story");
export type StoryView = z.output<typeof StoryView>;

/** A page of stories. */
export const StoryList = z
  .object({ stories: z.array(StoryView), next_cursor: z.string().nullable() })
  .openapi("StoryList");

/** A story with all its articles. */
export const WholeStoryView = StoryView.extend({
  merged_into: z
    .int()
    .nullable()
    .openapi({ description: "Where the asked story was merged into another: the number of that one, which this is." }),
  articles: z
    .array(
      z.object({
        article_id: z.int(),
        source_id: z.string(),
        source_name: z.string(),
        title: z.string(),
        url: z.string(),
        lang: z.string().nullable(),
        published_at: time().nullable(),
      }),
    )
    .openapi({ description: "In order of their times; of more than 5,000 the newest." }),
}).openapi("WholeStory");
