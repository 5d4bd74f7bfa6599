import { afterAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import { type NewEvent, writeEvents } from "./outbox.ts";
import { indexedArticles, testStore } from "./testing.ts";

setDefaultTimeout(300_000);

const { store, sql, close } = await testStore();
afterAll(close);

let names = 0;

/** A consumer that begins after all events so far. */
async function newConsumer(): Promise<string> {
  const name = `consumer-${names++}`;
  await sql`insert into outbox_consumers (consumer, position)
    select ${name}, coalesce(max(event_id), 0) from outbox`;
  return name;
}

/** Lets leases and waits of a consumer be a minute older. */
async function aMinuteLater(consumer: string): Promise<void> {
  await sql`update outbox_deliveries
    set due_at = due_at - interval '1 minute', lease_until = lease_until - interval '1 minute'
    where consumer = ${consumer}`;
}

async function drain(consumer: string): Promise<number[]> {
  const ids: number[] = [];
  for (;;) {
    const events = await store.outbox.claim(consumer, { owner: consumer, limit: 10, leaseS: 60 });
    if (events.length === 0) return ids;
    ids.push(...events.flatMap((event) => event.articleId ?? []));
    await store.outbox.ack(
      consumer,
      events.map((event) => event.id),
    );
  }
}

describe("the outbox", () => {
  test("hands every event to every consumer once, in order", async () => {
    const [a, b] = [await newConsumer(), await newConsumer()];
    const ids = await indexedArticles(store, 25);
    expect((await drain(a)).length).toBe(25);
    expect((await drain(b)).toSorted((x, y) => x - y)).toEqual(ids);
    expect(await drain(a)).toEqual([]);
  });

  test("gives a new consumer the oldest event first, and one that begins now what comes from then on", async () => {
    await indexedArticles(store, 1);
    const name = `consumer-${names++}`;
    const claim = () => store.outbox.claim(name, { owner: name, limit: 10, leaseS: 60, isFromNow: true });
    expect(await claim()).toEqual([]);
    const [id = 0] = await indexedArticles(store, 1);
    expect((await claim()).map(({ articleId }) => articleId)).toEqual([id]);
    expect((await drain(`consumer-${names++}`)).length).toBeGreaterThan(1);
  });

  test("carries the fields of an event", async () => {
    const consumer = await newConsumer();
    const [id = 0] = await indexedArticles(store, 1);
    const [event] = await store.outbox.claim(consumer, { owner: consumer, limit: 1, leaseS: 60 });
    const article = await store.articles.get(id);
    expect(event).toMatchObject({
      type: "article.upserted",
      articleId: id,
      attempts: 0,
      article: {
        article_id: id,
        doc_id: article?.docId,
        source_id: article?.sourceId,
        url: article?.url,
        title: article?.title,
        lang: article?.lang,
        published_at: article?.publishedAt,
        content_hash: article?.contentHash,
      },
    });
    expect(event?.occurredAt).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
  });

  test("holds back later events of an article whose first one fails, and no others", async () => {
    const consumer = await newConsumer();
    const [bad = 0, good = 0] = await indexedArticles(store, 2);
    await store.articles.remove(bad);
    await store.articles.remove(good);
    const claimed = await store.outbox.claim(consumer, { owner: consumer, limit: 10, leaseS: 60 });
    // Events of two articles come in any order.
    const first = claimed.toSorted((a, b) => Number(a.articleId) - Number(b.articleId));
    expect(first.map((event) => [event.articleId, event.type])).toEqual([
      [bad, "article.upserted"],
      [good, "article.upserted"],
    ]);
    await store.outbox.retry(consumer, [{ id: first[0]?.id ?? 0, delayS: 60, reason: "down" }]);
    await store.outbox.ack(consumer, [first[1]?.id ?? 0]);
    const second = await store.outbox.claim(consumer, { owner: consumer, limit: 10, leaseS: 60 });
    expect(second.map((event) => [event.articleId, event.type])).toEqual([[good, "article.deleted"]]);
    await store.outbox.ack(consumer, [second[0]?.id ?? 0]);
    expect(await store.outbox.claim(consumer, { owner: consumer, limit: 10, leaseS: 60 })).toEqual([]);
    await aMinuteLater(consumer);
    const third = await store.outbox.claim(consumer, { owner: consumer, limit: 10, leaseS: 60 });
    expect(third).toMatchObject([{ articleId: bad, type: "article.upserted", attempts: 1 }]);
    await store.outbox.ack(consumer, [third[0]?.id ?? 0]);
    expect(await store.outbox.claim(consumer, { owner: consumer, limit: 10, leaseS: 60 })).toMatchObject([
      { articleId: bad, type: "article.deleted" },
    ]);
  });

  test("keeps order per subject, for events of an article and for those of none", async () => {
    const [article = 0] = await indexedArticles(store, 1);
    const consumer = await newConsumer();
    const revised = (story: number): NewEvent => ({
      ...{ type: "article.revised", subject: { kind: "story", id: story }, articleId: article },
      data: {
        revision: {
          ...{ revision: story, kind: "changed" as const, title: `no ${story} "'\\ \u0000` },
          reported_by: { source_id: "s", external_id: "e" },
        },
      },
    });
    await sql.begin((tx) => writeEvents(tx, [revised(1), revised(2), revised(1)]));
    for (const n of [1, 2]) {
      await sql`insert into outbox (event_id, type, subject, data)
        values (nextval('change_seq'), 'story.updated', 'story:7', ${sql.json({ story_id: 7, n })})`;
    }
    const claim = () => store.outbox.claim(consumer, { owner: consumer, limit: 10, leaseS: 60 });
    const first = await claim();
    expect(first).toMatchObject([
      { articleId: article, article: { article_id: article }, data: { revision: { revision: 1 } } },
      { articleId: article, data: { revision: { revision: 2, title: `no 2 "'\\ ` } } },
      { type: "story.updated", articleId: null, article: null, data: { story_id: 7, n: 1 } },
    ]);
    await store.outbox.ack(consumer, [first[2]?.id ?? 0]);
    expect(await claim()).toMatchObject([{ type: "story.updated", data: { n: 2 } }]);
    await store.outbox.ack(consumer, [first[0]?.id ?? 0]);
    expect(await claim()).toMatchObject([{ data: { revision: { revision: 1 } } }]);
  });

  test("keeps events of searches from all its consumers", async () => {
    const [article = 0] = await indexedArticles(store, 1);
    const consumer = await newConsumer();
    const data = { search_id: 1, name: "n" };
    const subject = { kind: "search", id: 1 };
    await sql.begin((tx) => writeEvents(tx, [{ type: "search.matched", articleId: article, subject, data }]));
    expect(await drain(consumer)).toEqual([]);
  });

  test("leaves out an event whose article is gone", async () => {
    const [gone = 0, here = 0] = await indexedArticles(store, 2);
    await store.articles.remove(gone);
    const consumer = await newConsumer();
    const event = (articleId: number): NewEvent => ({ type: "article.deleted", articleId, data: {} });
    await sql.begin((tx) => writeEvents(tx, [event(gone), event(here)]));
    expect(await drain(consumer)).toEqual([here]);
  });

  test("hands an event out again whose consumer went away with it", async () => {
    const consumer = await newConsumer();
    await indexedArticles(store, 1);
    expect(await store.outbox.claim(consumer, { owner: consumer, limit: 10, leaseS: 60 })).toHaveLength(1);
    expect(await store.outbox.claim(consumer, { owner: consumer, limit: 10, leaseS: 60 })).toEqual([]);
    await aMinuteLater(consumer);
    expect(await store.outbox.claim(consumer, { owner: consumer, limit: 10, leaseS: 60 })).toMatchObject([
      { attempts: 1 },
    ]);
  });

  test("takes back what a consumer could not deliver, as if it had not been claimed", async () => {
    const consumer = await newConsumer();
    await indexedArticles(store, 2);
    const claim = (owner: string) => store.outbox.claim(consumer, { owner, limit: 10, leaseS: 60 });
    const [first, second] = await claim("a");
    await store.outbox.ack(consumer, [first?.id ?? 0]);
    expect(await store.outbox.heartbeat({ owner: "a", leaseS: 60 })).toBe(1);
    await store.outbox.retry("somebody else", [{ id: second?.id ?? 0, delayS: 0, reason: "not mine" }]);
    expect(await claim("b")).toEqual([]);
    expect(await store.outbox.release("a")).toBe(1);
    expect(await store.outbox.heartbeat({ owner: "a", leaseS: 60 })).toBe(0);
    expect(await claim("b")).toMatchObject([{ id: second?.id, attempts: 0 }]);
  });

  test("lets several processes share one consumer: no event goes to two of them", async () => {
    const consumer = await newConsumer();
    await indexedArticles(store, 60);
    const polls = await Promise.all(
      Array.from({ length: 6 }, () => store.outbox.claim(consumer, { owner: consumer, limit: 15, leaseS: 60 })),
    );
    const ids = polls.flat().map((event) => event.id);
    expect(ids.length).toBe(60);
    expect(new Set(ids).size).toBe(60);
  });

  test("starts a consumer that was never seen with the oldest event, also when two ask at once", async () => {
    const polls = await Promise.all([
      store.outbox.claim("newcomer", { owner: "newcomer", limit: 2, leaseS: 60 }),
      store.outbox.claim("newcomer", { owner: "newcomer", limit: 2, leaseS: 60 }),
    ]);
    expect(new Set(polls.flat().map((event) => event.id)).size).toBe(4);
  });

  test("keeps handing out new events while some wait for their retry", async () => {
    const consumer = await newConsumer();
    await indexedArticles(store, 3);
    for (const event of await store.outbox.claim(consumer, { owner: consumer, limit: 10, leaseS: 60 })) {
      await store.outbox.retry(consumer, [{ id: event.id, delayS: 60, reason: "down" }]);
    }
    await indexedArticles(store, 2);
    expect(await store.outbox.claim(consumer, { owner: consumer, limit: 10, leaseS: 60 })).toHaveLength(2);
    expect(await sql`select from outbox_deliveries where consumer = ${consumer}`).toHaveLength(5);
  });

  test("drops old events once every consumer named has them, and forgets the consumers that are not", async () => {
    const slow = await newConsumer();
    const fast = await newConsumer();
    await indexedArticles(store, 5);
    await drain(fast);
    const consumers = [slow, fast];
    await store.outbox.prune({ consumers, olderThanS: 0 });
    expect(await sql`select from outbox`).toHaveLength(5);
    await store.outbox.claim(slow, { owner: slow, limit: 2, leaseS: 60 });
    await store.outbox.prune({ consumers, olderThanS: 0 });
    expect(await sql`select 1 from outbox`).toHaveLength(5);
    await store.outbox.release(slow);
    await drain(slow);
    expect(await store.outbox.prune({ consumers, olderThanS: 3600 })).toBe(0);
    expect(await store.outbox.prune({ consumers, olderThanS: 0, batch: 2 })).toBe(5);
    const left = await sql<{ consumer: string }[]>`select consumer from outbox_consumers order by consumer`;
    expect(left.map((row) => row.consumer).toSorted()).toEqual(consumers.toSorted());
  });
});
