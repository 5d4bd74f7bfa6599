import { z } from "@hono/zod-openapi";
import {
  addressField,
  CURSOR_DOC,
  LIMITS,
  nameField,
  pageParams,
  shownField,
  textField,
  timeParam,
  wholeParam,
  wholeText,
} from "./fields.ts";
import { brokenRange } from "./filter-table.ts";

/** Reviews of one request, and texts that are matched in one. */
const MAX_REVIEWS = 100;
const MAX_MATCHED = 64;

/** Code points of a claim, of the words of a rating, of a publisher's name. */
const MAX_CLAIM = 2_000;
const MAX_RATING_TEXT = 255;
const MAX_PUBLISHER = 255;
const MAX_APPEARANCES = 25;

const time = () => z.string().openapi({ format: "date-time" });
const offsets = () =>
  z
    .object({ start: z.int(), end: z.int() })
    .openapi({ description: "Code points of the article's stored content, end exclusive." });

const rating = () =>
  z.int().min(1).max(5).nullable().openapi({ description: "1 false to 5 true; null where it is neither." });

/** A time in a body: a date or a timestamp. */
const moment = () =>
  z
    .string()
    .refine((text) => timeParam().safeParse(text).success, { error: "must be an ISO 8601 date or timestamp" })
    .openapi({ format: "date-time" });

const claimText = () =>
  shownField({ max: MAX_CLAIM }).openapi({ description: "What is claimed, in the words of the review." });

const reviewFields = {
  claim_id: z.int().min(1).nullable().openapi({ description: "The claim of this archive that it is of." }),
  claim_text: claimText(),
  lang: z.enum(["ar", "en"]).openapi({ description: "Of `claim_text`; when missing, its script decides." }),
  rating: rating(),
  rating_text: shownField({ max: MAX_RATING_TEXT }).nullable().openapi({ description: "The rating in words." }),
  url: addressField().nullable().openapi({ description: "Where the review is to be read." }),
  publisher: shownField({ max: MAX_PUBLISHER }),
  published_at: moment().nullable(),
  claimant: shownField({ max: MAX_PUBLISHER }).nullable().openapi({ description: "Who made the claim." }),
  claimed_at: moment().nullable().openapi({ description: "When the claim was made." }),
  appearances: z.array(addressField()).max(MAX_APPEARANCES).openapi({ description: "Where the claim appeared." }),
};

/** Holds what a review may be changed in; what is left out stays. */
export const ReviewPatch = z.object(reviewFields).partial().openapi("ReviewChange");
export type ReviewPatch = z.output<typeof ReviewPatch>;

/** A review to store. */
export const NewReview = z
  .object({ ...ReviewPatch.shape, rating: reviewFields.rating, publisher: reviewFields.publisher })
  .check(({ value, issues }) => {
    if (value.claim_text !== undefined || typeof value.claim_id === "number") return;
    issues.push({ code: "custom", message: "is required without claim_id", input: value, path: ["claim_text"] });
  })
  .openapi("NewReview", {
    description:
      "Either `claim_text` or `claim_id`, whose text is then that of the review; both where the words differ.",
  });
export type NewReview = z.output<typeof NewReview>;

/** Several reviews in one request. */
export const NewReviews = z.object({ reviews: z.array(NewReview).min(1).max(MAX_REVIEWS) }).openapi("NewReviews");

/** A review as clients see it. */
export const ReviewView = z
  .object({
    review_id: z.int(),
    claim_id: z.int().nullable(),
    claim_text: z.string(),
    lang: z.string(),
    rating: rating(),
    rating_text: z.string().nullable(),
    url: z.string().nullable(),
    publisher: z.string(),
    published_at: time().nullable(),
    claimant: z.string().nullable(),
    claimed_at: z.string().nullable(),
    appearances: z.array(z.string()),
    origin: z
      .enum(["desk", "import", "crawl"])
      .openapi({ description: "Written at the desk, imported, or met on a page." }),
    created_at: time(),
    updated_at: time(),
  })
  .openapi("Review");
export type ReviewView = z.output<typeof ReviewView>;

/** A review as search engines take it: ClaimReview of schema.org, with the properties that Google requires. */
export const ClaimReviewView = z
  .object({
    "@context": z.literal("https://schema.org"),
    "@type": z.literal("ClaimReview"),
    "@id": z.string(),
    url: z.string(),
    claimReviewed: z.string(),
    inLanguage: z.string(),
    datePublished: z.string(),
    author: z.object({ "@type": z.literal("Organization"), name: z.string() }),
    reviewRating: z.object({
      "@type": z.literal("Rating"),
      ratingValue: z.int().optional(),
      bestRating: z.int().optional(),
      worstRating: z.int().optional(),
      alternateName: z.string(),
    }),
    itemReviewed: z.object({
      "@type": z.literal("Claim"),
      author: z.object({ "@type": z.literal("Thing"), name: z.string() }).optional(),
      datePublished: z.string().optional(),
      appearance: z
        .array(
          z.object({
            "@type": z.literal("CreativeWork"),
            url: z.string(),
            name: z.string().optional(),
            datePublished: z.string().optional(),
          }),
        )
        .optional(),
    }),
  })
  .openapi("ClaimReview");
export type ClaimReviewView = z.output<typeof ClaimReviewView>;

/** Holds what became of the reviews of a request, in their order. */
export const ReviewReceipts = z
  .object({
    results: z.array(
      z.object({
        status: z.enum(["created", "existing"]).openapi({ description: "existing: it was there, and is as stored." }),
        review: ReviewView,
      }),
    ),
  })
  .openapi("ReviewReceipts");

/** A page of reviews. */
export const ReviewPage = z
  .object({ reviews: z.array(ReviewView), next_cursor: z.string().nullable() })
  .openapi("ReviewPage");

const cursor = () => z.string().min(1).max(200).optional().openapi({ description: CURSOR_DOC });

/** The parameters of the list of reviews. */
export const ReviewParams = z.object({
  publisher: nameField({ max: MAX_PUBLISHER }).optional(),
  rating: wholeParam({ min: 0, max: 5, fallback: 0 }).openapi({ description: "1 to 5; 0: any." }),
  ...pageParams({ max: 200, fallback: 50 }),
});

/** Says how claims are ordered. */
const CLAIM_SORTS = ["score", "newest", "repeats"] as const;

/** The parameters of the list of claims. */
export const ClaimParams = z
  .object({
    q: textField({ min: 1, max: LIMITS.query })
      .optional()
      .openapi({ description: "Words that the claim holds, all of them, in any form." }),
    from: timeParam().optional().openapi({ description: "Only what was said since, by the date of the article." }),
    to: timeParam({ endOfDay: true }).optional().openapi({ description: "Only what was said until, inclusive." }),
    lang: z.enum(["ar", "en"]).optional(),
    source: nameField({ max: LIMITS.sourceId }).optional().openapi({ description: "source_id of the article" }),
    entity: nameField({ max: LIMITS.query })
      .optional()
      .openapi({ description: "Only articles that name it: an `entity_id`, or a name in any spelling." }),
    story: wholeText({ min: 1, max: Number.MAX_SAFE_INTEGER })
      .optional()
      .openapi({ description: "Only articles of this story, by its `story_id`." }),
    reviewed: z
      .enum(["true", "false"], { error: "must be true or false" })
      .optional()
      .transform((text) => (text === undefined ? undefined : text === "true"))
      .openapi({ type: "boolean", description: "Only claims with a review, or without one." }),
    sort: z.enum(CLAIM_SORTS).default("score").openapi({
      description: "`score`: the likeliest to be worth a check first; `repeats`: those of the most articles first.",
    }),
    limit: wholeParam({ min: 1, max: 200, fallback: 20 }),
    cursor: cursor(),
  })
  .check(({ value, issues }) => {
    const message = brokenRange(value);
    if (message !== undefined) issues.push({ code: "custom", message, input: value, path: [] });
  });

const reviewOfClaim = z
  .object({
    review_id: z.int(),
    rating: rating(),
    rating_text: z.string().nullable(),
    publisher: z.string(),
    url: z.string().nullable(),
    similarity: z.number().openapi({ description: "How likely it is of the same claim, 0 to 1." }),
  })
  .openapi("ReviewOfClaim");

/** A claim as clients see it, by the newest of the sentences that make it and that were asked for. */
export const ClaimView = z
  .object({
    claim_id: z.int(),
    text: z.string().openapi({ description: "The sentence as its article has it." }),
    lang: z.string(),
    score: z.number().openapi({ description: "How likely it is worth a check, 0 to 1: the best of its sentences." }),
    offsets: offsets(),
    speaker: z
      .object({ name: z.string(), entity_id: z.int().nullable(), offsets: offsets() })
      .nullable()
      .openapi({ description: "Who is named as having said it, and where; null where nobody is." }),
    article: z.object({
      article_id: z.int(),
      title: z.string(),
      url: z.string(),
      source_id: z.string(),
      published_at: time().nullable(),
      withdrawn: z.boolean().openapi({ description: "Its source has the article no more, or without this sentence." }),
    }),
    repeats: z
      .object({
        count: z.int().openapi({ description: "Articles that say it, in whatever words and language." }),
        sources: z.int().openapi({ description: "Sources of these articles." }),
        first_at: time().openapi({ description: "When the first of them was published." }),
      })
      .openapi({ description: "Over all articles, whatever was asked for." }),
    reviews: z.array(reviewOfClaim),
  })
  .openapi("Claim");
export type ClaimView = z.output<typeof ClaimView>;

/** A claim with every sentence that makes it. */
export const ClaimDetail = ClaimView.extend({
  mentions: z
    .array(
      z.object({
        text: z.string(),
        lang: z.string(),
        offsets: offsets(),
        speaker: z.string().nullable(),
        article: z.object({
          article_id: z.int(),
          title: z.string(),
          source_id: z.string(),
          published_at: time().nullable(),
        }),
      }),
    )
    .openapi({ description: "The first hundred, the earliest first." }),
}).openapi("ClaimDetail");

/** A page of claims. */
export const ClaimPage = z
  .object({ claims: z.array(ClaimView), next_cursor: z.string().nullable() })
  .openapi("ClaimPage");

/** Hits of each kind that a text has by default, and at most. */
const MATCH_K = { fallback: 5, max: 20 };

/** Texts to match with reviews and claims. */
export const MatchRequest = z
  .object({
    text: claimText().optional(),
    texts: z.array(claimText()).min(1).max(MAX_MATCHED).optional(),
    lang: z.enum(["ar", "en"]).optional().openapi({ description: "Of what is found; any when missing." }),
    k: z.int().min(1).max(MATCH_K.max).default(MATCH_K.fallback).openapi({ description: "Hits of each kind a text." }),
  })
  .refine(({ text, texts }) => (text === undefined) !== (texts === undefined), {
    error: "must have either text or texts",
  })
  .openapi("ClaimMatchRequest");
export type MatchRequest = z.output<typeof MatchRequest>;

const similarity = () => z.number().min(0).max(1).openapi({ description: "How likely both say the same, calibrated." });
const same = () =>
  z.boolean().openapi({ description: "Both claim the same: numbers, dates, names and direction agree, too." });

/** Holds what is near to each text, best first, in the order of the texts. */
export const MatchResponse = z
  .object({
    results: z.array(
      z.object({
        text: z.string(),
        reviews: z.array(
          z.object({
            review_id: z.int(),
            claim_text: z.string(),
            rating: rating(),
            rating_text: z.string().nullable(),
            publisher: z.string(),
            url: z.string().nullable(),
            similarity: similarity(),
            same: same(),
          }),
        ),
        claims: z.array(
          z.object({ claim_id: z.int(), text: z.string(), lang: z.string(), similarity: similarity(), same: same() }),
        ),
      }),
    ),
  })
  .openapi("ClaimMatches");
export type MatchResponse = z.output<typeof MatchResponse>;
