import { EdgeSummary, EdgeSummaryRequest } from "@isnad/lib/contract";
import {
  BODY_PROBLEMS,
  type Access,
  createRoute,
  type HttpEnv,
  jsonBody,
  keepOpen,
  type Limiter,
  type OpenAPIHono,
  problems,
} from "@isnad/lib/service/http";
import { available, extractiveSummarizer } from "@isnad/lib/answers";
import { detectLanguage } from "@isnad/lib/text";
import type { EdgeDeps } from "../capabilities.ts";

/** POST /llm/summarize: the built-in summaries, which need an embedding model. */
export function addSummarize(
  app: OpenAPIHono<HttpEnv>,
  { access, limiter, capabilities }: EdgeDeps & { access: Access; limiter: Limiter },
): void {
  const { embed, translate } = capabilities;
  const translator = translate.missing === undefined ? translate : undefined;
  const middleware = [access.require("edge", "x-api-key"), jsonBody()];
  app.openapi({ ...route, middleware }, async (c) => {
    const { text, length, target_lang } = c.req.valid("json");
    const { lang } = detectLanguage(text);
    const sourceLang = lang === "other" ? "und" : lang;
    const targetLang = target_lang ?? sourceLang;
    const { model, summarize } = extractiveSummarizer(available(embed).use, translator);
    keepOpen(c);
    const on = { requestId: c.var.requestId, client: c.var.client, signal: c.req.raw.signal };
    const points = await limiter.run(() => summarize({ text, sourceLang, targetLang, length, ...on }), on);
    return c.json({ ok: true as const, model, points, target_lang: targetLang }, 200);
  });
}

const route = createRoute({
  method: "post",
  path: "/llm/summarize",
  operationId: "summarizeDocument",
  tags: ["llm"],
  summary: "The built-in summary of a text",
  description:
    "Sentences of the text in its order; for another language they are translated, and without a model that translates " +
    "it is 503. `POST /api/ai/summarize` of the API falls back to this.",
  security: [{ apiKey: [] }],
  request: { body: { required: true, content: { "application/json": { schema: EdgeSummaryRequest } } } },
  responses: {
    200: { description: "The points of the summary.", content: { "application/json": { schema: EdgeSummary } } },
    ...problems(...BODY_PROBLEMS, "unauthorized", "service-unavailable", "model-not-installed"),
  },
});
