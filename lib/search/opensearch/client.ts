import { setTimeout as sleep } from "node:timers/promises";
import { type ApiResponse, Client, type Connection, errors } from "@opensearch-project/opensearch";
import { z } from "zod";
import type { OpenSearchServer } from "../../service/config/mod.ts";
import { at, backoffMs, errorMessage, retry } from "../../std/mod.ts";
import {
  certificates,
  EngineError,
  type EngineFault,
  EngineSettingError,
  isCertificateFault,
} from "../engines/error.ts";
import type { Clause } from "./mapping.ts";

/** Longest time of a request to one node, in milliseconds; one that is not answered goes to another node. */
const REQUEST_MS = 30_000;
const RETRIES = 3;
/** Says how soon a node that did not answer is asked whether it is back, in milliseconds. */
const DEAD_MS = 5_000;

/** Versions whose interfaces this code has been tried on. */
const MAJORS = ["2", "3"];

/** A request; `lines` is a body of one JSON value a line. */
export type OpenSearchRequest = {
  method: "GET" | "HEAD" | "POST" | "PUT" | "DELETE";
  path: string;
  body?: object;
  lines?: readonly string[];
  query?: Record<string, string | number | boolean>;
  /** Longest time that a node may take. */
  timeoutMs?: number;
  /** Says how many more nodes are asked when one does not answer. */
  retries?: number;
};

/** A cluster. Requests reject with {@link EngineError}. */
export type OpenSearch = {
  readonly server: OpenSearchServer;
  /** The answer's body, checked against `schema`. */
  request<T>(schema: z.ZodType<T>, request: OpenSearchRequest): Promise<T>;
  close(): Promise<void>;
};

/**
 * Opens the cluster of a server: nothing is asked of it yet. Throws {@link EngineSettingError} when the file of
 * certificates cannot be read.
 */
export function openSearchClient(server: OpenSearchServer): OpenSearch {
  const { urls, user, password = "", caFile } = server;
  const client = new Client({
    nodes: [...urls],
    requestTimeout: REQUEST_MS,
    maxRetries: RETRIES,
    nodeSelector: leastBusy(),
    ...(user !== undefined && { auth: { username: user, password } }),
    ...(caFile !== undefined && { ssl: { ca: certificates("OPENSEARCH_CA_FILE", caFile) } }),
  });
  client.connectionPool.resurrectTimeout = DEAD_MS;
  return {
    server,
    async request(schema, { method, path, body, lines, query, timeoutMs, retries }) {
      let response: ApiResponse;
      try {
        response = await client.transport.request(
          {
            ...{ method, path },
            ...(body !== undefined && { body }),
            ...(lines !== undefined && { bulkBody: [...lines] }),
            ...(query !== undefined && { querystring: query }),
          },
          {
            ...(timeoutMs !== undefined && { requestTimeout: timeoutMs }),
            ...(retries !== undefined && { maxRetries: retries }),
          },
        );
      } catch (error) {
        throw asEngineError(error, path);
      }
      const parsed = schema.safeParse(response.body);
      if (parsed.success) return parsed.data;
      throw new EngineError("rejected", `opensearch: ${path} answered what is not understood`, { cause: parsed.error });
    },
    close: () => client.close(),
  };
}

/**
 * The node with the fewest requests that it has not answered; of several, the next one in turn. A node that hangs is
 * asked once, and then the others are.
 */
function leastBusy(): (nodes: Connection[]) => Connection {
  let turn = 0;
  return (nodes) => {
    const fewest = Math.min(...nodes.map((node) => node._openRequests));
    const idle = nodes.filter((node) => node._openRequests === fewest);
    return at(idle, turn++ % idle.length);
  };
}

const Root = z.object({ version: z.object({ number: z.string(), distribution: z.string().optional() }) });

/**
 * Checks that the cluster answers, accepts the user, and is of a version that this code knows. Rejects with
 * {@link EngineSettingError}, whose message names the setting that is wrong.
 */
export async function checkOpenSearch({ request, server }: OpenSearch): Promise<void> {
  const at = server.urls.join(", ");
  const { version } = await request(Root, { method: "GET", path: "/", timeoutMs: 5_000 }).catch((cause: unknown) => {
    const reason = cause instanceof EngineError ? cause.reason : undefined;
    if (reason === "denied") {
      const secret = server.user === undefined ? "a user is needed" : `${server.user} is not let in`;
      throw new EngineSettingError(`OPENSEARCH_USER and OPENSEARCH_PASSWORD: ${secret} at ${at}`, { cause });
    }
    if (isCertificateFault(cause)) {
      throw new EngineSettingError(`OPENSEARCH_CA_FILE: ${at} is not trusted (${errorMessage(cause)})`, { cause });
    }
    if (reason === "rejected") throw new EngineSettingError(`OPENSEARCH_URL: ${at} is no OpenSearch`, { cause });
    throw new EngineSettingError(`OPENSEARCH_URL: ${at} cannot be reached (${errorMessage(cause)})`, { cause });
  });
  const [major = ""] = version.number.split(".");
  if (version.distribution === "opensearch" && MAJORS.includes(major)) return;
  const served = `${version.distribution ?? "Elasticsearch"} ${version.number}`;
  throw new EngineSettingError(`OPENSEARCH_URL: ${at} serves ${served}; OpenSearch ${MAJORS.join(" or ")} is needed`);
}

/** Holds what an answer says of an error. */
const ErrorBody = z.object({
  error: z.union([z.string(), z.object({ type: z.string(), reason: z.string().nullish() })]),
});

/** Any error of the client as an {@link EngineError}. */
function asEngineError(error: unknown, path: string): EngineError {
  if (error instanceof errors.ResponseError) {
    const said = ErrorBody.safeParse(error.body).data?.error;
    const [type, reason] = typeof said === "object" ? [said.type, said.reason ?? ""] : [said ?? "", ""];
    const words = [type, reason].filter((part) => part !== "").join(": ") || errorMessage(error);
    return new EngineError(faultOf(error.statusCode ?? 500, type), `opensearch: ${path}: ${words}`, { cause: error });
  }
  // Neither what came back nor what was to be sent is JSON.
  const unreadable = error instanceof errors.DeserializationError || error instanceof errors.SerializationError;
  return new EngineError(unreadable ? "rejected" : "away", `opensearch: ${path}: ${errorMessage(error)}`, {
    cause: error,
  });
}

/** Returns what a status and an error's type stand for. */
export function faultOf(status: number, type: string): EngineFault {
  if (status === 429 || status >= 500 || /cluster_block|rejected_execution|circuit_breaking/.test(type)) return "away";
  if (status === 401 || status === 403) return "denied";
  return status === 404 ? "missing" : "rejected";
}

/** One change of an index: a document with all its fields, or without any: it goes. */
export type Change = { id: number; version: number; source?: Record<string, unknown> | undefined };

/** Characters of one request, about. */
const REQUEST_SIZE = 4_000_000;
/** Says how often what an engine is too busy for is sent again, and how soon. */
const BULK_ATTEMPTS = 6;
const BULK_BACKOFF = { baseMs: 200, maxMs: 5_000 };

const Item = z.object({
  status: z.number(),
  error: z.object({ type: z.string(), reason: z.string().nullish() }).optional(),
});
const Answer = z.object({ items: z.array(z.record(z.string(), Item)) });

type Line = { id: number; text: string };

/**
 * Makes changes, each in its own version: one that an index has in a later version stays as it is, and the deletion of
 * what is not there is none. What the engine is too busy for is sent again after a while. Rejects with
 * {@link EngineError}: `away` when it stays busy or cannot be written, `rejected` for a document that it does not
 * take; all others are written then.
 */
export async function bulk(
  search: OpenSearch,
  { index, isAlias }: { index: string; isAlias: boolean },
  changes: readonly Change[],
): Promise<void> {
  const common = { _index: index, version_type: "external_gte", ...(isAlias && { require_alias: true }) };
  const lines = changes.map(({ id, version, source }): Line => {
    const action = { ...common, _id: String(id), version };
    if (source === undefined) return { id, text: JSON.stringify({ delete: action }) };
    return { id, text: `${JSON.stringify({ index: action })}\n${JSON.stringify(source)}` };
  });
  const rejected: EngineError[] = [];
  for (const request of inRequests(lines)) await send(search, request, rejected);
  const [first] = rejected;
  if (first !== undefined) throw first;
}

function* inRequests(lines: readonly Line[]): Generator<Line[]> {
  let request: Line[] = [];
  let size = 0;
  for (const line of lines) {
    if (request.length > 0 && size + line.text.length > REQUEST_SIZE) {
      yield request;
      request = [];
      size = 0;
    }
    request.push(line);
    size += line.text.length;
  }
  if (request.length > 0) yield request;
}

async function send(search: OpenSearch, lines: readonly Line[], rejected: EngineError[]): Promise<void> {
  let rest = lines;
  for (let attempt = 0; rest.length > 0; attempt++) {
    const { items } = await search.request(Answer, {
      method: "POST",
      path: "/_bulk",
      lines: rest.map(({ text }) => text),
    });
    const busy: Line[] = [];
    let last: EngineError | undefined;
    for (const [i, item] of items.entries()) {
      const line = at(rest, i);
      const fault = Object.values(item).map((done) => faultOfItem(line.id, done))[0];
      if (fault === undefined) continue;
      if (fault.reason === "missing" || isBlocked(fault)) throw fault;
      if (fault.reason === "away") {
        busy.push(line);
        last = fault;
      } else rejected.push(fault);
    }
    if (last !== undefined && attempt + 1 >= BULK_ATTEMPTS) throw last;
    if (busy.length > 0) await sleep(backoffMs(attempt, BULK_BACKOFF));
    rest = busy;
  }
}

/** Why an item was not done; undefined where it was, or where the index has something later. */
function faultOfItem(id: number, { status, error }: z.output<typeof Item>): EngineError | undefined {
  if (error === undefined || status === 409) return undefined;
  const message = `opensearch: article ${id}: ${error.type}: ${error.reason ?? ""}`;
  return new EngineError(faultOf(status, error.type), message);
}

/** Tells whether nothing can be written for now: the disk is full, or somebody said so. */
function isBlocked({ message }: EngineError): boolean {
  return message.includes("cluster_block_exception");
}

/** Longest time that a search waits for a cluster, in milliseconds. */
const WITHIN_MS = 8_500;
/** Says how long one node is waited for alone, in milliseconds; it goes on, as the others may be no quicker. */
const HEDGE_MS = 3_000;
/** Says how often, and how soon, what cannot be answered now is asked again: that a node is gone is known soon. */
const READ_ATTEMPTS = 6;
const READ_BACKOFF = { baseMs: 50, maxMs: 1_000 };

/** Says how long answers are waited for, in milliseconds: at all, and before another node is asked as well. */
type Waits = { withinMs?: number; hedgeMs?: number };

/**
 * Asks what changes nothing until it is answered. What a node cannot answer now is asked again, of another node; when
 * there is no answer for a while, the same is asked of another node as well, and the first answer counts. Rejects with
 * {@link EngineError}: `away` when there is no answer in time, at once with any other.
 */
export async function firstAnswer<T>(
  ask: () => Promise<T>,
  { withinMs = WITHIN_MS, hedgeMs = HEDGE_MS }: Waits = {},
): Promise<T> {
  const over = new AbortController();
  const { signal } = over;
  let last: unknown;
  const attempts = () =>
    retry(ask, {
      ...{ backoff: READ_BACKOFF, attempts: READ_ATTEMPTS, signal },
      isRetryable: (error) => error instanceof EngineError && error.reason === "away",
      onRetry: (error) => {
        last = error;
      },
    });
  const hedge = sleep(hedgeMs, undefined, { signal }).then(attempts);
  const late = sleep(withinMs, undefined, { signal }).then(() => {
    throw new EngineError("away", `opensearch: no answer within ${withinMs} ms`, { cause: last });
  });
  try {
    return await Promise.race([attempts(), hedge, late]);
  } finally {
    over.abort();
  }
}

/** Asks a cluster what changes nothing, as {@link firstAnswer} does; an answer that `assert` throws at is none. */
export function read<T>(
  search: OpenSearch,
  schema: z.ZodType<T>,
  request: OpenSearchRequest,
  assert?: (answer: T) => void,
): Promise<T> {
  return firstAnswer(async () => {
    const answer = await search.request(schema, { ...request, timeoutMs: WITHIN_MS, retries: 0 });
    assert?.(answer);
    return answer;
  });
}

/** Holds what one of several searches is answered with, beside its hits. */
export const SearchAnswer = z.object({
  status: z.number(),
  error: z.object({ type: z.string(), reason: z.string().nullish() }).optional(),
});

/** Reads several searches of an index, each over all of its shards: one that lacks some of them has failed. */
export async function multiSearch<T extends z.output<typeof SearchAnswer>>(
  search: OpenSearch,
  { index, answer, header = {} }: { index: string; answer: z.ZodType<T>; header?: Record<string, unknown> },
  bodies: readonly Clause[],
): Promise<T[]> {
  const head = JSON.stringify({ ...header, allow_partial_search_results: false });
  const { responses } = await read(
    search,
    z.object({ responses: z.array(answer) }),
    { method: "POST", path: `/${index}/_msearch`, lines: bodies.map((body) => `${head}\n${JSON.stringify(body)}`) },
    ({ responses }) => responses.forEach(assertAnswered),
  );
  return responses;
}

function assertAnswered({ status, error }: z.output<typeof SearchAnswer>): void {
  if (error === undefined) return;
  throw new EngineError(faultOf(status, error.type), `opensearch: ${error.type}: ${error.reason ?? ""}`);
}
