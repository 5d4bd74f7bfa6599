import { claimReview } from "@isnad/lib/claims";
import {
  ClaimReviewView,
  NewReview,
  NewReviews,
  numberParam,
  ReviewPage,
  ReviewParams,
  ReviewPatch,
  ReviewReceipts,
  ReviewView,
} from "@isnad/lib/contract";
import {
  type Access,
  answer,
  AppError,
  bodyOf,
  createRoute,
  type HttpEnv,
  invalidFields,
  jsonBody,
  type Limiter,
  note,
  type OpenAPIHono,
  pageOf,
  problems,
  z,
} from "@isnad/lib/service/http";
import { scriptLanguage } from "@isnad/lib/models";
import { isObject } from "@isnad/lib/std";
import type { Review, ReviewInput, ReviewItem, Store } from "@isnad/lib/store";
import type { ApiDeps } from "../deps.ts";

const JSON_LD = "application/ld+json";

/** Articles in which a reviewed claim appeared that a ClaimReview names. */
const MAX_APPEARANCES = 5;

/** POST and GET /v1/reviews, GET, PATCH and DELETE /v1/reviews/{review_id}: what was checked. */
export function addReviews(
  app: OpenAPIHono<HttpEnv>,
  { config, access, store, limiter }: Pick<ApiDeps, "config" | "store"> & { access: Access; limiter: Limiter },
): void {
  app.openAPIRegistry.register("NewReview", NewReview);
  app.openAPIRegistry.register("NewReviews", NewReviews);
  const read = access.read();
  const desk = access.require("desk");

  app.openapi({ ...create, middleware: [desk, jsonBody()] }, async (c) => {
    const body = c.req.valid("json");
    const isOne = !("reviews" in body);
    const given = isOne ? [body] : body.reviews;
    const at = (place: number) => (isOne ? "" : `reviews.${place}.`);
    const inputs = await inputsOf(store, given, at);
    const { outcomes, unknownClaims } = await store.reviews.create(inputs, "desk");
    if (unknownClaims.length > 0) throw unknownClaim(given, unknownClaims, at);
    const results = outcomes.map(({ status, review }) => ({ status, review: reviewView(review) }));
    const isNew = results.some(({ status }) => status === "created");
    note(c, { reviews: results.length, created: results.filter(({ status }) => status === "created").length });
    const [first] = results;
    if (!isOne || first === undefined) return c.json({ results }, isNew ? 201 : 200);
    return c.json(first.review, isNew ? 201 : 200, { Location: `/v1/reviews/${first.review.review_id}` });
  });

  app.openapi({ ...list, middleware: [read] }, async (c) => {
    const { limit, cursor, publisher, rating } = c.req.valid("query");
    const query = { before: cursor, limit: limit + 1, publisher, rating: rating === 0 ? undefined : rating };
    const rows = await limiter.run(() => store.reviews.list(query), { signal: c.req.raw.signal, client: c.var.client });
    const { page, next_cursor } = pageOf(rows, limit, ({ reviewId }) => String(reviewId));
    return c.json({ reviews: page.map(reviewView), next_cursor }, 200);
  });

  app.openapi({ ...show, middleware: [read] }, async (c) => {
    const review = await reviewOf(store, c.req.valid("param").review_id);
    c.header("Vary", "Accept");
    if (!wantsJsonLd(c.req.header("accept"))) return c.json(reviewView(review), 200);
    const home = `${config.publicBaseUrl}/v1/reviews/${review.reviewId}`;
    const claims = await store.claims.appearances(review.reviewId, MAX_APPEARANCES);
    const articles = claims.map(({ url, title, publishedAt }) => ({
      url,
      name: title,
      ...(publishedAt !== null && { datePublished: publishedAt.slice(0, 10) }),
    }));
    return c.json(claimReview(review, { home, articles }), 200, { "Content-Type": JSON_LD });
  });

  app.openapi({ ...change, middleware: [desk, jsonBody()] }, async (c) => {
    const { review_id } = c.req.valid("param");
    const body = c.req.valid("json");
    const before = await reviewOf(store, review_id);
    const outcome = await store.reviews.change(before.reviewId, changeOf(body, before));
    if (outcome.status === "unknown-claim") throw invalidFields({ claim_id: ["there is no such claim"] });
    if (outcome.status === "conflict")
      throw new AppError("conflict", "There is another review of this address and claim.");
    if (outcome.status !== "changed") throw unknownReview(review_id);
    note(c, { review: before.reviewId });
    return c.json(reviewView(outcome.review), 200);
  });

  app.openapi({ ...remove, middleware: [desk] }, async (c) => {
    const { review_id } = c.req.valid("param");
    if (!(await store.reviews.remove(review_id))) throw unknownReview(review_id);
    note(c, { review: review_id });
    return c.body(null, 204);
  });
}

/** Returns reviews as the store takes them; one that names a claim alone has its words. */
async function inputsOf(
  store: Pick<Store, "claims">,
  given: readonly NewReview[],
  at: (place: number) => string,
): Promise<ReviewInput[]> {
  const named = given.flatMap(({ claim_id, claim_text }) => (claim_text === undefined ? (claim_id ?? []) : []));
  const claims = new Map((await store.claims.byIds(named)).map((claim) => [claim.claimId, claim]));
  const missing = named.filter((id) => !claims.has(id));
  if (missing.length > 0) throw unknownClaim(given, missing, at);
  return given.map((review) => {
    const { claim_id = null, rating = null, rating_text = null, url = null, published_at = null } = review;
    const claimText = review.claim_text?.trim() ?? claims.get(claim_id ?? 0)?.text ?? "";
    return {
      claimId: claim_id,
      claimText,
      lang: review.lang ?? scriptLanguage(claimText) ?? "en",
      rating,
      ratingText: rating_text,
      url,
      publisher: review.publisher.trim(),
      publishedAt: published_at,
      item: itemOf(review, null),
    };
  });
}

function unknownClaim(
  given: readonly NewReview[],
  missing: readonly number[],
  at: (place: number) => string,
): AppError {
  const places = [...given.keys()].filter((place) => missing.includes(given[place]?.claim_id ?? 0));
  return invalidFields(Object.fromEntries(places.map((place) => [`${at(place)}claim_id`, ["there is no such claim"]])));
}

/** Returns what a body says of the claim itself, over what was said before. */
function itemOf(
  { claimant, claimed_at, appearances }: Pick<ReviewPatch, "claimant" | "claimed_at" | "appearances">,
  before: ReviewItem | null,
): ReviewItem | null {
  const item: ReviewItem = {
    name: (claimant === undefined ? before?.name : claimant) ?? undefined,
    date: (claimed_at === undefined ? before?.date : claimed_at) ?? undefined,
    appearances: appearances ?? before?.appearances,
  };
  return Object.values(item).every((value) => value === undefined) ? null : item;
}

/** Returns what a body changes of a review. */
function changeOf(body: ReviewPatch, before: Review): Partial<ReviewInput> {
  const { claim_id, claim_text, rating, rating_text, url, publisher, published_at } = body;
  // Other words may be in the other language.
  const lang = body.lang ?? (claim_text === undefined ? undefined : scriptLanguage(claim_text));
  return {
    ...(claim_id !== undefined && { claimId: claim_id }),
    ...(claim_text !== undefined && { claimText: claim_text.trim() }),
    ...(lang !== undefined && { lang }),
    ...(rating !== undefined && { rating }),
    ...(rating_text !== undefined && { ratingText: rating_text }),
    ...(url !== undefined && { url }),
    ...(publisher !== undefined && { publisher: publisher.trim() }),
    ...(published_at !== undefined && { publishedAt: published_at }),
    item: itemOf(body, before.item),
  };
}

async function reviewOf(store: Pick<Store, "reviews">, reviewId: number): Promise<Review> {
  const review = await store.reviews.get(reviewId);
  if (review === undefined) throw unknownReview(reviewId);
  return review;
}

function unknownReview(reviewId: number): AppError {
  return new AppError("not-found", `There is no review ${reviewId}.`);
}

/** Shows a review as clients see it. */
function reviewView(review: Review): ReviewView {
  const { item } = review;
  return {
    review_id: review.reviewId,
    claim_id: review.claimId,
    claim_text: review.claimText,
    lang: review.lang,
    rating: review.rating,
    rating_text: review.ratingText,
    url: review.url,
    publisher: review.publisher,
    published_at: review.publishedAt,
    claimant: item?.name ?? null,
    claimed_at: item?.date ?? null,
    appearances: item?.appearances ?? [],
    origin: review.origin,
    created_at: review.createdAt,
    updated_at: review.updatedAt,
  };
}

/** Tells whether a client asks for JSON-LD rather than for JSON. */
function wantsJsonLd(accept: string | undefined): boolean {
  const weights = new Map<string, number>();
  for (const part of (accept ?? "").slice(0, 1_000).split(",")) {
    const [type = "", ...parameters] = part.split(";").map((each) => each.trim().toLowerCase());
    const weight = parameters.find((each) => each.startsWith("q="))?.slice(2) ?? "1";
    weights.set(type, Number(weight) || 0);
  }
  const ld = weights.get(JSON_LD) ?? 0;
  return ld > 0 && ld >= (weights.get("application/json") ?? 0);
}

/** One review, or several; whoever sends `reviews` sends several. */
const Body = z
  .unknown()
  .transform((body, ctx) => {
    const isMany = isObject(body) && "reviews" in body;
    const parsed = isMany ? NewReviews.safeParse(body) : NewReview.safeParse(body);
    if (parsed.success) return parsed.data;
    for (const { message, path } of parsed.error.issues) ctx.addIssue({ code: "custom", message, path: [...path] });
    return z.NEVER;
  })
  .openapi({ type: "object", oneOf: [NewReview, NewReviews].map((schema) => ({ $ref: refOf(schema) })) });

function refOf(schema: z.ZodType): string {
  return `#/components/schemas/${schema === NewReview ? "NewReview" : "NewReviews"}`;
}

const params = z.object({ review_id: numberParam() });
const DESK = [{ ingestToken: [] }, { publicKey: [] }];
const OPEN = [{}, { publicKey: [] }, { ingestToken: [] }];
const one = (description: string) => answer(description, ReviewView);
const receipts = (description: string) => answer(description, z.union([ReviewView, ReviewReceipts]));

const create = createRoute({
  method: "post",
  path: "/v1/reviews",
  operationId: "createReviews",
  tags: ["claims"],
  summary: "Store one review, or up to 100",
  description:
    "A review is what somebody found a claim to be. The same `url` with the same `claim_text` is one review: sent again it is answered with 200, as stored. One bad review and nothing of the request is stored. Texts are kept as they are, and are markup to nobody.",
  security: DESK,
  request: { body: bodyOf(Body) },
  responses: {
    200: receipts("All of them were there: as stored."),
    201: receipts("Stored: the review, or with `reviews` what became of each, in order."),
    ...problems("service-unavailable"),
  },
});

const list = createRoute({
  method: "get",
  path: "/v1/reviews",
  operationId: "listReviews",
  tags: ["claims"],
  summary: "The reviews, the last ones first",
  security: OPEN,
  request: { query: ReviewParams },
  responses: {
    200: answer("A page.", ReviewPage),
    ...problems("unauthorized", "validation-error", "overloaded", "service-unavailable"),
  },
});

const show = createRoute({
  method: "get",
  path: "/v1/reviews/{review_id}",
  operationId: "getReview",
  tags: ["claims"],
  summary: "Show a review; as ClaimReview where that is accepted",
  description:
    "With `Accept: application/ld+json` the answer is a ClaimReview of schema.org, as search engines take it.",
  security: OPEN,
  request: { params },
  responses: {
    200: {
      description: "The review.",
      content: {
        "application/json": { schema: ReviewView },
        [JSON_LD]: { schema: ClaimReviewView },
      },
    },
    ...problems("unauthorized", "not-found", "service-unavailable"),
  },
});

const change = createRoute({
  method: "patch",
  path: "/v1/reviews/{review_id}",
  operationId: "changeReview",
  tags: ["claims"],
  summary: "Change a review",
  description: "What is left out stays. A `claim_text` that changes is compared with all claims again.",
  security: DESK,
  request: { params, body: bodyOf(ReviewPatch) },
  responses: { 200: one("The review as it is now."), ...problems("not-found", "conflict", "service-unavailable") },
});

const remove = createRoute({
  method: "delete",
  path: "/v1/reviews/{review_id}",
  operationId: "deleteReview",
  tags: ["claims"],
  summary: "Delete a review",
  security: DESK,
  request: { params },
  responses: {
    204: { description: "Deleted." },
    ...problems("unauthorized", "forbidden", "not-found", "service-unavailable"),
  },
});
