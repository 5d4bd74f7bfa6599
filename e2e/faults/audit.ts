import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { SearchBody } from "@isnad/lib/contract";
import { createEmbedder, openRegistry } from "@isnad/lib/models";
import { type KeywordIndex, openKeyword } from "@isnad/lib/search";
import { type Env, loadConfig } from "@isnad/lib/service/config";
import { errorMessage, isObject, parseJson, parseJsonObject } from "@isnad/lib/std";
import { articleIdOfKey, isUnavailable, openStore, type Store } from "@isnad/lib/store";
import { gauge } from "../../bench/processes.ts";
import { leaseDatabase, STAGES } from "./faults.ts";
import type { Stack } from "./stack.ts";

/** The gauge of the documents of the keyword index. */
const KEYWORD_GAUGE = 'retrieval_index_articles{index="keyword"}';

/** Ids that an engine is asked for at a time. */
const PAGE = 10_000;

/** Holds what is wrong after a trial; every number should be 0. */
export type Audit = {
  articles: number;
  passages: number;
  /** Accepted articles that are not in state `indexed`. */
  notIndexed: number;
  /** Rows of articles that nobody was told of. */
  unknown: number;
  /** Articles without a document in the keyword index, and documents without an article. */
  keywordMissing: number;
  keywordGhosts: number;
  /** Articles whose passages of the current model are missing, doubled or not numbered from 0. */
  passagesWrong: number;
  /**
   * Holds what the running search service's vector index lacks, or has too much, compared with the passages in the
   * database.
   */
  vectorsOff: number;
  /** Articles for which not exactly one event `article.upserted` was written. */
  eventsWrong: number;
  /** Articles that a stage behind the search did not end, and those without a story; 0 where that is not waited for. */
  unended: number;
  withoutStory: number;
  /** Rows of work that were set aside for having been in hand at five deaths, and were tried again. */
  retried: number;
};

/** Time without an arrival after which nothing is waited for any more, in milliseconds. */
export const WAIT_MS = 180_000;

/**
 * Waits until no article is on its way any more, with `stages` to the end of the stages behind the search, too, or none
 * has arrived for {@link WAIT_MS}; then compares what was accepted with the database and both indexes, in the engines
 * that `env` names.
 */
export async function audit(
  {
    dataDir,
    retrievalUrl,
    env = {},
    stages = false,
  }: { dataDir: string; retrievalUrl: string; env?: Env; stages?: boolean | undefined },
  ids: readonly number[],
): Promise<Audit> {
  await using opened = new AsyncDisposableStack();
  const lease = await leaseDatabase(dataDir);
  opened.defer(() => lease.release());
  const store = openStore(lease.url, { max: 2 });
  opened.defer(() => store.close());
  const { engines } = loadConfig({ ...env, DATA_DIR: dataDir });
  const keyword =
    engines.keyword.engine === "embedded"
      ? undefined
      : await openKeyword({ engine: engines.keyword, store, dir: join(dataDir, "keyword") });
  opened.defer(async () => await keyword?.close());
  const embedder = await createEmbedder({ registry: openRegistry({ dataDir }) });
  opened.defer(() => embedder.close());

  let deadline = performance.now() + WAIT_MS;
  let retried = 0;
  for (let seen = ""; performance.now() < deadline; await sleep(100)) {
    const left = [await pending(store), ...(stages ? await unended(store) : [])];
    if (left.every((count) => count === 0)) break;
    // An article that one stage has ended waits for others: any change is a step.
    if (String(left) !== seen) deadline = performance.now() + WAIT_MS;
    seen = String(left);
    // Whatever ended the process, an article that was in hand five times is set aside: the operator has it tried again.
    if (stages) retried += await store.work.retry({}).catch(whileAway(0));
  }

  const expectedIds = new Set(ids);
  const states = await store.articles.byIds(ids, ["articleId", "state"]);
  const { indexed, accepted, normalized, failed } = await store.articles.countByState();
  const passages = await passagesOf(store, embedder.modelId);
  const events = await eventsOf(store);
  const total = [...passages.values()].reduce((sum, list) => sum + list.length, 0);
  let vectors = await gauge(retrievalUrl, "retrieval_index_passages");
  for (
    ;
    vectors !== total && performance.now() < deadline;
    vectors = await gauge(retrievalUrl, "retrieval_index_passages")
  ) {
    await sleep(100);
  }
  // An index that was away catches up.
  const countOf = () => (keyword === undefined ? gauge(retrievalUrl, KEYWORD_GAUGE) : keyword.count().catch(() => -1));
  while ((await countOf()) !== expectedIds.size && performance.now() < deadline) await sleep(100);
  const documents = keyword === undefined ? await foundByTitle(retrievalUrl, store, ids) : await idsOf(keyword);
  const ghosts = keyword === undefined ? (await countOf()) - documents.length : 0;
  const present = new Set(documents);
  return {
    articles: indexed,
    passages: total,
    vectorsOff: vectors - total,
    notIndexed: ids.length - states.filter(({ state }) => state === "indexed").length,
    unknown: indexed + accepted + normalized + failed - expectedIds.size,
    keywordMissing: ids.filter((id) => !present.has(id)).length,
    keywordGhosts: ghosts + documents.filter((id) => !expectedIds.has(id)).length,
    passagesWrong: ids.filter((id) => !isRow(passages.get(id) ?? [])).length,
    eventsWrong: ids.filter((id) => events.get(id) !== 1).length,
    unended: stages ? (await unended(store)).reduce((sum, count) => sum + count, 0) : 0,
    retried,
    withoutStory: stages ? ids.length - (await store.stories.idsOf(ids)).size : 0,
  };
}

/** The articles of all documents, each as often as it has one. */
async function idsOf(keyword: KeywordIndex): Promise<number[]> {
  const all: number[] = [];
  for (let after = 0; ; ) {
    const keys = await keyword.ids(after, PAGE);
    all.push(...keys.map(articleIdOfKey));
    after = keys.at(-1) ?? after;
    if (keys.length < PAGE) return all;
  }
}

/** Those of these articles that the retrieval service finds by the words of their titles. */
async function foundByTitle(retrievalUrl: string, store: Store, ids: readonly number[]): Promise<number[]> {
  const found: number[] = [];
  for (const { articleId, title } of await store.articles.byIds(ids, ["articleId", "title"])) {
    const body = {
      query: title,
      k_bm25: 1,
      k_knn: 0,
      fields: ["article_id"],
      filters: { term: { article_id: articleId } },
    };
    const response = await fetch(`${retrievalUrl}/retrieve`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify(body),
    });
    const { results = [] } = Object(await response.json());
    if (results.some((hit: { article_id: number }) => hit.article_id === articleId)) found.push(articleId);
  }
  return found;
}

/** Articles on their way; while the database recovers nobody knows, and there is at least one. */
async function pending(store: Store): Promise<number> {
  return await store.articles.countPending().catch(whileAway(1));
}

/** Counts what waits at each stage behind the search and what they set aside; at least one while nobody knows. */
async function unended(store: Store): Promise<number[]> {
  const backlog = await store.work.backlog().catch(whileAway(undefined));
  if (backlog === undefined) return [1];
  return STAGES.map((name) => {
    const { waiting, setAside } = backlog.find(({ stage }) => stage === name) ?? { waiting: 0, setAside: 0 };
    return waiting + setAside;
  });
}

/** Returns what stands for an answer of a database that recovers. */
function whileAway<T>(answer: T): (error: unknown) => T {
  return (error) => {
    if (isUnavailable(error)) return answer;
    throw error;
  };
}

/** Tells whether the numbers are 0, 1, 2, … in some order. */
function isRow(numbers: readonly number[]): boolean {
  const sorted = numbers.toSorted((a, b) => a - b);
  return sorted.length > 0 && sorted.every((n, i) => n === i);
}

/** The numbers of the passages that stand, by article, as one who follows the changes sees them. */
async function passagesOf(store: Store, modelId: string): Promise<Map<number, number[]>> {
  const passages = new Map<number, number[]>();
  for (let seq = 0; ; ) {
    const { changes, nextSeq } = await store.chunks.since(modelId, seq, 5_000);
    if (changes.length === 0) return passages;
    for (const change of changes) {
      if (change.kind === "delete") passages.delete(change.articleId);
      else passages.set(change.articleId, [...(passages.get(change.articleId) ?? []), change.chunkNo]);
    }
    seq = nextSeq;
  }
}

/** Counts how many events `article.upserted` there are, by article. */
async function eventsOf(store: Store): Promise<Map<number, number>> {
  const counts = new Map<number, number>();
  const consumer = `audit-${Date.now()}`;
  for (;;) {
    const events = await store.outbox.claim(consumer, { owner: consumer, limit: 1_000, leaseS: 60 });
    if (events.length === 0) return counts;
    for (const { type, articleId } of events) {
      if (type === "article.upserted" && articleId !== null) counts.set(articleId, (counts.get(articleId) ?? 0) + 1);
    }
    await store.outbox.ack(
      consumer,
      events.map(({ id }) => id),
    );
  }
}

/** Searches asked of a stack, and those that failed twice in a row. */
export type Searches = { searches: number; searchesFailed: number };

/** Pauses, in milliseconds: between searches, before a repetition, and for what the services write of a request. */
type Pauses = { betweenMs: number; retryMs: number; logMs: number };

const PAUSES: Pauses = { betweenMs: 200, retryMs: 500, logMs: 300 };

/** Holds what is used of a stack. */
type SearchedStack = { info(): { urls: Record<string, string> } } & Pick<Stack, "linesWith">;

type SearchesOptions = {
  /** True when an answer of one branch alone counts as one. */
  mayDegrade: boolean;
  /** Is told why each search failed that did, and why its repetition did. */
  onFailure(reasons: readonly string[]): void | Promise<void>;
  signal: AbortSignal;
  pauses?: Pauses;
};

/** Searches one after another until `signal` aborts; one that fails is repeated once. */
export async function keepSearching(
  stack: SearchedStack,
  { mayDegrade, onFailure, signal, pauses = PAUSES }: SearchesOptions,
): Promise<Searches> {
  const counts = { searches: 0, searchesFailed: 0 };
  const ask = () => failureOf(stack, { mayDegrade, logMs: pauses.logMs });
  while (!signal.aborted) {
    counts.searches++;
    const first = await ask();
    if (first !== undefined) {
      await sleep(pauses.retryMs);
      const second = await ask();
      if (second !== undefined) {
        counts.searchesFailed++;
        await onFailure([first, second]);
      }
    }
    await sleep(pauses.betweenMs, undefined, { signal }).catch(() => undefined);
  }
  return counts;
}

/** Asks one search. Returns why it failed: what it was answered with, and what the services say of it. */
async function failureOf(
  stack: SearchedStack,
  { mayDegrade, logMs }: { mayDegrade: boolean; logMs: number },
): Promise<string | undefined> {
  const id = crypto.randomUUID();
  const startedAt = performance.now();
  const failure = await answerOf(stack, id, mayDegrade);
  if (failure === undefined) return undefined;
  const took = Math.round(performance.now() - startedAt);
  await sleep(logMs);
  return [`${failure} after ${took} ms`, ...stack.linesWith(id).map(causeIn)].join("\n    ");
}

async function answerOf(stack: SearchedStack, id: string, mayDegrade: boolean): Promise<string | undefined> {
  try {
    const response = await fetch(`${stack.info().urls.api}/v1/search?q=harbour+council`, {
      headers: { "X-Request-Id": id },
      signal: AbortSignal.timeout(20_000),
    });
    const text = await response.text();
    if (!response.ok) return `${response.status} ${String(parseJsonObject(text)?.detail)}`;
    const { meta } = SearchBody.parse(parseJson(text));
    return mayDegrade || !meta.degraded ? undefined : `degraded ${JSON.stringify(meta.diagnostics)}`;
  } catch (error) {
    if (error instanceof Error) return errorMessage(error);
    throw error;
  }
}

/** Returns what a line of the log says that explains a failure. */
function causeIn(line: string): string {
  const logged = parseJsonObject(line.slice(line.indexOf("{")));
  if (logged === undefined) return line;
  const { service, status, ms, keyword, vector, error, err } = logged;
  return JSON.stringify({ service, status, ms, keyword, vector, error, err: isObject(err) ? err.message : err });
}
