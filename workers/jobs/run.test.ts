import { afterAll, beforeEach, expect, test } from "bun:test";
import { createLogger } from "@isnad/lib/service/process";
import type { NewJob, QueueJob, QueueName } from "@isnad/lib/work/queue";
import { openStore } from "@isnad/lib/store";
import { admitItems, testDatabase, testItem } from "@isnad/lib/store/testing";
import { failure } from "../testing/failure.ts";
import type { Outcome } from "./outcome.ts";
import { type FrameDeps, runJob } from "./run.ts";

const database = await testDatabase();
const store = openStore(database.url);
const ids = await admitItems(store, [testItem(), testItem(), testItem()]);
const [one = 0, two = 0, three = 0] = ids;

const lines: Record<string, unknown>[] = [];
const logger = createLogger({
  service: "test",
  stream: { write: (line: string) => void lines.push(JSON.parse(line)) },
});
const added: { queue: QueueName; job: NewJob }[] = [];
const ends: string[] = [];
const waits: number[] = [];
const deps: FrameDeps = {
  store,
  logger,
  queues: {
    add: async (queue, jobs) => {
      for (const job of jobs) added.push({ queue, job });
    },
  },
  onStart: (_, waitedS) => waits.push(waitedS),
  onEnd: (_, outcome) => ends.push(outcome),
};

beforeEach(() => {
  for (const list of [lines, added, ends, waits]) list.length = 0;
});

afterAll(async () => {
  await store.close();
  await database.drop();
});

function job(articleIds: number[], over: Partial<QueueJob> = {}): QueueJob {
  return { id: "r-1", data: { articleIds }, queuedAtMs: Date.now() - 250, attempt: 1, lastAttempt: false, ...over };
}

function run(it: QueueJob, work: () => Promise<Outcome>, signal = new AbortController().signal): Promise<void> {
  return runJob("analysis", it, work, deps, signal);
}

function failing(error: Error): () => Promise<Outcome> {
  return async () => {
    throw error;
  };
}

const retryable = Object.assign(new Error("the model is busy"), { retryable: true });
const unavailable = Object.assign(new Error("connection lost"), { code: "CONNECTION_CLOSED" });
const state = async (id: number) => (await store.articles.get(id))?.state;

test("a job that works leaves one line with its counts and the time it waited", async () => {
  await run(job(ids), async () => ({ counts: { indexed: 3, embed_ms: 4 }, broken: [] }));
  expect(lines).toHaveLength(1);
  expect(lines[0]).toMatchObject({
    queue: "analysis",
    job: "r-1",
    articles: 3,
    indexed: 3,
    embed_ms: 4,
    outcome: "done",
  });
  expect(ends).toEqual(["done"]);
  expect(waits[0]).toBeGreaterThan(0.24);
  expect(waits[0]).toBeLessThan(5);
});

test("an article that cannot be worked on goes on in a job of its own, and its neighbours are done", async () => {
  await run(job(ids), async () => ({
    counts: { indexed: 2 },
    broken: [{ articleId: two, error: new Error("odd text") }],
  }));
  expect(added).toEqual([{ queue: "analysis", job: { id: `article-${two}`, data: { articleIds: [two] } } }]);
  expect(lines[0]).toMatchObject({ outcome: "split", split: 1, reason: "odd text" });
});

test("a batch that fails as a whole is taken apart", async () => {
  await run(job(ids), failing(new Error("invalid value")));
  expect(added.map(({ job }) => job.data.articleIds)).toEqual([[one], [two], [three]]);
  expect(ends).toEqual(["split"]);
});

test("a single article is tried again until its last attempt, then given up with the reason", async () => {
  expect(await failure(run(job([one]), failing(new Error("odd text"))))).toContain("odd text");
  expect(await state(one)).toBe("accepted");
  await run(job([one], { lastAttempt: true }), async () => ({
    counts: {},
    broken: [{ articleId: one, error: new Error("odd text") }],
  }));
  const article = await store.articles.get(one);
  expect([article?.state, article?.stateReason]).toEqual(["failed", "odd text"]);
  expect(ends).toEqual(["retry", "failed"]);
});

test("while the database is away no article is blamed, however often", async () => {
  for (const lastAttempt of [false, true]) {
    expect(await failure(run(job([two], { lastAttempt }), failing(unavailable)))).toContain("connection lost");
    expect(await failure(run(job(ids, { lastAttempt }), failing(unavailable)))).toContain("connection lost");
  }
  expect(added).toEqual([]);
  expect(await state(two)).toBe("accepted");
});

test("a full disk is no article's fault either", async () => {
  const full = Object.assign(new Error("no space left"), { code: "ENOSPC" });
  expect(await failure(run(job([two], { lastAttempt: true }), failing(full)))).toContain("no space");
  expect(await state(two)).toBe("accepted");
});

test("a busy model is waited for; a batch that it never takes is taken apart at the end", async () => {
  expect(await failure(run(job(ids), failing(retryable)))).toContain("busy");
  expect(added).toEqual([]);
  await run(job(ids, { lastAttempt: true }), failing(retryable));
  expect(added).toHaveLength(3);
});

test("a job that is cut short by the stop of the process goes back as it is", async () => {
  const stop = new AbortController();
  stop.abort(new Error("the worker stops"));
  await expect(run(job([two], { lastAttempt: true }), failing(new Error("aborted")), stop.signal)).rejects.toThrow(
    "aborted",
  );
  expect(await state(two)).toBe("accepted");
  expect(added).toEqual([]);
});
