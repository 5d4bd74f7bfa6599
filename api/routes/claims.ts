import {
  articleIdParam,
  ClaimDetail,
  ClaimPage,
  ClaimParams,
  type ClaimView,
  MatchRequest,
  MatchResponse,
  numberParam,
} from "@isnad/lib/contract";
import {
  type Access,
  answer,
  AppError,
  BODY_PROBLEMS,
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
  type ServiceClient,
  z,
} from "@isnad/lib/service/http";
import type { ClaimQuery, ListedClaim, Store } from "@isnad/lib/store";
import { nameKey, queryWords } from "@isnad/lib/text";
import { unknownArticle } from "./articles.ts";

/** Claims of an article, at most: as many as are kept. */
const MAX_OF_ARTICLE = 64;

/** Sentences that make a claim, at most. */
const MAX_MENTIONS = 100;

/**
 * GET /v1/claims, /v1/claims/{claim_id} and /v1/articles/{article_id}/claims, POST /v1/claims/match: what articles
 * claim.
 */
export function addClaims(
  app: OpenAPIHono<HttpEnv>,
  {
    access,
    store,
    retrieval,
    limiter,
  }: { access: Access; store: Pick<Store, "claims" | "articles">; retrieval: ServiceClient; limiter: Limiter },
): void {
  const read = access.read();

  app.openapi({ ...list, middleware: [read] }, async (c) => {
    const { limit, cursor, ...params } = c.req.valid("query");
    const query = queryOf({ ...params, limit: limit + 1, cursor });
    const ask = async () => (query === undefined ? [] : await store.claims.list(query));
    const rows = await limiter.run(ask, { signal: c.req.raw.signal, client: c.var.client });
    const { page, next_cursor } = pageOf(rows, limit, (last) => cursorOf(params.sort, last));
    note(c, { claims: page.length });
    return c.json({ claims: page.map(claimView), next_cursor }, 200);
  });

  app.openapi({ ...ofArticle, middleware: [read] }, async (c) => {
    const { article_id } = c.req.valid("param");
    const id = Number(article_id);
    const [article] = Number.isSafeInteger(id) && id > 0 ? await store.articles.byIds([id], ["articleId"]) : [];
    if (article === undefined) throw unknownArticle(article_id);
    const query: ClaimQuery = { articleId: id, sort: "score", limit: MAX_OF_ARTICLE };
    const ask = () => store.claims.list(query);
    const rows = await limiter.run(ask, { signal: c.req.raw.signal, client: c.var.client });
    const inOrder = rows.toSorted((a, b) => a.start - b.start);
    return c.json({ claims: inOrder.map(claimView), next_cursor: null }, 200);
  });

  app.openapi({ ...shown, middleware: [read] }, async (c) => {
    const { claim_id: claimId } = c.req.valid("param");
    const ask = async () =>
      Promise.all([
        store.claims.list({ claimId, sort: "score", limit: 1 }),
        store.claims.mentions(claimId, MAX_MENTIONS),
      ]);
    const [[claim], mentions] = await limiter.run(ask, { signal: c.req.raw.signal, client: c.var.client });
    if (claim === undefined) throw new AppError("not-found", `There is no claim ${claimId}.`);
    return c.json(
      {
        ...claimView(claim),
        mentions: mentions.map(({ text, lang, start, end, speaker, articleId, title, sourceId, publishedAt }) => ({
          ...{ text, lang, offsets: { start, end }, speaker: speaker?.name ?? null },
          article: { article_id: articleId, title, source_id: sourceId, published_at: publishedAt },
        })),
      },
      200,
    );
  });

  app.openapi({ ...match, middleware: [read, jsonBody()] }, async (c) => {
    const body = c.req.valid("json");
    const { signal } = c.req.raw;
    const { requestId, client } = c.var;
    const texts = body.texts?.length ?? 1;
    const ask = () => retrieval.post("/claims/match", body, MatchResponse, { requestId, client, signal });
    const answer = await limiter.run(ask, { signal, client });
    note(c, { texts, same: answer.results.filter(({ reviews }) => reviews.some(({ same }) => same)).length });
    return c.json(answer, 200);
  });
}

type Params = z.output<typeof ClaimParams>;

/** Returns what the store is asked; undefined where nothing can be found. @throws AppError 422 for another cursor */
function queryOf({ q, entity, cursor, story, ...params }: Params): ClaimQuery | undefined {
  const words = q === undefined ? [] : queryWords(q).map(({ terms }) => terms.stems);
  // What has neither letter nor digit is in no claim, and no name.
  if (q !== undefined && words.length === 0) return undefined;
  const key = entity === undefined ? undefined : nameKey(entity);
  if (key === "") return undefined;
  const id = entity !== undefined && /^[1-9]\d{0,14}$/.test(entity) ? Number(entity) : undefined;
  return {
    ...params,
    words,
    storyId: story,
    entity: key === undefined ? undefined : { id, key },
    after: cursor === undefined ? undefined : readCursor(params.sort, cursor),
  };
}

/** Matches what a claim of the years 0001 to 9999 is ordered by: its score, microseconds since 1970, articles. */
const PLACE: Record<Params["sort"], RegExp> = {
  score: /^score~(\d(?:\.\d{1,20})?(?:e-\d{1,2})?)~([1-9]\d{0,14})$/,
  newest: /^newest~(-[1-6]?\d{1,16}|\d{1,18})~([1-9]\d{0,14})$/,
  repeats: /^repeats~(\d{1,9})~([1-9]\d{0,14})$/,
};

/** A cursor: the order, what the last claim is ordered by, and its number. */
function cursorOf(sort: Params["sort"], { value, claimId }: ListedClaim): string {
  return Buffer.from(`${sort}~${value}~${claimId}`).toString("base64url");
}

function readCursor(sort: Params["sort"], cursor: string): ClaimQuery["after"] {
  const [, value, id] = PLACE[sort].exec(Buffer.from(cursor, "base64url").toString("latin1")) ?? [];
  if (value === undefined) throw invalidFields({ cursor: ["is not one that this list has given out"] });
  return { value, id: Number(id) };
}

/** Shows a claim as clients see it. */
function claimView(claim: ListedClaim): ClaimView {
  const { claimId, text, lang, score, start, end, speaker, articleId, title, url, sourceId, publishedAt } = claim;
  return {
    claim_id: claimId,
    text,
    lang,
    score,
    offsets: { start, end },
    speaker: speaker && {
      name: speaker.name,
      entity_id: speaker.entityId ?? null,
      offsets: { start: speaker.start, end: speaker.end },
    },
    article: {
      article_id: articleId,
      title,
      url,
      source_id: sourceId,
      published_at: publishedAt,
      withdrawn: claim.withdrawn,
    },
    repeats: { count: claim.articles, sources: claim.sources, first_at: claim.firstAt },
    reviews: claim.reviews.map(({ reviewId, rating, ratingText, publisher, url: address, similarity }) => ({
      review_id: reviewId,
      rating,
      rating_text: ratingText,
      publisher,
      url: address,
      similarity,
    })),
  };
}

const OPEN = [{}, { publicKey: [] }];

const shown = createRoute({
  method: "get",
  path: "/v1/claims/{claim_id}",
  operationId: "getClaim",
  tags: ["claims"],
  summary: "A claim with every sentence that makes it",
  security: OPEN,
  request: { params: z.object({ claim_id: numberParam() }) },
  responses: {
    200: answer("The claim.", ClaimDetail),
    ...problems("unauthorized", "not-found", "validation-error", "overloaded", "service-unavailable"),
  },
});

const page = (description: string) => answer(description, ClaimPage);

const list = createRoute({
  method: "get",
  path: "/v1/claims",
  operationId: "listClaims",
  tags: ["claims"],
  summary: "What articles claim",
  description:
    "Sentences of articles that are worth a check. What is said in other words, in other articles or in the other language is one claim: it is listed once, by the newest sentence that was asked for, with how often it was said. Reviews of it come with it.",
  security: OPEN,
  request: { query: ClaimParams },
  responses: {
    200: page("A page of claims."),
    ...problems("unauthorized", "validation-error", "overloaded", "service-unavailable"),
  },
});

const ofArticle = createRoute({
  method: "get",
  path: "/v1/articles/{article_id}/claims",
  operationId: "listArticleClaims",
  tags: ["claims"],
  summary: "What an article claims",
  description: "Its claims in their order, with who else says them and the reviews of them; all on one page.",
  security: OPEN,
  request: { params: z.object({ article_id: articleIdParam() }) },
  responses: {
    200: page("The claims of the article."),
    ...problems("unauthorized", "not-found", "overloaded", "service-unavailable"),
  },
});

const match = createRoute({
  method: "post",
  path: "/v1/claims/match",
  operationId: "matchClaims",
  tags: ["claims"],
  summary: "Find the reviews and claims nearest to a text",
  description:
    "By word and by meaning, in both languages. `similarity` is how likely both claim the same; `same` is true where, beside that, numbers, dates, names and direction agree: `rose` is not `fell`, 500 is not 600.",
  security: OPEN,
  request: { body: bodyOf(MatchRequest) },
  responses: {
    200: answer("For each text what is near, best first.", MatchResponse),
    ...problems(...BODY_PROBLEMS, "unauthorized", "overloaded", "service-unavailable", "model-not-installed"),
  },
});
