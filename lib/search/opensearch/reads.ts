import { setTimeout as sleep } from "node:timers/promises";
import { z } from "zod";
import { retry } from "../../std/mod.ts";
import { EngineError } from "../engines/error.ts";
import { faultOf, type OpenSearch, type OpenSearchRequest } from "./client.ts";
import type { Clause } from "./query.ts";

/** Longest time that a search waits for a cluster, in milliseconds. */
const WITHIN_MS = 8_500;
/** How long one node is waited for alone, in milliseconds; it goes on, as the others may be no quicker. */
const HEDGE_MS = 3_000;
/** How often, and how soon, what cannot be answered now is asked again: that a node is gone is known soon. */
const ATTEMPTS = 6;
const BACKOFF = { baseMs: 50, maxMs: 1_000 };

/** How long answers are waited for, in milliseconds: at all, and before another node is asked as well. */
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
      ...{ backoff: BACKOFF, attempts: ATTEMPTS, signal },
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

/** What one of several searches is answered with, beside its hits. */
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
