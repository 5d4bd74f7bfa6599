import { articleIdParam, ChainView } from "@isnad/lib/contract";
import {
  type Access,
  AppError,
  createRoute,
  type HttpEnv,
  type OpenAPIHono,
  problems,
  z,
} from "@isnad/lib/service/http";
import { type ChainLink, chainOf } from "@isnad/lib/stories";
import type { ApiDeps } from "../deps.ts";

/** GET /v1/articles/{article_id}/chain. */
export function addChain(
  app: OpenAPIHono<HttpEnv>,
  { access, store }: Pick<ApiDeps, "store"> & { access: Access },
): void {
  app.openapi({ ...definition, middleware: [access.read()] }, async (c) => {
    const { article_id } = c.req.valid("param");
    const family = await store.copies.family(article_id);
    if (family === undefined) throw new AppError("not-found", `There is no article ${article_id.slice(0, 64)}.`);
    const story = await store.stories.ofArticle(family.articleId);
    const linked = new Set(family.members.map((member) => member.articleId));
    return c.json(
      {
        article_id: family.articleId,
        story_id: story?.storyId ?? null,
        links: chainOf(family).map(linkView),
        reports: (story?.articles ?? [])
          .filter(({ articleId }) => !linked.has(articleId))
          .map(({ articleId, sourceId, sourceName, title, url, publishedAt }) => ({
            article_id: articleId,
            source_id: sourceId,
            source_name: sourceName,
            title,
            url,
            published_at: publishedAt,
          })),
      },
      200,
    );
  });
}

const linkView = (link: ChainLink): ChainView["links"][number] => ({
  article_id: link.articleId,
  source_id: link.sourceId,
  source_name: link.sourceName,
  title: link.title,
  url: link.url,
  published_at: link.publishedAt,
  kind: link.kind,
  overlap: link.overlap,
  overlap_of_source: link.overlapOfSource,
  from: link.from && { article_id: link.from.articleId, url: link.from.url },
  credits: link.credits.map(({ name, text, start, end }) => ({ name, text, offsets: { start, end } })),
  confidence: link.confidence,
});

const definition = createRoute({
  method: "get",
  path: "/v1/articles/{article_id}/chain",
  operationId: "getChain",
  tags: ["articles"],
  summary: "Show who had a report first, who took it over, and who is credited",
  description:
    "The first of `links` is the first one known here, which need not be the first of all. Articles of one form in a series " +
    "(weather, rates) and shared endings make no link.",
  security: [{}, { publicKey: [] }],
  request: { params: z.object({ article_id: articleIdParam() }) },
  responses: {
    200: { description: "The chain.", content: { "application/json": { schema: ChainView } } },
    ...problems("unauthorized", "not-found", "service-unavailable"),
  },
});
