import { ChatAnswer, CHAT_STREAM, ChatUsage, chatRequest, collectChat } from "@isnad/lib/contract";
import {
  type Access,
  createRoute,
  eventStream,
  inTurn,
  type HttpEnv,
  jsonBody,
  keepOpen,
  type Limiter,
  note,
  type OpenAPIHono,
  problems,
  z,
} from "@isnad/lib/service/http";
import { available } from "@isnad/lib/answers";
import { converse } from "../chat/converse.ts";
import { classify, type EdgeDeps } from "../capabilities.ts";

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
    ...problems(
      "malformed-json",
      "unauthorized",
      "payload-too-large",
      "unsupported-media-type",
      "validation-error",
      "service-unavailable",
      "model-not-installed",
    ),
  },
});
