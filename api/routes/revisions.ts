import { AppError, createRoute, type HttpEnv, type OpenAPIHono, problems, z } from "@isnad/lib/service/http";
import { articleIdParam, pageParams } from "@isnad/lib/contract";
import { contractVersion } from "./ingest-relations.ts";
import {
  Difference,
  type ReportDeps,
  reportRevisions,
  revisionBody,
  RevisionsView,
  revisionsView,
} from "../revisions.ts";
import { RevisionResponse } from "@isnad/lib/contract";

const REPORT_PATH = "/v1/ingest/revisions";

/** POST /v1/ingest/revisions and GET /v1/articles/{article_id}/revisions. */
export function addRevisions(app: OpenAPIHono<HttpEnv>, deps: ReportDeps): void {
  const { config, store, access } = deps;
  // As with articles, each report gets a verdict of its own: hence no validator for the whole body.
  app.openAPIRegistry.registerPath(report(config.ingest.maxBatch));
  app.post(REPORT_PATH, access.require("ingest"), contractVersion, (c) => reportRevisions(c, deps));

  // Before it is used as nullable: the document would have it as nullable everywhere.
  app.openAPIRegistry.register("TextDifference", Difference);
  app.openapi({ ...list, middleware: [access.read()] }, async (c) => {
    const { article_id } = c.req.valid("param");
    const { limit, cursor } = c.req.valid("query");
    const page = await store.revisions.list(article_id, { limit, before: cursor });
    if (page === undefined) throw new AppError("not-found", `There is no article ${article_id.slice(0, 64)}.`);
    return c.json(await revisionsView(page), 200);
  });
}

const report = (maxBatch: number) =>
  createRoute({
    method: "post",
    path: REPORT_PATH,
    operationId: "reportRevisions",
    tags: ["articles"],
    summary: "Report what a source says of known articles now",
    description:
      "One report, or `articles` with a batch. A report is an article as the ingest route takes it, for instance one that it " +
      "answered `conflict` to, or says that the source has it no more (`kind: deleted_at_source`). The article is found by " +
      "source_id and external_id and stays as it was stored; what is reported is kept beside it, each text once, the newest " +
      "twenty. Where a source says something else than before, `article.revised` goes out.",
    security: [{ ingestToken: [] }],
    request: {
      body: {
        required: true,
        content: {
          "application/json": {
            schema: revisionBody(maxBatch),
            example: { kind: "deleted_at_source", source_id: "alwatan", external_id: "2024-0815" },
          },
        },
      },
    },
    responses: {
      200: {
        description: "What became of each report.",
        content: { "application/json": { schema: RevisionResponse } },
      },
      ...problems(
        "malformed-json",
        "unsupported-contract-version",
        "unauthorized",
        "payload-too-large",
        "batch-too-large",
        "unsupported-media-type",
        "validation-error",
        "service-unavailable",
      ),
    },
  });

const list = createRoute({
  method: "get",
  path: "/v1/articles/{article_id}/revisions",
  operationId: "listRevisions",
  tags: ["articles"],
  summary: "What sources said of an article after it was stored, newest first",
  description: "The last one is the article as it was stored, which is what is searched and served elsewhere.",
  security: [{}, { publicKey: [] }],
  request: {
    params: z.object({
      article_id: articleIdParam(),
    }),
    query: z.object(pageParams({ max: 25, fallback: 10 })),
  },
  responses: {
    200: { description: "A page of revisions.", content: { "application/json": { schema: RevisionsView } } },
    ...problems("unauthorized", "not-found", "validation-error", "service-unavailable"),
  },
});
