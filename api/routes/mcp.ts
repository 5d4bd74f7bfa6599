import { askBy, mcpOverHttp } from "@isnad/lib/mcp";
import { type Config, VERSION } from "@isnad/lib/service/config";
import { isObject, parseJson } from "@isnad/lib/std";
import {
  type Access,
  AppError,
  bodyOf,
  CLIENT_HEADER,
  createRoute,
  type HttpContext,
  type HttpEnv,
  INTERNAL_HEADER,
  keepOpen,
  type OpenAPIHono,
  PASSED_HEADER,
  Problem,
  problems,
  readJsonText,
  requestLogger,
  z,
} from "@isnad/lib/service/http";

/** POST /mcp: the tools of agents, which ask this API under the credentials of the request. */
export function addMcp(app: OpenAPIHono<HttpEnv>, { config, access }: { config: Config; access: Access }): void {
  app.openAPIRegistry.registerPath(definition);
  app.post("/mcp", access.read(), async (c) => {
    keepOpen(c);
    const onError = (error: Error) => requestLogger(c).warn({ err: error }, "a message of an agent was not served");
    const headers = credentialsOf(c, config);
    const ask = askBy(async (path, init) => {
      const request = new Request(`http://localhost${path}`, init);
      for (const [name, value] of Object.entries(headers)) request.headers.set(name, value);
      return await app.fetch(request, c.env);
    });
    const { text } = await readJsonText(c, { values: MAX_VALUES });
    // The protocol wants both types named; a client that names one gets that one.
    const accept = c.req.header("accept") ?? "";
    const takesEvents = accept.includes("text/event-stream");
    if (!takesEvents && isSubscription(text)) {
      throw new AppError("not-acceptable", "A subscription is answered by events alone: accept text/event-stream.");
    }
    const { headers: sent, signal } = c.req.raw;
    const request = new Request(c.req.url, { method: "POST", headers: sent, body: text, signal });
    for (const name of ["content-encoding", "content-length"]) request.headers.delete(name);
    request.headers.set("accept", ACCEPT);
    const answer = await mcpOverHttp({ version: VERSION, onError })(request, ask);
    return takesEvents ? answer : await inOnePiece(answer, text);
  });
}

/** Tells whether a message asks for a stream that never ends. */
function isSubscription(text: string): boolean {
  const message = parseJson(text);
  return isObject(message) && message.method === "subscriptions/listen";
}

/** Returns an answer of events as JSON, a list to a list: no tool here sends anything before its result. */
async function inOnePiece(answer: Response, asked: string): Promise<Response> {
  if (answer.headers.get("content-type")?.startsWith("text/event-stream") !== true) return answer;
  const lines = (await answer.text()).split("\n").filter((line) => line.startsWith("data: "));
  const events = lines.map((line) => line.slice("data: ".length));
  const body = asked.trimStart().startsWith("[") ? `[${events.join(",")}]` : (events.at(-1) ?? "{}");
  return new Response(body, { status: answer.status, headers: { "Content-Type": "application/json" } });
}

/** Values of a message: arguments of a tool are few, and the protocol's own checks take a microsecond for each. */
const MAX_VALUES = 10_000;

const ACCEPT = "application/json, text/event-stream";

/** Returns the headers that show whose a request is that a tool makes: what its client shows, and no more. */
function credentialsOf(c: HttpContext, { tokens }: Config): Record<string, string> {
  const [internal] = tokens.internal;
  const given = ["authorization", "x-api-key"].flatMap((name) => {
    const value = c.req.header(name);
    return value === undefined ? [] : [[name, value] as const];
  });
  const passed =
    internal === undefined ? {} : { [INTERNAL_HEADER]: internal, [CLIENT_HEADER]: encodeURI(c.var.client) };
  return { ...Object.fromEntries(given), ...passed, [PASSED_HEADER]: "1", "x-request-id": c.var.requestId };
}

const Message = z
  .looseObject({
    jsonrpc: z.literal("2.0"),
    id: z.union([z.int(), z.string()]).optional(),
    method: z.string().openapi({ example: "tools/list" }),
    params: z.record(z.string(), z.unknown()).optional(),
  })
  .openapi("AgentMessage", { example: { jsonrpc: "2.0", id: 1, method: "tools/list", params: {} } });

const definition = createRoute({
  method: "post",
  path: "/mcp",
  operationId: "callAgentTools",
  tags: ["agents"],
  summary: "The tools of agents, by the Model Context Protocol (Streamable HTTP, without sessions)",
  description:
    "Tools that read: search, article, chain, stories, story, claims, match, ask, entities, sources, analyse. Answers are short unless more is asked for; texts of articles stand in marks, as data.",
  security: [{}, { publicKey: [] }],
  request: { body: bodyOf(Message) },
  responses: {
    200: {
      description: "The answer to a JSON-RPC request.",
      content: {
        "application/json": { schema: z.record(z.string(), z.unknown()) },
        "text/event-stream": { schema: z.string() },
      },
    },
    202: { description: "A notification was taken." },
    400: {
      description: "What is no message of the protocol, told in the protocol; what is no JSON, as a problem.",
      content: {
        "application/json": { schema: z.record(z.string(), z.unknown()) },
        "application/problem+json": { schema: Problem },
      },
    },
    ...problems("unauthorized", "not-acceptable", "overloaded", "service-unavailable"),
  },
});
