import { IngestConflict, IngestItem, IngestResponse } from "@isnad/lib/contract";
import {
  answer,
  BODY_PROBLEMS,
  bodyOf,
  createMiddleware,
  createRoute,
  type HttpEnv,
  type OpenAPIHono,
  problems,
  z,
} from "@isnad/lib/service/http";
import { contractVersion, ingest, INGEST_PATH, type IngestDeps } from "../ingest.ts";
import type { ApiMetrics, IngestOutcome } from "../metrics.ts";

/** The request body: one item, or a batch. */
const ingestBody = (maxBatch: number) =>
  z.union([z.object({ articles: z.array(IngestItem).min(1).max(maxBatch) }), IngestItem]);

/** Holds what the documentation shows as a request. */
const EXAMPLE = {
  articles: [
    {
      source_id: "alwatan",
      external_id: "2024-0815",
      url: "https://alwatan.example/news/815",
      title: "افتتاح خط قطار جديد يربط الساحل بالعاصمة",
      content: `${"بدأ صباح اليوم تشغيل خط القطار الجديد الذي يربط مدن الساحل بالعاصمة في أقل من ساعتين. ".repeat(3)}`,
      lang: "ar",
      published_at: "2024-05-06T07:00:00Z",
      category_label: "محليات",
      provider: "alwatan",
    },
  ],
};

/** POST /v1/ingest/articles: takes one article or a batch, and answers as soon as what it accepted cannot be lost. */
export function addIngestArticles(app: OpenAPIHono<HttpEnv>, deps: IngestDeps): void {
  const { config, metrics, access } = deps;
  // The items are validated one by one, each with a verdict of its own: hence no validator for the whole body.
  app.openAPIRegistry.registerPath(definition(config.ingest.maxBatch));
  app.post(INGEST_PATH, countOutcome(metrics), access.require("ingest"), contractVersion, (c) => ingest(c, deps));
}

function countOutcome(metrics: ApiMetrics) {
  return createMiddleware<HttpEnv>(async function countIngestRequests(c, next) {
    await next();
    metrics.ingestRequests.inc({ outcome: outcomeOf(c.res, c.var.fields.error) });
  });
}

function outcomeOf({ status, headers }: Response, error: unknown): IngestOutcome {
  if (error === "overloaded") return "overloaded";
  if (headers.has("Idempotency-Replayed")) return "replayed";
  switch (status) {
    case 202:
      return "accepted";
    case 400:
    case 415:
      return "malformed";
    case 401:
      return "unauthorized";
    case 409:
      return "conflict";
    case 413:
      return "too_large";
    case 422:
      return "invalid";
    default:
      return "error";
  }
}

const headers = z.object({
  "Idempotency-Key": z
    .string()
    .optional()
    .openapi({ description: "The same key with the same body gets the same answer again, for a day." }),
  "X-Contract-Version": z.literal("1").optional(),
});

const definition = (maxBatch: number) =>
  createRoute({
    method: "post",
    path: INGEST_PATH,
    operationId: "ingestArticles",
    tags: ["articles"],
    summary: "Submit articles",
    description:
      "One article, or `articles` with a batch. Each item is validated on its own and gets its own status. " +
      "A conflict anywhere (the pair of source_id and external_id is known with other content) rejects the whole batch: " +
      "send the others again, and the one in conflict to /v1/ingest/revisions, where what it says now is kept.",
    security: [{ ingestToken: [] }],
    request: {
      headers,
      body: bodyOf(ingestBody(maxBatch), EXAMPLE),
    },
    responses: {
      202: answer("The request is well-formed; what is `accepted` is stored and queued.", IngestResponse),
      ...problems(
        ...BODY_PROBLEMS,
        "unsupported-contract-version",
        "unauthorized",
        "batch-too-large",
        "idempotency-key-reuse",
        "overloaded",
        "service-unavailable",
      ),
      409: {
        description: "An item conflicts with existing content; nothing was stored.",
        content: { "application/problem+json": { schema: IngestConflict } },
      },
    },
  });
