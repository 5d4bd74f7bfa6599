import { RelationsPackage, RelationsReceipt } from "@isnad/lib/contract";
import { relationsReport } from "@isnad/lib/ingest";
import {
  type Access,
  type AppError,
  answer,
  BODY_PROBLEMS,
  bodyOf,
  createRoute,
  type HttpEnv,
  invalidFields,
  jsonBody,
  type Limiter,
  note,
  type OpenAPIHono,
  problems,
} from "@isnad/lib/service/http";
import type { ApiDeps } from "../deps.ts";
import { ingestLimits } from "../ingest.ts";
import { unknownArticle } from "./articles.ts";

/** POST /ingest/relations: takes what an inference worker found out about the relations in an article. */
export function addIngestRelations(
  app: OpenAPIHono<HttpEnv>,
  { config, store, limiter, access }: Pick<ApiDeps, "config" | "store"> & { limiter: Limiter; access: Access },
): void {
  const middleware = [access.require("ingest"), jsonBody(ingestLimits(config.ingest))];
  app.openapi({ ...definition, middleware }, async (c) => {
    const body = c.req.valid("json");
    const { requestId } = c.var;
    const put = async () => store.relations.put(body.doc_id, await relationsReport(body, requestId));
    const outcome = await limiter.run(put, { signal: c.req.raw.signal, client: c.var.client });
    if (outcome.status === "unknown") throw unknownArticle(body.doc_id);
    if (outcome.status === "outside") throw outsideContent(outcome);
    const { docId: doc_id, articleId: article_id, stored, entities } = outcome;
    const { enrichment_status } = body;
    note(c, { enrichment_status, stored, entities });
    const receipt = { doc_id, article_id, stored, entities, enrichment_status, request_id: requestId };
    return c.json(receipt, enrichment_status === "ok" ? 200 : 202);
  });
}

function outsideContent({ places, length }: { places: readonly number[]; length: number }): AppError {
  const message = `must lie within the ${length} characters of the stored content`;
  return invalidFields(Object.fromEntries(places.map((place) => [`relations.${place}.offsets`, [message]])));
}

const definition = createRoute({
  method: "post",
  path: "/ingest/relations",
  operationId: "ingestRelations",
  tags: ["articles"],
  summary: "Report the relations in an article",
  description:
    "With `enrichment_status` `ok` the relations of the article, and the entities that came with them, are replaced by these in " +
    "one transaction; sending the same again changes nothing. With any other status only the package is kept, under `ai.relations` of " +
    "the article's raw data, and can be sent again later. One bad relation and nothing of the package is stored.",
  security: [{ ingestToken: [] }],
  request: {
    body: bodyOf(RelationsPackage, {
      doc_id: "4711",
      lang: "en",
      task_version: "re-1",
      nlp_lab_version: "2.0",
      enrichment_status: "ok",
      relations: [
        {
          type: "located_in",
          args: { subject: "the new terminal", object: "Beirut" },
          confidence: 0.92,
          offsets: { start: 0, end: 41 },
        },
      ],
      enrich_ms: 180,
    }),
  },
  responses: {
    200: answer("Replaced.", RelationsReceipt),
    202: answer("The package is kept.", RelationsReceipt),
    ...problems(...BODY_PROBLEMS, "unauthorized", "not-found", "overloaded", "service-unavailable"),
  },
});
