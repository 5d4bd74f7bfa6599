import {
  chatRequestOf,
  collectCompletion,
  EmbedAnswer,
  OPENAI_CHAT_MODEL,
  OpenAiChatRequest,
  openAiChunks,
  OpenAiCompletion,
  OpenAiEmbeddings,
  OpenAiEmbeddingsRequest,
  OpenAiModel,
} from "@isnad/lib/contract";
import type { Config } from "@isnad/lib/service/config";
import {
  type Access,
  answer,
  AppError,
  BODY_PROBLEMS,
  bodyOf,
  createMiddleware,
  createRoute,
  eventStream,
  type HttpEnv,
  jsonBody,
  keepOpen,
  note,
  type OnBehalf,
  type OpenAPIHono,
  type OutgoingEvent,
  Problem,
  PROBLEM_JSON,
  problemBody,
  problems,
  type ServiceClient,
  z,
} from "@isnad/lib/service/http";
import { chatEvents } from "./chat.ts";

type OpenAiDeps = { config: Config; access: Access; edge: ServiceClient };

/**
 * Adds chat, models and embeddings in OpenAI's protocol, so that its clients work against the API by their base URL
 * alone. Errors are problem documents that have OpenAI's member `error` as well.
 */
export function addOpenAi(app: OpenAPIHono<HttpEnv>, { config, access, edge }: OpenAiDeps): void {
  const guards = [withErrorMember, access.read()];
  app.openAPIRegistry.registerPath(chatRoute);
  // What is answered is an event stream or JSON: the documented definition would want the latter alone.
  const hidden = { ...chatRoute, hide: true, responses: { 200: { description: "The answer." } } };
  app.openapi({ ...hidden, middleware: [...guards, jsonBody()] }, async (c) => {
    const given = c.req.valid("json");
    if (given.model !== OPENAI_CHAT_MODEL) throw unknownModel(given.model);
    const request = chatRequestOf(given);
    note(c, { messages: request.messages.length, grounded: request.grounded, stream: request.stream });
    const { requestId, client } = c.var;
    const head = { id: `chatcmpl-${requestId}`, created: Math.floor(Date.now() / 1000) };
    const events = (signal: AbortSignal) =>
      chatEvents(edge, { ...request, stream: true }, { requestId, client, signal });
    if (!request.stream) {
      keepOpen(c);
      return c.json(await collectCompletion(events(c.req.raw.signal), head), 200);
    }
    const includeUsage = given.stream_options?.include_usage ?? false;
    const chunks = (signal: AbortSignal) => named(openAiChunks(events(signal), head, { includeUsage }));
    return await eventStream(c, chunks, { heartbeatMs: config.streamHeartbeatMs, format: UNNAMED });
  });
  app.openapi({ ...modelsRoute, middleware: guards }, async (c) => {
    return c.json({ object: "list" as const, data: await models(edge, onBehalf(c.var, c.req.raw)) }, 200);
  });
  app.openapi({ ...modelRoute, middleware: guards }, async (c) => {
    const { model } = c.req.valid("param");
    const all = await models(edge, onBehalf(c.var, c.req.raw));
    const match = all.find(({ id }) => id === model);
    if (match === undefined) throw unknownModel(model);
    return c.json(match, 200);
  });
  app.openapi({ ...embeddingsRoute, middleware: [...guards, jsonBody()] }, async (c) => {
    const { input, model, dimensions, encoding_format, input_type } = c.req.valid("json");
    const on = onBehalf(c.var, c.req.raw);
    const { vectors, model: own } = await edge.post("/llm/embed", { texts: input, kind: input_type }, EmbedAnswer, on);
    if (model !== OPENAI_CHAT_MODEL && model !== own) throw unknownModel(model);
    const dims = vectors[0]?.length ?? 0;
    if (dimensions !== undefined && dimensions !== dims) {
      throw new AppError("validation-error", "One or more fields contain invalid values.", {
        errors: { dimensions: [`must be ${dims} for ${own}`] },
      });
    }
    const data = vectors.map((vector, index) => ({
      object: "embedding" as const,
      index,
      embedding: encoding_format === "base64" ? base64Of(vector) : vector,
    }));
    const words = input.reduce((sum, text) => sum + (text.match(/\S+/g)?.length ?? 0), 0);
    return c.json(
      { object: "list" as const, data, model: own, usage: { prompt_tokens: words, total_tokens: words } },
      200,
    );
  });
}

function onBehalf({ requestId, client }: HttpEnv["Variables"], { signal }: Request): OnBehalf {
  return { requestId, client, signal };
}

function base64Of(vector: readonly number[]): string {
  return Buffer.from(Float32Array.from(vector).buffer).toString("base64");
}

function unknownModel(model: string): AppError {
  return new AppError("not-found", `There is no model ${model.slice(0, 100)}; GET /v1/models lists those there are.`);
}

const Capabilities = z.object({
  capabilities: z.object({ embed: z.object({ model: z.string().nullable() }) }),
});

/** Lists the model that answers, and the one that makes vectors where there is one. */
async function models(edge: ServiceClient, on: OnBehalf): Promise<z.output<typeof OpenAiModel>[]> {
  const { body } = await edge.get("/llm/health", on);
  const { capabilities } = Capabilities.parse(JSON.parse(new TextDecoder().decode(body)));
  const ids = [OPENAI_CHAT_MODEL, capabilities.embed.model].filter((id) => id !== null);
  return ids.map((id) => ({ id, object: "model", created: 0, owned_by: "isnad" }));
}

const DONE = "[DONE]";

/** Gives chunks as events, and the mark that ends OpenAI's streams after them. */
async function* named(chunks: AsyncIterable<Record<string, unknown>>): AsyncGenerator<OutgoingEvent> {
  for await (const data of chunks) yield { event: "chunk", data };
  yield { event: DONE, data: null };
}

const dataLine = (text: string): string => `data: ${text}\n\n`;

/** Events without names, as OpenAI writes them. */
const UNNAMED = {
  event: ({ event, data }: OutgoingEvent) => dataLine(event === DONE ? DONE : JSON.stringify(data)),
  error: (problem: AppError, path: string) => dataLine(JSON.stringify(withError(problemBody(problem, path)))),
};

/** Gives problem documents the member `error`, from which OpenAI's clients read what is wrong. */
const withErrorMember = createMiddleware<HttpEnv>(async function withErrorMember(c, next) {
  await next();
  const { res } = c;
  if (res.headers.get("content-type") !== PROBLEM_JSON) return;
  const problem = Problem.safeParse(await res.clone().json());
  if (problem.success) c.res = new Response(JSON.stringify(withError(problem.data)), res);
});

function withError(problem: Problem) {
  const [field, messages] = Object.entries(problem.errors ?? {})[0] ?? [];
  const message = field === undefined ? problem.detail : `${field} ${messages?.[0]}`;
  const code = problem.type.replace("/errors/", "");
  return { ...problem, error: { message, type: errorType(problem.status), param: field ?? null, code } };
}

function errorType(status: number): string {
  if (status === 401 || status === 403) return "authentication_error";
  if (status === 429) return "rate_limit_error";
  return status >= 500 ? "server_error" : "invalid_request_error";
}

const common = { tags: ["openai"], security: [{}, { publicKey: [] }] };

const chatRoute = createRoute({
  ...common,
  method: "post",
  path: "/v1/chat/completions",
  operationId: "createOpenAiCompletion",
  summary: "AI chat over the platform's articles, in OpenAI's protocol",
  description:
    "The same as `POST /chat/completions`. With `stream: true` the answer is a stream of chunks, ended by `[DONE]`. `sources` (in the first chunk) are the articles that `[n]` in the text counts. " +
    "Clients of OpenAI's need the base URL alone: `http://…/v1`.",
  request: { body: bodyOf(OpenAiChatRequest) },
  responses: {
    200: {
      description: "The answer in one piece; with `stream: true` as chunks.",
      content: { "application/json": { schema: OpenAiCompletion }, "text/event-stream": { schema: z.string() } },
    },
    ...problems(
      ...BODY_PROBLEMS,
      "unauthorized",
      "not-found",
      "overloaded",
      "service-unavailable",
      "model-not-installed",
    ),
  },
});

const modelsRoute = createRoute({
  ...common,
  method: "get",
  path: "/v1/models",
  operationId: "listOpenAiModels",
  summary: "The models of this API, in OpenAI's protocol",
  responses: {
    200: answer(
      "The model that answers, and the one that makes vectors.",
      z.object({ object: z.literal("list"), data: z.array(OpenAiModel) }),
    ),
    ...problems("unauthorized", "service-unavailable"),
  },
});

const modelRoute = createRoute({
  ...common,
  method: "get",
  path: "/v1/models/{model}",
  operationId: "getOpenAiModel",
  summary: "A model of this API, in OpenAI's protocol",
  request: { params: z.object({ model: z.string() }) },
  responses: {
    200: answer("The model.", OpenAiModel),
    ...problems("unauthorized", "not-found", "service-unavailable"),
  },
});

const embeddingsRoute = createRoute({
  ...common,
  method: "post",
  path: "/v1/embeddings",
  operationId: "createOpenAiEmbeddings",
  summary: "Vectors of texts, in OpenAI's protocol",
  description: "By the model that articles are embedded with. Ask with `input_type: query` for the vector of a search.",
  request: { body: bodyOf(OpenAiEmbeddingsRequest) },
  responses: {
    200: answer("The vectors, in order.", OpenAiEmbeddings),
    ...problems(
      ...BODY_PROBLEMS,
      "unauthorized",
      "not-found",
      "overloaded",
      "service-unavailable",
      "model-not-installed",
    ),
  },
});
