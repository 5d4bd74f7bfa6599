import {
  ArticleList,
  ArticleListParams,
  articleIdParam,
  SEARCH_STATE,
  SEARCH_TYPES,
  SearchBody,
  SimilarArticles,
  SimilarParams,
  searchState,
  searchStateHeader,
} from "@isnad/lib/contract";
import {
  type Access,
  acceptedOffer,
  AppError,
  createRoute,
  type HttpEnv,
  type Limiter,
  type OpenAPIHono,
  problems,
  queryOf,
  type ServiceClient,
  z,
} from "@isnad/lib/service/http";
import { parseJson } from "@isnad/lib/std";
import { parseArticleId } from "@isnad/lib/store";
import type { ApiDeps } from "../deps.ts";
import { asFormat, searchContent } from "../formats.ts";

type ListDeps = Pick<ApiDeps, "store"> & {
  access: Access;
  retrieval: ServiceClient;
  limiter: Limiter;
  publicBaseUrl: string;
};

/** GET /v1/articles, and GET /v1/articles/{article_id}/similar: both ask the retrieval service. */
export function addArticleLists(
  app: OpenAPIHono<HttpEnv>,
  { access, store, retrieval, limiter, publicBaseUrl }: ListDeps,
): void {
  app.openAPIRegistry.registerPath(list);
  const answers = { 200: { description: "The articles." } };
  app.openapi({ ...list, hide: true, responses: answers, middleware: [access.read()] }, async (c) => {
    const { signal } = c.req.raw;
    const params = c.req.valid("query");
    const format = params.format ?? acceptedOffer(c.req.header("Accept"), SEARCH_TYPES) ?? "json";
    c.header("Vary", "Accept", { append: true });
    if (format !== "json") {
      const self = `${publicBaseUrl}/v1/articles?${queryOf(c)}`;
      return await asFormat(c, { retrieval, limiter, self }, params, format);
    }
    const on = { requestId: c.var.requestId, client: c.var.client, signal };
    const ask = () => retrieval.get(`/search?${queryOf(c)}`, on);
    const { body } = await limiter.run(ask, { signal, client: c.var.client });
    const { results, total, meta } = read(SearchBody, body);
    c.header(SEARCH_STATE, searchState(meta));
    return c.json(ArticleList.parse({ articles: results, total, next_cursor: meta.next_cursor ?? null }), 200);
  });

  app.openapi({ ...similar, middleware: [access.read()] }, async (c) => {
    const { signal } = c.req.raw;
    const articleId = await numberOf(store, c.req.valid("param").article_id);
    const on = { requestId: c.var.requestId, client: c.var.client, signal };
    const path = `/similar/${articleId}?${queryOf(c)}`;
    const { body } = await limiter.run(() => retrieval.get(path, on), { signal, client: c.var.client });
    return c.json(read(SimilarArticles, body), 200);
  });
}

/** Returns the number of an article that is there. @throws AppError (404) for another one */
async function numberOf({ articles }: Pick<ApiDeps["store"], "articles">, id: string): Promise<number> {
  const parsed = parseArticleId(id);
  const found =
    typeof parsed === "number"
      ? (await articles.byIds([parsed], ["articleId"]))[0]?.articleId
      : (await articles.idsOf(parsed === undefined ? [] : [parsed])).get(parsed ?? "");
  if (found === undefined) throw new AppError("not-found", `There is no article ${id.slice(0, 64)}.`);
  return found;
}

function read<T extends z.ZodType>(schema: T, body: ArrayBuffer): z.output<T> {
  const { data, error: cause } = schema.safeParse(parseJson(new TextDecoder().decode(body)));
  if (data === undefined) throw new AppError("service-unavailable", "The search service failed.", { cause });
  return data;
}

const list = createRoute({
  method: "get",
  path: "/v1/articles",
  operationId: "listArticles",
  tags: ["articles"],
  summary: "List the articles that can be searched, newest first",
  security: [{}, { publicKey: [] }],
  request: { query: ArticleListParams },
  responses: {
    200: {
      description: "The articles.",
      headers: searchStateHeader,
      content: { ...searchContent, "application/json": { schema: ArticleList } },
    },
    ...problems("unauthorized", "validation-error", "overloaded", "service-unavailable"),
  },
});

const similar = createRoute({
  method: "get",
  path: "/v1/articles/{article_id}/similar",
  operationId: "listSimilarArticles",
  tags: ["articles"],
  summary: "The articles that are most like one, its copies left out",
  security: [{}, { publicKey: [] }],
  request: { params: z.object({ article_id: articleIdParam() }), query: SimilarParams },
  responses: {
    200: { description: "The most alike first.", content: { "application/json": { schema: SimilarArticles } } },
    ...problems("unauthorized", "not-found", "validation-error", "overloaded", "service-unavailable"),
  },
});
