import { Summary, SummaryRequest } from "@isnad/lib/contract";
import {
  type Access,
  createMiddleware,
  createSharedRateLimit,
  createRoute,
  type HttpEnv,
  jsonBody,
  keepOpen,
  note,
  type OpenAPIHono,
  problems,
  type ServiceClient,
  z,
} from "@isnad/lib/service/http";
import { isUnavailable } from "@isnad/lib/store";
import type { ApiDeps } from "../deps.ts";
import { createSummaries } from "../summaries/chain.ts";
import { summaryProblems, upstreamProblem } from "../summaries/problems.ts";

/** POST /api/ai/summarize: a summary by the gateway, the provider, or the built-in one of the edge worker. */
export function addSummarize(
  app: OpenAPIHono<HttpEnv>,
  { config, access, store, edge }: Pick<ApiDeps, "config" | "store"> & { access: Access; edge: ServiceClient },
): void {
  const summarize = createSummaries(config, edge);
  const count = createSharedRateLimit(config.summarizePerMinute, {
    count: (client, perMinute) => store.rateLimits.count("summaries", client, perMinute),
    isAway: isUnavailable,
  });
  const limitRate = createMiddleware<HttpEnv>(async function countSummaries(c, next) {
    await count(c.var.client);
    await next();
  });
  const middleware = [summaryProblems(config.publicBaseUrl), access.read(), limitRate, jsonBody()];
  app.openapi({ ...definition, middleware }, async (c) => {
    const request = c.req.valid("json");
    keepOpen(c);
    const on = { requestId: c.var.requestId, client: c.var.client, signal: c.req.raw.signal };
    const { summary, strategy } = await summarize(request, on).catch((error: unknown) => {
      throw upstreamProblem(error);
    });
    note(c, { strategy, model: summary.model, length: request.length });
    return c.json(summary, 200, { "x-ai-strategy": strategy });
  });
}

const definition = createRoute({
  method: "post",
  path: "/api/ai/summarize",
  operationId: "summarizeText",
  tags: ["ai"],
  summary: "Summarise a text",
  description:
    "In the language asked for, as a paragraph or in points. Without a configured model the built-in one serves: sentences of the " +
    "text in their order, in its own language. 422, 429 and 503 have their `type` below `{base_url}/problems/`; a 503 for a " +
    "language that no model reaches says in `reason` what is missing.",
  security: [{}, { publicKey: [] }],
  request: { body: { required: true, content: { "application/json": { schema: SummaryRequest } } } },
  responses: {
    200: {
      description: "The summary.",
      headers: z.object({
        "x-ai-strategy": z.enum(["gateway", "gateway_fallback", "provider", "edge_fallback"]).openapi({
          description:
            "Who wrote it: the gateway; the gateway by the vendor's name, its alias being unknown; the provider, without a gateway; the " +
            "edge worker, after the upstream refused (400, 401, 403, 404).",
        }),
      }),
      content: { "application/json": { schema: Summary } },
    },
    ...problems(
      "malformed-json",
      "unauthorized",
      "payload-too-large",
      "unsupported-media-type",
      "validation-error",
      "rate-limit-exceeded",
      "service-unavailable",
    ),
  },
});
