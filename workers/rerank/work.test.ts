import { afterAll, beforeEach, expect, setDefaultTimeout, test } from "bun:test";
import { passagesOf } from "@isnad/lib/models";
import { createLogger } from "@isnad/lib/service/process";
import { openQueues } from "@isnad/lib/work/queue";
import { at } from "@isnad/lib/std";
import { admitItems, indexedArticles, testItem, testStore } from "@isnad/lib/store/testing";
import { type TestReader, testReader, vectorOf } from "../testing/passage-reader.ts";
import { type RerankVectorDeps, rerankVectorWork } from "./work.ts";

setDefaultTimeout(60_000);

const { url, store, sql, close } = await testStore();
const logger = createLogger({ service: "test", level: "silent" });
const queues = await openQueues({ databaseUrl: url, logger });
const { signal } = new AbortController();
const modelId = "test-reader@1";

afterAll(async () => {
  await queues.close();
  await close();
});

beforeEach(async () => void (await sql`delete from articles`));

/** The work with this reader, and what it said of its articles. */
function workWith(reader: TestReader, over: Partial<RerankVectorDeps> = {}) {
  const outcomes: Record<string, number> = { done: 0, failed: 0 };
  const onBatch: RerankVectorDeps["onBatch"] = (outcome, articles) => {
    outcomes[outcome] = (outcomes[outcome] ?? 0) + articles;
  };
  const work = rerankVectorWork({ store, reader, queues, afterEntities: false, logger, onBatch, ...over });
  return {
    outcomes,
    claim: (owner: string) => work.claim(owner),
    release: work.release,
    /** Claims a batch and does it; how long to rest then, undefined where there was nothing. */
    async step(owner = "o", aborted = signal): Promise<number | undefined> {
      const batch = await work.claim(owner);
      return batch && (await work.perform(batch, { owner, signal: aborted }));
    },
  };
}

/** Indexed articles that are to be read, in the order of their ids. */
async function unread(count: number): Promise<number[]> {
  const ids = (await indexedArticles(store, count)).toSorted((a, b) => a - b);
  await store.rerank.enlist({ afterId: 0, limit: 1_000, modelId });
  return ids;
}

const passages = async (id: number) => {
  const [article] = await store.articles.byIds([id], ["title", "content"]);
  return article === undefined ? [] : passagesOf(article);
};
const served = (ids: readonly number[]) => store.rerank.vectorsOf(ids, { modelId });

test("articles are read a batch at a time, and each has the vectors of its passages", async () => {
  const ids = await unread(18);
  const reader = testReader();
  const { step, outcomes } = workWith(reader);
  expect(await step()).toBe(0);
  expect(reader.asked).toHaveLength(16);
  expect(await step()).toBe(0);
  expect(await step()).toBeUndefined();
  expect(outcomes).toEqual({ done: 18, failed: 0 });
  const vectors = await served(ids);
  for (const id of ids) {
    const expected = (await passages(id)).flatMap((passage) => [...vectorOf(passage)]);
    expect([...(vectors.get(id) ?? [])]).toEqual(expected);
  }
});

test("of a long article the first 16 chunks are read, each under the title", async () => {
  const content = "The harbour was quiet again by nightfall, and nobody came. ".repeat(1_000);
  const [articleId = 0] = await admitItems(store, [testItem({ title: "Ferries", content })]);
  await sql`insert into rerank_work (article_id) values (${articleId})`;
  const reader = testReader();
  await workWith(reader).step();
  const read = at(reader.asked, 0);
  expect(read).toHaveLength(16);
  for (const passage of read) expect(passage).toMatch(/^Ferries\sThe harbour/);
  const vectors = (await served([articleId])).get(articleId);
  expect([...(vectors ?? [])]).toEqual(read.flatMap((passage) => [...vectorOf(passage)]));
});

test("an article that cannot be read stops no other, and is put off, longer each time, until it is given up", async () => {
  const [first = 0, bad = 0, last = 0] = await unread(3);
  const poison = at(await passages(bad), 0);
  const reader = testReader({
    before: async (given) => {
      if (given.includes(poison)) throw new Error("poison");
    },
  });
  const { step, outcomes } = workWith(reader);
  await step();
  expect([...(await served([first, bad, last])).keys()].toSorted((a, b) => a - b)).toEqual([first, last]);
  expect(outcomes).toEqual({ done: 2, failed: 1 });
  for (let attempt = 1; attempt <= 5; attempt++) {
    expect(await step()).toBeUndefined();
    const [row] = await sql<{ s: number }[]>`select extract(epoch from due_at - now())::float8 as s from rerank_work`;
    // with its jitter, and what this took
    const whole = Math.min(600, 60 * 2 ** (attempt - 1));
    expect(row?.s).toBeGreaterThan(whole / 2 - 20);
    expect(row?.s).toBeLessThanOrEqual(whole);
    await sql`update rerank_work set due_at = now()`;
    if (attempt < 5) await step();
  }
  expect(outcomes).toEqual({ done: 2, failed: 5 });
  expect(await store.rerank.backlog()).toEqual({ waiting: 0, givenUp: 1 });
});

test("an article whose text changes while it is read has no vectors of the old one, and then those of the new one", async () => {
  const [id = 0] = await unread(1);
  const title = "Another title";
  let changes = 1;
  const reader = testReader({
    before: async () => {
      if (changes-- > 0) await sql`update articles set title = ${title} where article_id = ${id}`;
    },
  });
  const { step, outcomes } = workWith(reader);
  await step();
  expect(await served([id])).toEqual(new Map());
  expect(outcomes).toEqual({ done: 0, failed: 0 });
  await step();
  const read = await passages(id);
  expect(at(read, 0)).toStartWith(title);
  expect([...((await served([id])).get(id) ?? [])]).toEqual(read.flatMap((passage) => [...vectorOf(passage)]));
});

test("an article that is deleted while it is read leaves nothing behind, and stops no other", async () => {
  const ids = await unread(2);
  const [gone = 0, stays = 0] = ids;
  const first = at(await passages(gone), 0);
  const reader = testReader({
    before: async (given) => {
      if (given.includes(first)) await store.articles.remove(gone);
    },
  });
  const { step } = workWith(reader);
  await step();
  expect([...(await served(ids)).keys()]).toEqual([stays]);
  expect(await store.rerank.backlog()).toEqual({ waiting: 0, givenUp: 0 });
});

test("what a process held that was killed is read by another after its lease; what it says late is not stored", async () => {
  const [id = 0] = await unread(1);
  const begun = Promise.withResolvers<void>();
  const late = Promise.withResolvers<void>();
  const killed = workWith(
    testReader({
      before: async () => {
        begun.resolve();
        await late.promise;
      },
    }),
  );
  const other = workWith(testReader());
  const ended = killed.step("killed");
  await begun.promise;
  expect(await other.step("other")).toBeUndefined();
  await sql`update rerank_work set lease_until = now() where article_id = ${id}`;
  expect(await other.step("other")).toBe(0);
  late.resolve();
  await ended;
  expect([killed.outcomes.done, other.outcomes.done]).toEqual([0, 1]);
  expect((await served([id])).size).toBe(1);
});

test("a stop in the middle is no failure of the article", async () => {
  await unread(1);
  const stopping = new AbortController();
  const reader = testReader({
    before: async () => {
      stopping.abort(new Error("stop"));
      throw new Error("what the stop ended");
    },
  });
  const { step, release, outcomes } = workWith(reader);
  await expect(step("o", stopping.signal)).rejects.toThrow("stop");
  await release("o", { articles: [], isBusy: false });
  expect(outcomes).toEqual({ done: 0, failed: 0 });
  expect(await store.rerank.claim({ owner: "p", leaseS: 60, limit: 5 })).toMatchObject([{ attempts: 1 }]);
});

test("while an article waits for its first entities none is read, where entities are found", async () => {
  await unread(1);
  const reader = testReader();
  const { claim } = workWith(reader, { afterEntities: true });
  expect(await claim("o")).toBeUndefined();
  const [{ articleId } = { articleId: 0 }] = await store.entities.claim({ owner: "o", leaseS: 60, limit: 1 });
  expect(await claim("o")).toBeUndefined();
  await store.entities.put([{ articleId, entities: [] }], { modelId: "tagger@1" });
  expect(await claim("o")).toMatchObject({ articles: [{ articleId }] });
});

test("while articles wait to become searchable few are read at a time, with a rest between", async () => {
  await unread(5);
  const { step, outcomes } = workWith(testReader());
  await queues.add("ingestion", [{ id: "waits", data: { articleIds: [1] } }]);
  expect(await step()).toBeGreaterThan(0);
  expect(outcomes.done).toBe(2);
});
