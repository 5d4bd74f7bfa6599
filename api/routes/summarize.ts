import { DEFAULT_LIMITS, LlmError, type Summarizer, upstreamChat, upstreamSummarizer } from "@isnad/lib/answers";
import { EdgeSummary, Summary, SummaryRequest } from "@isnad/lib/contract";
import type { Config } from "@isnad/lib/service/config";
import {
  type Access,
  AppError,
  BODY_PROBLEMS,
  bodyOf,
  createMiddleware,
  createRoute,
  createSharedRateLimit,
  type ErrorSlug,
  type HttpEnv,
  jsonBody,
  keepOpen,
  note,
  type OnBehalf,
  type OpenAPIHono,
  pathOf,
  problemResponse,
  problems,
  retryAfter,
  type ServiceClient,
  z,
} from "@isnad/lib/service/http";
import { isUnavailable } from "@isnad/lib/store";
import { detectLanguage } from "@isnad/lib/text";
import { createFetcher, hostWithPort } from "@isnad/lib/web/egress";
import type { ApiDeps } from "../deps.ts";

/** Describes which way a summary came. */
type Strategy = "gateway" | "gateway_fallback" | "provider" | "edge_fallback";

type Request = z.output<typeof SummaryRequest>;
type Points = { points: string[]; model: string; targetLang: string };

/** Answers of an upstream that say that it will not do this, whoever asks again. */
const REFUSALS: ReadonlySet<number | undefined> = new Set([400, 401, 403, 404]);

/**
 * Makes a function that summarises by the first way that can: the gateway by its alias, by the vendor's name where it
 * does not know the alias; without a gateway the provider; and the edge worker, which has the built-in summaries, where
 * these refuse or there are none. Throws {@link LlmError} where an upstream fails otherwise, and what the edge throws.
 */
function createSummaries({ llm }: Pick<Config, "llm">, edge: ServiceClient) {
  const { gateway, chat, limits } = llm;
  const servers = [gateway, gateway?.vendor, chat].filter((server) => server !== undefined);
  const fetch = createFetcher({
    userAgent: "Isnad",
    allowPrivateHosts: servers.map(({ url }) => hostWithPort(url)).join(","),
  });
  const at = (server: (typeof servers)[number] | undefined): Summarizer | undefined =>
    server && upstreamSummarizer(upstreamChat({ ...server, limits: { ...DEFAULT_LIMITS, ...limits } }, fetch));
  const [byAlias, byVendor, provider] = [at(gateway), at(gateway?.vendor), at(chat)];

  async function ask(request: Request, on: OnBehalf): Promise<Points & { strategy: Strategy }> {
    const first = byAlias ?? provider;
    if (first === undefined) return { ...(await askEdge(edge, request, on)), strategy: "provider" };
    try {
      return { ...(await askUpstream(first, request, on)), strategy: byAlias ? "gateway" : "provider" };
    } catch (error) {
      if (!isRefusal(error)) throw error;
      if (error.status !== 404 || byAlias === undefined || byVendor === undefined) return await fallBack(request, on);
    }
    try {
      return { ...(await askUpstream(byVendor, request, on)), strategy: "gateway_fallback" };
    } catch (error) {
      if (!isRefusal(error)) throw error;
      return await fallBack(request, on);
    }
  }

  const fallBack = async (request: Request, on: OnBehalf) => ({
    ...(await askEdge(edge, request, on)),
    strategy: "edge_fallback" as const,
  });

  return async (request: Request, on: OnBehalf): Promise<{ summary: z.output<typeof Summary>; strategy: Strategy }> => {
    const { points, model, targetLang, strategy } = await ask(request, on);
    const { length, format } = request;
    const shown =
      format === "bullets"
        ? { summary: points.map((point) => `- ${point}`).join("\n"), bullets: points }
        : { summary: points.join(" ") };
    return { summary: { ...shown, target_lang: targetLang, length, format, model }, strategy };
  };
}

function isRefusal(error: unknown): error is LlmError {
  return error instanceof LlmError && REFUSALS.has(error.status);
}

async function askUpstream(
  summarizer: Summarizer,
  { text, length, target_lang }: Request,
  { requestId, signal }: OnBehalf,
): Promise<Points> {
  const { lang } = detectLanguage(text);
  const sourceLang = lang === "other" ? "und" : lang;
  const targetLang = target_lang ?? sourceLang;
  const points = await summarizer.summarize({ text, sourceLang, targetLang, length, requestId, signal });
  return { points, model: summarizer.model, targetLang };
}

async function askEdge(edge: ServiceClient, { format: _, ...request }: Request, on: OnBehalf): Promise<Points> {
  const { points, model, target_lang } = await edge.post("/llm/summarize", request, EdgeSummary, on);
  return { points, model, targetLang: target_lang };
}

const UNAVAILABLE = "The summarization service is currently experiencing issues.";

/** The problems of the summarization route by their status: their names below `{base_url}/problems/`. */
const NAMES: ReadonlyMap<number, ErrorSlug> = new Map([
  [422, "validation-error"],
  [429, "rate-limit-exceeded"],
  [503, "service-unavailable"],
]);

/** Answers 422, 429 and 503 with the problem types of the summarization route, under `baseUrl`. */
function summaryProblems(baseUrl: string) {
  return createMiddleware<HttpEnv>(async function nameProblems(c, next) {
    await next();
    const slug = NAMES.get(c.res.status);
    if (slug === undefined || !(c.error instanceof AppError)) return;
    const { errors, headers, message } = c.error;
    const problem = new AppError(slug, slug === "service-unavailable" ? UNAVAILABLE : message, {
      ...(errors && { errors }),
      headers,
      extra: { type: `${baseUrl}/problems/${slug}`, ...reasonOf(c.error) },
    });
    c.res = problemResponse(problem, pathOf(c));
  });
}

/** Says in words what no model can do, beside the `detail` that is the same for all; the rest is in the log. */
function reasonOf({ slug, message }: AppError): { reason?: string } {
  return slug === "model-not-installed" ? { reason: message } : {};
}

/** A failure of an upstream as a problem: 503, with the time after which it may be tried again. */
function upstreamProblem(error: unknown): unknown {
  if (!(error instanceof LlmError)) return error;
  return new AppError("service-unavailable", UNAVAILABLE, {
    cause: error,
    headers: retryAfter(error.retryAfterS),
    retryable: error.retryable,
  });
}

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
  request: { body: bodyOf(SummaryRequest) },
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
    ...problems(...BODY_PROBLEMS, "unauthorized", "rate-limit-exceeded", "service-unavailable"),
  },
});
