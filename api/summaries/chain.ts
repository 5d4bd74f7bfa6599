import type { Config } from "@isnad/lib/service/config";
import { EdgeSummary, type Summary, type SummaryRequest } from "@isnad/lib/contract";
import { createFetcher, hostWithPort } from "@isnad/lib/web/egress";
import type { OnBehalf, ServiceClient, z } from "@isnad/lib/service/http";
import { DEFAULT_LIMITS, LlmError, type Summarizer, upstreamChat, upstreamSummarizer } from "@isnad/lib/answers";
import { detectLanguage } from "@isnad/lib/text";

/** Which way a summary came. */
export type Strategy = "gateway" | "gateway_fallback" | "provider" | "edge_fallback";

type Request = z.output<typeof SummaryRequest>;
type Points = { points: string[]; model: string; targetLang: string };

/** Answers of an upstream that say that it will not do this, whoever asks again. */
const REFUSALS: ReadonlySet<number | undefined> = new Set([400, 401, 403, 404]);

/**
 * Makes a function that summarises by the first way that can: the gateway by its alias, by the vendor's name where it
 * does not know the alias; without a gateway the provider; and the edge worker, which has the built-in summaries, where
 * these refuse or there are none. Throws {@link LlmError} where an upstream fails otherwise, and what the edge throws.
 */
export function createSummaries({ llm }: Pick<Config, "llm">, edge: ServiceClient) {
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
