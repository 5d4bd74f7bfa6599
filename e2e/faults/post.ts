import { setTimeout as sleep } from "node:timers/promises";
import { IngestResponse, type IngestResult } from "@isnad/lib/contract";
import { madeUpArticle } from "./articles.ts";
import type { Stack } from "./stack.ts";

/** What a client that never gives up got in the end. */
export type Posted = {
  /** The id of every article under its number; an article has one id however often it was sent. */
  ids: Map<number, number>;
  /** Articles that got two different ids, by number. */
  torn: number[];
  /** Requests that failed and were repeated. */
  repeated: number;
};

/**
 * Posts articles `0` to `count - 1` in batches, with a pause after each; repeats a batch until it is answered with 202.
 * Rejects with the signal's reason.
 */
export async function postAll(
  stack: Stack,
  {
    count,
    batch,
    pauseMs = 0,
    onBatch,
    signal,
  }: { count: number; batch: number; pauseMs?: number; onBatch?(done: number): void; signal: AbortSignal },
): Promise<Posted> {
  const posted: Posted = { ids: new Map(), torn: [], repeated: 0 };
  for (let first = 0; first < count; first += batch) {
    const numbers = Array.from({ length: Math.min(batch, count - first) }, (_, i) => first + i);
    const body = JSON.stringify({ articles: numbers.map(madeUpArticle) });
    for (;;) {
      signal.throwIfAborted();
      const results = await post(stack, body);
      if (results === undefined) {
        posted.repeated++;
        await sleep(50);
        continue;
      }
      for (const { external_id, article_id } of results) note(posted, Number(external_id), article_id);
      break;
    }
    onBatch?.(first + numbers.length);
    if (pauseMs > 0) await sleep(pauseMs);
  }
  return posted;
}

function note(posted: Posted, n: number, id: number | undefined): void {
  if (id === undefined) return;
  if ((posted.ids.get(n) ?? id) !== id) posted.torn.push(n);
  posted.ids.set(n, id);
}

async function post(stack: Stack, body: string): Promise<IngestResult[] | undefined> {
  try {
    const { urls, tokens } = stack.info();
    const response = await fetch(`${urls.api}/v1/ingest/articles`, {
      method: "POST",
      headers: { "Content-Type": "application/json", Authorization: `Bearer ${tokens.ingest}` },
      body,
      signal: AbortSignal.timeout(20_000),
    });
    return response.status === 202 ? IngestResponse.parse(await response.json()).results : undefined;
  } catch (error) {
    if (error instanceof Error) return undefined;
    throw error;
  }
}
