import {
  type Access,
  bearerToken,
  CLIENT_HEADER,
  type HttpContext,
  type HttpEnv,
  INTERNAL_HEADER,
  invalidFields,
  jsonBody,
  keepOpen,
  KEYS_PATH,
  note,
  type OpenAPIHono,
  PASSED_HEADER,
  PROBLEM_JSON,
  readBytes,
  type ServiceClient,
} from "@isnad/lib/service/http";
import { parseJsonObject } from "@isnad/lib/std";
import { KeysRequest } from "@isnad/lib/contract";
import type { Store } from "@isnad/lib/store";

/** Tells services of the platform that have no database which keys are in force; nobody else is answered. */
export function addKeys(
  app: OpenAPIHono<HttpEnv>,
  { access, store }: { access: Access; store: Pick<Store, "keys"> },
): void {
  app.post(KEYS_PATH, access.require("internal"), jsonBody(), async (c) => {
    const { data } = KeysRequest.safeParse(await c.req.json());
    if (data === undefined) throw invalidFields({ used: ["must be a list of keys and times"] });
    return c.json({ keys: await store.keys.current(data.used) }, 200);
  });
}

/** The services behind the door. */
type Behind = {
  linguistic: ServiceClient;
  edge: ServiceClient;
  retrieval: ServiceClient;
  scraper: ServiceClient;
};

/** Time until the head of an answer is there, in milliseconds: a recording takes minutes to be transcribed. */
const HEAD_MS = 600_000;

/** A body up to so many bytes is read before it is passed on, so that it can be sent twice. */
const MAX_BUFFERED_BYTES = 1_500_000;

/**
 * Passes on what another service answers, under the credentials of the request: the linguistic service under `/nlp`,
 * the edge worker under `/edge`, the scraper under `/scraper`, the search service under `/retrieval`, of which
 * `/s1/*` and `/retrieve` answer at the root, too.
 */
export function addDoor(app: OpenAPIHono<HttpEnv>, behind: Behind): void {
  const prefixes = {
    "/nlp": behind.linguistic,
    "/edge": behind.edge,
    "/scraper": behind.scraper,
    "/retrieval": behind.retrieval,
  };
  for (const [prefix, service] of Object.entries(prefixes)) app.all(`${prefix}/*`, (c) => pass(c, service, prefix));
  for (const path of ["/s1/*", "/retrieve"]) app.all(path, (c) => pass(c, behind.retrieval, ""));
}

async function pass(c: HttpContext, service: ServiceClient, prefix: string): Promise<Response> {
  const { method, url, headers, signal } = c.req.raw;
  const { pathname, search } = new URL(url);
  const { requestId, client } = c.var;
  note(c, { passed: prefix });
  keepOpen(c);
  const path = `${pathname.slice(prefix.length)}${search}`;
  const body = await bodyOf(c);
  const request = { method, headers: passedHeaders(headers), body, timeoutMs: HEAD_MS };
  const answer = await service.forward(path, request, { requestId, client, signal });
  const answered = { status: answer.status, headers: answeredHeaders(answer.headers) };
  const isProblem = answer.status >= 400 && answer.headers.get("content-type")?.startsWith(PROBLEM_JSON) === true;
  if (!isProblem || prefix === "") return new Response(answer.body, answered);
  const problem = parseJsonObject(await answer.text());
  return new Response(JSON.stringify({ ...problem, instance: pathname }), answered);
}

async function bodyOf(c: HttpContext): Promise<Uint8Array<ArrayBuffer> | ReadableStream | undefined> {
  const { raw } = c.req;
  if (raw.body === null) return undefined;
  const length = Number(raw.headers.get("content-length") ?? Number.POSITIVE_INFINITY);
  return length <= MAX_BUFFERED_BYTES ? await readBytes(raw, MAX_BUFFERED_BYTES) : raw.body;
}

/** Headers of a connection, of the platform's services, and of what the door does itself: they end here. */
const HELD_BACK = new Set([
  ...["connection", "keep-alive", "te", "trailer", "transfer-encoding", "upgrade", "proxy-authorization", "host"],
  ...["content-length", "expect", "cookie", "origin", "forwarded", "if-none-match", "if-modified-since"],
  ...[INTERNAL_HEADER, CLIENT_HEADER, PASSED_HEADER],
]);

function passedHeaders(headers: Headers): Headers {
  const passed = new Headers();
  for (const [name, value] of headers) {
    if (!HELD_BACK.has(name) && !name.startsWith("x-forwarded-") && !name.startsWith("sec-")) passed.set(name, value);
  }
  // A client may give every key as bearer token; some routes look for it in the other place.
  const key = bearerToken(headers.get("authorization") ?? undefined);
  if (key !== undefined && !passed.has("x-api-key")) passed.set("x-api-key", key);
  return passed;
}

function answeredHeaders(headers: Headers): Headers {
  const answered = new Headers(headers);
  for (const name of ["connection", "keep-alive", "transfer-encoding", "content-length", "x-request-id"])
    answered.delete(name);
  for (const [name] of headers) if (name.startsWith("access-control-")) answered.delete(name);
  return answered;
}
