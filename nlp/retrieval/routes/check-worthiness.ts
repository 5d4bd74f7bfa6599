import { hasLength, MatchRequest, MatchResponse, textField } from "@isnad/lib/contract";
import { type Classifier, GENRES, modelName, scriptLanguage } from "@isnad/lib/models";
import {
  BODY_PROBLEMS,
  createRoute,
  type HttpEnv,
  invalidFields,
  jsonBody,
  type Limiter,
  note,
  type OpenAPIHono,
  problems,
  z,
} from "@isnad/lib/service/http";
import { at } from "@isnad/lib/std";
import { codePointSlice, sentences } from "@isnad/lib/text";
import { installed, type RetrievalDeps, type RetrievalMetrics } from "../deps.ts";

/** Sentences that a request may hold, and code points of one. */
const MAX_SENTENCES = 256;
const MAX_SENTENCE = 2000;
const MAX_TEXT = 20_000;

const sentence = z
  .string()
  .refine((value) => hasLength(value, 0, MAX_SENTENCE), { error: `must have at most ${MAX_SENTENCE} characters` })
  .openapi({ maxLength: MAX_SENTENCE });

/** The body of `POST /s1/check-worthiness`: a text, or sentences. */
const CheckRequest = z
  .object({
    text: textField({ min: 1, max: MAX_TEXT })
      .nullish()
      .openapi({ description: `Split into sentences, at most ${MAX_SENTENCES}; white space alone is none.` }),
    sentences: z
      .array(sentence)
      .min(1)
      .max(MAX_SENTENCES)
      .nullish()
      .openapi({ description: "Scored in order. A sentence without a letter or digit has score 0." }),
    lang: z.enum(["ar", "en"]).nullish().openapi({
      description: "How every sentence is read. When missing, each is read by the script of most of its letters.",
    }),
    genre: z
      .enum(GENRES)
      .nullish()
      .openapi({
        description:
          "What the sentences are from. `debate`, the default: debates, speeches and posts, judged as fact-checkers have " +
          "marked such. `news`: articles, and Arabic posts where the rule of articles is wanted; what was said decides " +
          "there, not that somebody said it, and promises, forecasts, opinions, appeals and dates to come are not worth a check.",
      }),
    threshold: z.number().min(0).max(1).nullish().openapi({
      description:
        "When missing, the model's own threshold for `genre` and `lang`, or else for the script of most of the letters.",
    }),
  })
  .refine(({ text, sentences }) => (text == null) !== (sentences == null), {
    error: "must have either text or sentences",
  })
  .openapi("CheckRequest", {
    oneOf: [
      { required: ["text"], properties: { text: { type: "string" } } },
      { required: ["sentences"], properties: { sentences: { type: "array", items: { type: "string" } } } },
    ],
  });
type CheckRequest = z.output<typeof CheckRequest>;

const result = z
  .object({
    sentence: z.string(),
    score: z
      .number()
      .min(0)
      .max(1)
      .openapi({ description: "calibrated probability that the sentence is worth a check" }),
    is_checkworthy: z.boolean().openapi({ description: "score ≥ threshold_used" }),
  })
  .openapi("CheckResult");

/** The answer, one result a sentence, in order. */
export const CheckResponse = z
  .object({ results: z.array(result), model_id: z.string(), threshold_used: z.number().min(0).max(1) })
  .openapi("CheckResponse");
export type CheckResponse = z.output<typeof CheckResponse>;

/** The sentences of a request. @throws AppError 422 when its text has too many */
function sentencesOf(request: CheckRequest): readonly string[] {
  return request.sentences ?? split(request.text ?? "");
}

/** Scores the sentences of a request. @throws InferenceError */
async function check(
  classifier: Pick<Classifier, "classify" | "threshold" | "modelId">,
  asked: readonly string[],
  request: Pick<CheckRequest, "lang" | "genre" | "threshold">,
  signal: AbortSignal,
): Promise<CheckResponse> {
  const lang = request.lang ?? undefined;
  const genre = request.genre ?? "debate";
  const threshold = request.threshold ?? classifier.threshold(lang ?? scriptLanguage(asked.join(" ")) ?? "en", genre);
  const scores = await classifier.classify(asked, { genre, signal, ...(lang !== undefined && { lang }) });
  return {
    results: asked.map((sentence, i) => {
      const score = at(scores, i);
      return { sentence, score, is_checkworthy: score >= threshold };
    }),
    model_id: classifier.modelId,
    threshold_used: threshold,
  };
}

function split(text: string): string[] {
  const found = sentences(text).map(({ start, end }) => codePointSlice(text, start, end));
  if (found.length > MAX_SENTENCES) {
    throw invalidFields({ text: [`must have at most ${MAX_SENTENCES} sentences; this one has ${found.length}`] });
  }
  return found;
}

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
      ...problems(...BODY_PROBLEMS, "overloaded", "service-unavailable", "model-not-installed"),
    },
  });

/** POST /claims/match: the reviews and claims nearest to texts; the API asks it. */
export function addClaims(
  app: OpenAPIHono<HttpEnv>,
  { claims, embedder, limiter }: Pick<RetrievalDeps, "claims" | "embedder"> & { limiter: Limiter },
): void {
  app.openapi(route, async (c) => {
    const { text, texts = [], k, lang } = c.req.valid("json");
    const { signal } = c.req.raw;
    // Without vectors nothing is told apart: then this throws.
    installed(embedder);
    const all = text === undefined ? texts : [text];
    const ask = async () => (await claims?.match({ texts: all, k, lang }, signal)) ?? [];
    const results = await limiter.run(ask, { cost: all.length, signal, client: c.var.client });
    note(c, { texts: all.length });
    return c.json({ results }, 200);
  });
}

const route = createRoute({
  method: "post",
  path: "/claims/match",
  operationId: "findNearClaims",
  tags: ["claims"],
  summary: "Find the reviews and claims nearest to a text",
  description: "As `POST /v1/claims/match` of the API, which asks it.",
  middleware: [jsonBody()] as const,
  request: { body: { required: true, content: { "application/json": { schema: MatchRequest } } } },
  responses: {
    200: {
      description: "For each text what is near, best first.",
      content: { "application/json": { schema: MatchResponse } },
    },
    ...problems(...BODY_PROBLEMS, "overloaded", "service-unavailable", "model-not-installed"),
  },
});
