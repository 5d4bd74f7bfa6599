import { z } from "@hono/zod-openapi";

const time = () => z.string().openapi({ format: "date-time" });

/** Holds what an event says of its article; the keys are columns of table `articles`. */
export const EventArticle = z
  .object({
    article_id: z.int(),
    doc_id: z.uuid(),
    source_id: z.string(),
    url: z.string(),
    title: z.string(),
    lang: z.string().nullable(),
    published_at: time().nullable(),
    content_hash: z.string().openapi({ description: "SHA-256 in hex." }),
  })
  .openapi("EventArticle");
export type EventArticle = z.output<typeof EventArticle>;

/** Holds what a source says of an article now; the text itself is among the article's revisions. */
export const EventRevision = z
  .object({
    revision: z.int(),
    kind: z.enum(["changed", "deleted_at_source"]),
    title: z.string().optional().openapi({ description: "With `changed`." }),
    content_hash: z.string().optional().openapi({ description: "With `changed`: SHA-256 in hex." }),
    reported_by: z.object({ source_id: z.string(), external_id: z.string() }),
  })
  .openapi("EventRevision");
export type EventRevision = z.output<typeof EventRevision>;

/** Holds what an event says of a saved search. */
const EVENT_SEARCH = {
  search_id: z.int(),
  name: z.string().openapi({ description: "Of the search." }),
  repeated: z.boolean().optional().openapi({ description: "true: it may have been delivered before." }),
};

/** Holds what an event says of a story. */
const EventStory = z
  .object({
    story_id: z.int(),
    title: z.string().nullable().openapi({ description: "Its most central headline." }),
    size: z.int().openapi({ description: "Its articles." }),
    languages: z.array(z.string()),
  })
  .openapi("EventStory");

/** Holds a match as a digest lists it. */
const EventMatch = z.object({ id: z.int(), matched_at: time(), article: EventArticle }).openapi("EventMatch");

/** Holds what an event says of a claim that an article makes. */
const EventClaim = z
  .object({
    claim_id: z.int(),
    text: z.string().openapi({ description: "The sentence as the article has it." }),
    lang: z.string(),
    offsets: z
      .object({ start: z.int(), end: z.int() })
      .openapi({ description: "Code points of the article's stored content, end exclusive." }),
    articles: z.int().openapi({ description: "Articles that say it by now." }),
  })
  .openapi("EventClaim");

/** Holds what an event says of a review that refutes a claim. */
const EventReview = z
  .object({
    review_id: z.int(),
    rating: z.int().nullable(),
    publisher: z.string(),
    url: z.string().nullable(),
  })
  .openapi("EventReview");

/** Names how the last day of a source stands against its usual ones. */
export const SOURCE_VOLUME_STATES = ["usual", "quiet", "doubled"] as const;
export type SourceVolumeState = (typeof SOURCE_VOLUME_STATES)[number];

/** Holds what an event says of a source whose last day is, or is no longer, unusual. */
const EventSource = z
  .object({
    key: z.string(),
    name: z.string(),
    last_day: z.int().openapi({ description: "Articles of the last 24 hours." }),
    usual: z.number().nullable().openapi({
      description: "Median of the same 24 hours of the last six weeks; null where too little is known of it.",
    }),
  })
  .openapi("EventSource");

/** Holds what every event says: its number, its kind, its time. */
const HEAD = {
  id: z.int().openapi({ description: "Grows in the order in which the changes were committed." }),
  occurred_at: time(),
};

/** A kind of event and what it says beside that. */
function kind<T extends string, S extends z.ZodRawShape>(type: T, shape: S) {
  return z.object({ id: HEAD.id, type: z.literal(type), occurred_at: HEAD.occurred_at, ...shape });
}

/**
 * An event as webhooks post it: a line a kind. What is beside `article` is the event's `data`; an event with `article`
 * is written with the number of that article.
 */
export const WebhookEvent = z
  .discriminatedUnion("type", [
    kind("article.upserted", { article: EventArticle }),
    kind("article.deleted", { article: EventArticle }),
    kind("article.revised", { article: EventArticle, revision: EventRevision }),
    kind("story.created", { story: EventStory }),
    kind("story.updated", { story: EventStory }),
    kind("story.merged", { story_id: z.int(), merged_into: z.int() }),
    kind("claim.repeated", { article: EventArticle, claim: EventClaim, reviews: z.array(EventReview) }),
    kind("source.quiet", { source: EventSource }),
    kind("source.doubled", { source: EventSource }),
    kind("source.usual", { source: EventSource }),
    kind("search.matched", { article: EventArticle, ...EVENT_SEARCH }),
    kind("search.digest", { ...EVENT_SEARCH, matches: z.array(EventMatch) }),
  ])
  .openapi("WebhookEvent");
export type WebhookEvent = z.output<typeof WebhookEvent>;
