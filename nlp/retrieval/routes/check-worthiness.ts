import {
  createRoute,
  type HttpEnv,
  jsonBody,
  type Limiter,
  note,
  type OpenAPIHono,
  problems,
} from "@isnad/lib/service/http";
import { modelName } from "@isnad/lib/models";
import { check, sentencesOf } from "../check/check.ts";
import { CheckRequest, CheckResponse } from "../check/request.ts";
import type { RetrievalDeps } from "../deps.ts";
import type { RetrievalMetrics } from "../metrics.ts";
import { installed } from "../optional-model.ts";

/** POST /s1/check-worthiness and its alias /s1/score: which sentences are worth a check of facts. */
export function addCheckWorthiness(
  app: OpenAPIHono<HttpEnv>,
  {
    classifier,
    limiter,
    measured,
  }: Pick<RetrievalDeps, "classifier"> & { limiter: Limiter; measured: Pick<RetrievalMetrics, "classified"> },
): void {
  const upstream =
    classifier.model === undefined ? (classifier.problem.model ?? "none") : modelName(classifier.model.modelId);
  for (const path of ["/s1/check-worthiness", "/s1/score"] as const) {
    app.openapi(routeAt(path), async (c) => {
      const request = c.req.valid("json");
      const sentences = sentencesOf(request);
      const { signal } = c.req.raw;
      const ask = () => check(installed(classifier), sentences, request, signal);
      const inTurn = () => limiter.run(ask, { cost: Math.max(1, sentences.length), signal, client: c.var.client });
      const body = await measured.classified.measure("check-worthiness", upstream, inTurn);
      const worthy = body.results.filter((result) => result.is_checkworthy).length;
      note(c, { sentences: body.results.length, checkworthy: worthy });
      return c.json(body, 200);
    });
  }
}

const routeAt = (path: "/s1/check-worthiness" | "/s1/score") =>
  createRoute({
    method: "post",
    path,
    operationId: path === "/s1/score" ? "scoreSentences" : "checkSentences",
    tags: ["check-worthiness"],
    summary: "Sentence-level check-worthiness",
    description:
      'Either `text`, which is split into sentences, or `sentences`; results keep their order. Send `genre: "news"` with ' +
      "sentences of articles. Any characters are answered: a " +
      "sentence without a letter or digit (empty, only emoji, only marks) has score 0, a language other than Arabic and English " +
      "is read by its script and its score means little, and beyond some 80 word pieces a sentence is not read on. A text " +
      "without any sentence gives no results. `/s1/score` is the same.",
    middleware: [jsonBody()] as const,
    request: { body: { required: true, content: { "application/json": { schema: CheckRequest } } } },
    responses: {
      200: {
        description: "One result a sentence, in order.",
        content: { "application/json": { schema: CheckResponse } },
      },
      ...problems(
        "malformed-json",
        "payload-too-large",
        "unsupported-media-type",
        "validation-error",
        "overloaded",
        "service-unavailable",
        "model-not-installed",
      ),
    },
  });
