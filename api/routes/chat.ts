import {
  CHAT_STREAM,
  ChatAnswer,
  type ChatEvent,
  ChatUsage,
  chatRequest,
  ChatStreamError,
  collectChat,
  readChatEvents,
} from "@isnad/lib/contract";
import {
  type Access,
  AppError,
  BODY_PROBLEMS,
  bodyOf,
  createRoute,
  eventStream,
  type HttpEnv,
  isErrorSlug,
  jsonBody,
  keepOpen,
  note,
  type OnBehalf,
  type OpenAPIHono,
  problems,
  type ServiceClient,
  z,
} from "@isnad/lib/service/http";
import type { ApiDeps } from "../deps.ts";

/** POST /chat/completions: passed on to the edge worker, which has the models; its stream comes back event by event. */
export function addChat(
  app: OpenAPIHono<HttpEnv>,
  { config, access, edge }: Pick<ApiDeps, "config"> & { access: Access; edge: ServiceClient },
): void {
  // Before it is used as nullable: the document would have it as nullable everywhere.
  app.openAPIRegistry.register("ChatUsage", ChatUsage);
  app.openAPIRegistry.registerPath(definition);
  // What is answered is an event stream or JSON: the documented definition would want the latter alone.
  const route = { ...definition, hide: true, responses: { 200: { description: "The answer." } } };
  app.openapi({ ...route, middleware: [access.read(), jsonBody()] }, async (c) => {
    const request = c.req.valid("json");
    note(c, { messages: request.messages.length, grounded: request.grounded, stream: request.stream });
    const { requestId, client } = c.var;
    const events = (signal: AbortSignal) =>
      chatEvents(edge, { ...request, stream: true }, { requestId, client, signal });
    if (request.stream) return await eventStream(c, events, { heartbeatMs: config.streamHeartbeatMs });
    keepOpen(c);
    return c.json(await collectChat(events(c.req.raw.signal)), 200);
  });
}

/**
 * Yields the edge worker's answer, event by event. @throws AppError as the worker puts it; 503 when it breaks off; the
 * signal's reason
 */
export async function* chatEvents(edge: ServiceClient, body: unknown, on: OnBehalf): AsyncGenerator<ChatEvent> {
  const response = await edge.open("/llm/chat", body, on);
  try {
    yield* readChatEvents(response.body ?? new ReadableStream());
  } catch (error) {
    on.signal.throwIfAborted();
    throw problemOf(error);
  }
}

function problemOf(cause: unknown): AppError {
  const { type, detail } = (cause instanceof ChatStreamError ? cause.problem : undefined) ?? {};
  const slug = typeof type === "string" ? type.replace("/errors/", "") : "";
  if (isErrorSlug(slug) && typeof detail === "string") return new AppError(slug, detail, { cause });
  return new AppError("service-unavailable", "The answer broke off.", { cause });
}

const definition = createRoute({
  method: "post",
  path: "/chat/completions",
  operationId: "createChatCompletion",
  tags: ["chat"],
  summary: "AI chat over the platform's articles",
  description: CHAT_STREAM,
  security: [{}, { publicKey: [] }],
  request: { body: bodyOf(chatRequest({ stream: true })) },
  responses: {
    200: {
      description: "The answer as events; with `stream: false` in one piece.",
      content: { "text/event-stream": { schema: z.string() }, "application/json": { schema: ChatAnswer } },
    },
    ...problems(...BODY_PROBLEMS, "unauthorized", "overloaded", "service-unavailable", "model-not-installed"),
  },
});
