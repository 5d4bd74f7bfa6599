import { type ApiResponse, Client, type Connection, errors } from "@opensearch-project/opensearch";
import { z } from "zod";
import { at, errorMessage } from "../../std/mod.ts";
import { certificates, isCertificateFault } from "../engines/certificates.ts";
import { EngineError, type EngineFault, EngineSettingError } from "../engines/error.ts";
import type { OpenSearchServer } from "../../service/config/mod.ts";

/** Longest time of a request to one node, in milliseconds; one that is not answered goes to another node. */
const REQUEST_MS = 30_000;
const RETRIES = 3;
/** How soon a node that did not answer is asked whether it is back, in milliseconds. */
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
  /** How many more nodes are asked when one does not answer. */
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

/** What an answer says of an error. */
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

/** What a status and an error's type stand for. */
export function faultOf(status: number, type: string): EngineFault {
  if (status === 429 || status >= 500 || /cluster_block|rejected_execution|circuit_breaking/.test(type)) return "away";
  if (status === 401 || status === 403) return "denied";
  return status === 404 ? "missing" : "rejected";
}
