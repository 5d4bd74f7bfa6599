import { z } from "@hono/zod-openapi";
import { brokenRange } from "./filter-table.ts";
import { LIMITS, nameField, shownField, textField } from "./fields.ts";
import { filterParams } from "./filters.ts";
import { readHookAddress } from "./notices.ts";
import { SEARCH_MODES } from "./search-v1.ts";

/** Makes the field of such an address, of up to so many characters. */
function hookAddress(max: number) {
  return z
    .string()
    .max(max)
    .superRefine((address, context) => {
      const hook = readHookAddress(address);
      if (typeof hook === "string") context.addIssue({ code: "custom", message: hook });
    });
}

/** Names how often the webhook of a search is told: of each match at once, or of all since the last time. */
const DIGESTS = ["none", "hourly", "daily"] as const;
export type DigestInterval = (typeof DIGESTS)[number];

/** Longest name of a search. */
const NAME_LENGTH = 200;

/**
 * The least similarity of a match by meaning where a search names none. Of 1,000 articles of `ant_v1_ar` at most two
 * are so near to a headline that is not theirs; .99 of the headlines are so near to their own.
 */
export const DEFAULT_MIN_SIMILARITY = 0.55;

const AS_WRITTEN = "a saved search takes words as they are written";

/** Holds the parameters of a search, in JSON, for one that is saved. */
export const SavedQuery = z
  .object({
    q: textField({ min: 1, max: LIMITS.query }).optional().openapi({
      description: "As in a search, with its grammar. Left out: everything that the filters leave.",
      example: "مرفأ (بيروت OR طرابلس)",
    }),
    mode: z.enum(SEARCH_MODES).default("hybrid").openapi({
      description: "`bm25`: by word. `vector`: by meaning, from `min_similarity` on. `hybrid`: either.",
    }),
    match: z.enum(["any", "all"]).default("all").openapi({
      description: "all: an article must hold all words, or what the grammar asks for; any: one of them is enough.",
    }),
    typos: z.literal("off", { error: `must be off: ${AS_WRITTEN}` }).default("off"),
    prefix: z.literal(false, { error: `must be false: ${AS_WRITTEN}` }).default(false),
    ...filterParams("body"),
    entity: nameField({ max: LIMITS.query }).optional().openapi({
      description: "The name of an entity in any spelling, or its number. Matches come once an article's are known.",
    }),
    claims: z
      .literal("refuted")
      .optional()
      .openapi({
        description:
          "refuted: only articles that make a claim after a review has refuted it (rating 1 or 2), as the event " +
          "`claim.repeated` tells. Matches come once an article's claims are known.",
      }),
  })
  .check(({ value, issues }) => {
    const broken = brokenRange(value);
    if (broken !== undefined) issues.push({ code: "custom", message: broken, input: value, path: ["from"] });
    if (value.mode === "vector" && !/[\p{L}\p{N}]/u.test(value.q ?? "")) {
      issues.push({ code: "custom", message: "is required with mode vector", input: value, path: ["q"] });
    }
  })
  .openapi("SavedQuery");
export type SavedQuery = z.output<typeof SavedQuery>;

/** Says where matches are told of. */
export const SearchNotify = z
  .object({
    webhook: hookAddress(LIMITS.url)
      .nullable()
      .optional()
      .openapi({
        description:
          "Receives an event `search.matched` for each match: an http or https URL as JSON; with `slack+`, `telegram+`, " +
          "`matrix+` or `ntfy+` before it, and as `mailto:` with an address, as a short text for people.",
        example: "ntfy+https://ntfy.example/ports",
      }),
    digest: z.enum(DIGESTS).optional().openapi({
      description: "hourly, daily: one event `search.digest` for all matches of the hour, of the day (UTC).",
    }),
  })
  .openapi("SearchNotify");

const fields = {
  name: shownField({ max: NAME_LENGTH }),
  query: SavedQuery,
  min_similarity: z
    .number()
    .min(0)
    .max(1)
    .nullable()
    .openapi({
      description: `Least \`score\` in mode \`vector\` of a match by meaning; ${DEFAULT_MIN_SIMILARITY} where it is null.`,
    }),
  active: z.boolean().openapi({ description: "false pauses it: what comes meanwhile is not matched." }),
  notify: SearchNotify.nullable(),
};

/** A search to keep. */
export const NewSearch = z
  .object({
    name: fields.name,
    query: fields.query,
    min_similarity: fields.min_similarity.optional(),
    active: fields.active.default(true),
    notify: fields.notify.optional(),
  })
  .openapi("NewSearch");
export type NewSearch = z.output<typeof NewSearch>;

/** Holds what a search may be changed in; what is left out stays. `query` takes the place of the whole query. */
export const SearchChange = z.object(fields).partial().openapi("SearchChange");
export type SearchChange = z.output<typeof SearchChange>;

const time = () => z.string().openapi({ format: "date-time" });

/** A saved search as clients see it. */
export const SavedSearchView = z
  .object({
    search_id: z.int(),
    name: z.string(),
    query: z.record(z.string(), z.unknown()).openapi({ description: "As it was given, with its defaults." }),
    min_similarity: z.number().nullable(),
    active: z.boolean(),
    notify: z
      .object({
        webhook: z.string().nullable(),
        digest: z.enum(DIGESTS),
        failures: z.int().openapi({ description: "Deliveries that failed in a row." }),
        last_error: z.string().nullable(),
        next_at: time().nullable().openapi({ description: "When the next delivery is due." }),
      })
      .optional()
      .openapi({ description: "Only with a credential of scope `desk`, as `feed_key` and `feeds`." }),
    feed_key: z.string().nullable().optional(),
    feeds: z.object({ atom: z.string(), json: z.string() }).nullable().optional(),
    matches: z.int().openapi({ description: "How many there are; 10,000 stands for all that are more." }),
    last_match_at: time().nullable(),
    created_at: time(),
    updated_at: time(),
  })
  .openapi("SavedSearch");
export type SavedSearchView = z.output<typeof SavedSearchView>;

/** A page of saved searches. */
export const SavedSearchPage = z
  .object({ searches: z.array(SavedSearchView), next_cursor: z.string().nullable() })
  .openapi("SavedSearchPage");

/** An article that a saved search matched. */
export const SearchMatchView = z
  .object({
    article_id: z.int(),
    doc_id: z.uuid(),
    matched_at: time(),
    similarity: z.number().nullable().openapi({ description: "null where it matched by word alone." }),
    title: z.string(),
    url: z.string(),
    source: z.string(),
    lang: z.string().nullable(),
    category: z.string().nullable(),
    published_at: time().nullable(),
  })
  .openapi("SearchMatch");
export type SearchMatchView = z.output<typeof SearchMatchView>;

/** A page of matches. */
export const SearchMatchPage = z
  .object({ matches: z.array(SearchMatchView), next_cursor: z.string().nullable() })
  .openapi("SearchMatchPage");

/** Queries of one request for their vectors, at most. */
const MAX_QUERY_VECTORS = 64;

/** The body of `POST /query-vectors` of the retrieval service. */
export const QueryVectorsRequest = z
  .object({
    queries: z
      .array(textField({ min: 1, max: LIMITS.query }))
      .min(1)
      .max(MAX_QUERY_VECTORS),
  })
  .openapi("QueryVectorsRequest");

/** The answer: vectors of length 1. */
export const QueryVectorsResponse = z
  .object({ vectors: z.array(z.base64().openapi({ description: "float32, little endian" })) })
  .openapi("QueryVectorsResponse");
