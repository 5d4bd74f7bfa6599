import { type Answerer, available, readQuery, searchQuery, smallTalk, type Source } from "@isnad/lib/answers";
import {
  CHAT_STREAM,
  ChatAnswer,
  type ChatEvent,
  type ChatRequest,
  chatRequest,
  type ChatSource,
  ChatUsage,
  collectChat,
} from "@isnad/lib/contract";
import {
  BODY_PROBLEMS,
  type Access,
  createRoute,
  eventStream,
  type HttpEnv,
  inTurn,
  jsonBody,
  keepOpen,
  type Limiter,
  note,
  type OnBehalf,
  type OpenAPIHono,
  problems,
  type ServiceClient,
  z,
} from "@isnad/lib/service/http";
import { codePointLength, detectLanguage } from "@isnad/lib/text";
import { classify, type EdgeDeps } from "../capabilities.ts";

/** Articles that a question is answered from; the built-in model looks through more. */
export const SOURCES = { builtin: 16, upstream: 8 } as const;

const Found = z.object({
  results: z.array(
    z.object({
      article_id: z.int(),
      title: z.string(),
      url: z.string(),
      published_at: z.string().nullable(),
      rerank_score: z.number().nullable(),
      passages: z.array(z.object({ text: z.string(), offsets: z.object({ start: z.int(), end: z.int() }) })),
    }),
  ),
});

/** Limits of the articles that are read. */
type Limits = Pick<ChatRequest, "filters" | "article_id" | "story_id">;

/**
 * Returns the articles that answer a question best, by word and by meaning, reranked, numbered from 1, and passages of
 * each that say most. @throws AppError
 */
async function findSources(
  { answerer: { provider }, retrieval }: Converse,
  query: string,
  { filters, ...within }: Limits,
  on: OnBehalf,
): Promise<Source[]> {
  const body = {
    query,
    rerank: true,
    limit: SOURCES[provider],
    fields: ["article_id", "title", "url", "published_at", "passages", "rerank_score"],
    filters: { ...filters, ...within },
  };
  const { results } = await retrieval.post("/retrieve", body, Found, on);
  return results.map(({ article_id: articleId, title, url, published_at, passages, rerank_score }, i) => ({
    ...{ n: i + 1, articleId, title, url },
    ...(published_at !== null && { published: published_at }),
    ...(rerank_score !== null && { score: rerank_score }),
    passages: passages.map(({ text, offsets }) => ({ text, start: offsets.start })),
  }));
}

/** Holds what a turn is made with. */
type Converse = { answerer: Answerer; retrieval: ServiceClient };

/**
 * Answers the last user message of a conversation: searches for it with what it refers to, then has it answered from
 * what was found. A message that asks nothing of the news is not searched. Throws what search and model throw, the
 * signal's reason when that aborts.
 */
async function* converse(
  { answerer, retrieval }: Converse,
  { messages, grounded, lang, max_tokens, temperature, stream, ...limits }: ChatRequest,
  on: OnBehalf,
): AsyncGenerator<ChatEvent> {
  const talk = grounded ? smallTalk(lastAsked(messages)) : undefined;
  const sources =
    grounded && talk === undefined
      ? await findSources({ answerer, retrieval }, searchQuery(messages), limits, on)
      : undefined;
  yield {
    event: "meta",
    data: { request_id: on.requestId, model: answerer.model, sources: (sources ?? []).map(shown) },
  };
  const parts = answerer.answer({
    conversation: messages,
    query: readQuery(messages),
    sources,
    smallTalk: talk,
    lang: lang ?? languageOf(messages),
    maxTokens: max_tokens,
    temperature,
    live: stream,
    ...on,
  });
  for await (const part of parts) {
    if (part.kind === "text") yield { event: "delta", data: { text: part.text } };
    else {
      const { finishReason, usage, citations = [] } = part;
      yield { event: "done", data: { finish_reason: finishReason, citations: [...citations], usage } };
    }
  }
}

function shown({ n, articleId, title, url, passages }: Source): ChatSource {
  const read = passages.map(({ text, start }) => ({ text, offsets: { start, end: start + codePointLength(text) } }));
  return { n, article_id: articleId, title, url, passages: read };
}

function lastAsked(messages: ChatRequest["messages"]): string {
  return messages.findLast(({ role }) => role === "user")?.content ?? "";
}

/** Returns the language of the last user message. */
function languageOf(messages: ChatRequest["messages"]): "ar" | "en" {
  return detectLanguage(lastAsked(messages)).lang === "ar" ? "ar" : "en";
}

/** POST /llm/chat: the next turn of a conversation, in one piece or as a stream of events. */
export function addChat(
  app: OpenAPIHono<HttpEnv>,
  { config, access, limiter, retrieval, capabilities }: EdgeDeps & { access: Access; limiter: Limiter },
): void {
  // Before it is used as nullable: the document would have it as nullable everywhere.
  app.openAPIRegistry.register("ChatUsage", ChatUsage);
  app.openAPIRegistry.registerPath(definition);
  // What is answered is an event stream or JSON: the documented definition would want the latter alone.
  const route = { ...definition, hide: true, responses: { 200: { description: "The answer." } } };
  const middleware = [access.require("edge", "x-api-key"), jsonBody()];
  app.openapi({ ...route, middleware }, async (c) => {
    const request = c.req.valid("json");
    const { use: answerer, model, provider } = available(capabilities.chat);
    note(c, { model, provider, messages: request.messages.length, grounded: request.grounded, stream: request.stream });
    const { requestId, client } = c.var;
    const events = (signal: AbortSignal) =>
      inTurn(limiter, { client, signal }, () =>
        converse({ answerer, retrieval }, request, { requestId, client, signal }),
      );
    if (request.stream) return await eventStream(c, events, { heartbeatMs: config.streamHeartbeatMs, classify });
    keepOpen(c);
    return c.json(await collectChat(events(c.req.raw.signal)), 200);
  });
}

const definition = createRoute({
  method: "post",
  path: "/llm/chat",
  operationId: "createChat",
  tags: ["llm"],
  summary: "General-purpose chat, grounded in the platform's articles unless told otherwise",
  description: CHAT_STREAM,
  security: [{ apiKey: [] }],
  request: { body: { required: true, content: { "application/json": { schema: chatRequest({ stream: false }) } } } },
  responses: {
    200: {
      description: "The answer; with `stream: true` as events.",
      content: { "application/json": { schema: ChatAnswer }, "text/event-stream": { schema: z.string() } },
    },
    ...problems(...BODY_PROBLEMS, "unauthorized", "service-unavailable", "model-not-installed"),
  },
});
