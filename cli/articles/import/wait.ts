import { setTimeout as sleep } from "node:timers/promises";
import { type ApiTarget, CommandError } from "@isnad/lib/service/cli";
import { ArticleView } from "@isnad/lib/contract";
import { parseJson } from "@isnad/lib/std";

const Answer = ArticleView.pick({ state: true });

/** How to wait for articles that were accepted. */
export type WaitOptions = {
  target: ApiTarget;
  /** Some of the accepted articles, the last one among them: these are looked up. */
  sample: readonly number[];
  signal: AbortSignal;
  /** How long nothing may move before the waiting is given up, in milliseconds. */
  patienceMs: number;
  onProgress?: (pending: number) => void;
  everyMs?: number;
};

/** The gauge of `GET /metrics` that counts articles not yet indexed or failed. */
const PENDING = /^articles_pending(?:\{[^}]{0,200}\})? ([0-9.e+]+)$/gm;

/**
 * Returns once no article waits for the queues any more and each of the sample is indexed, or failed for good: whether
 * an article is indexed is its state. Searches see what is indexed within a second. Throws CommandError when nothing
 * has moved for `patienceMs`.
 */
export async function waitUntilIndexed(options: WaitOptions): Promise<void> {
  const { onProgress } = options;
  await until("articles that wait for the queues", options, async () => {
    const pending = await pendingArticles(options);
    if (Number.isFinite(pending)) onProgress?.(pending);
    return pending;
  });
  const left = new Set(options.sample);
  await until("articles that are not indexed", options, async () => {
    for (const id of left) if (await isSettled(id, options)) left.delete(id);
    return left.size;
  });
}

/** Polls `count` until it is 0. */
async function until(what: string, options: WaitOptions, count: () => Promise<number>): Promise<void> {
  let least = Number.POSITIVE_INFINITY;
  let movedAt = performance.now();
  for (;;) {
    const now = await count();
    if (now === 0) return;
    if (now < least) movedAt = performance.now();
    least = Math.min(least, now);
    if (performance.now() - movedAt > options.patienceMs) {
      const seconds = Math.round(options.patienceMs / 1000);
      throw new CommandError(`${now} ${what}, and none fewer for ${seconds} s`);
    }
    await sleep(options.everyMs ?? 500, undefined, { signal: options.signal });
  }
}

async function pendingArticles({ target, signal }: WaitOptions): Promise<number> {
  const headers = target.metricsToken === undefined ? {} : { "x-metrics-token": target.metricsToken };
  const text = await get(`${target.url}/metrics`, headers, signal);
  if (text === undefined) return Number.POSITIVE_INFINITY;
  const values = Array.from(text.matchAll(PENDING), ([, value]) => Number(value));
  if (values.length === 0) throw new CommandError("the API's metrics do not tell how many articles wait");
  return values.reduce((sum, value) => sum + value, 0);
}

/** Whether the article is indexed, or failed in the queues. */
async function isSettled(id: number, { target, signal }: WaitOptions): Promise<boolean> {
  const headers = target.publicKey === undefined ? {} : { "x-api-key": target.publicKey };
  const text = await get(`${target.url}/v1/articles/${id}`, headers, signal);
  const article = text === undefined ? undefined : Answer.safeParse(parseJson(text)).data;
  return article?.state === "indexed" || article?.state === "failed";
}

/** The body of a 200; undefined for any other answer or none. */
async function get(url: string, headers: Record<string, string>, signal: AbortSignal): Promise<string | undefined> {
  try {
    const response = await fetch(url, { headers, signal: AbortSignal.any([signal, AbortSignal.timeout(30_000)]) });
    const text = await response.text();
    return response.status === 200 ? text : undefined;
  } catch (error) {
    signal.throwIfAborted();
    if (error instanceof Error) return undefined;
    throw error;
  }
}
