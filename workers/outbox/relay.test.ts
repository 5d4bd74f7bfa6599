import { afterAll, afterEach, expect, test } from "bun:test";
import { createLogger } from "@isnad/lib/service/process";
import { openStore } from "@isnad/lib/store";
import { indexedArticles, testDatabase } from "@isnad/lib/store/testing";
import { freePort } from "../../lib/std/ports.ts";
import { type Receiver, startReceiver } from "../testing/receivers.ts";
import { until } from "@isnad/lib/std/testing-until";
import { type Consumer, type Relay, type RelayOptions, startRelay } from "./relay.ts";
import { signature, webhook } from "./webhook.ts";

const database = await testDatabase();
const store = openStore(database.url);
const logger = createLogger({ service: "test", level: "silent" });
const secret = "a secret of the receiver";

const relays: Relay[] = [];
const receivers: Receiver[] = [];

afterEach(async () => {
  await Promise.all(relays.splice(0).map((relay) => relay.stop()));
  await Promise.all(receivers.splice(0).map((receiver) => receiver.stop()));
});

afterAll(async () => {
  await store.close();
  await database.drop();
});

function receiver(url?: string): Receiver {
  const started = startReceiver(url);
  receivers.push(started);
  return started;
}

const base = { outbox: store.outbox, logger, instance: "test" };

function relay(consumers: Consumer[], options: Partial<RelayOptions> = {}): Relay {
  const started = startRelay({ ...base, consumers, idleMs: 20, retryS: () => 0.05, ...options });
  relays.push(started);
  return started;
}

/** The events about these articles that the receiver took, oldest first. */
function about(receiver: Receiver, ids: readonly number[]) {
  return receiver.received.map(({ event }) => event).filter(({ articleId }) => ids.includes(articleId));
}

test("every event is posted once, signed over the bytes of its body", async () => {
  const hook = receiver();
  const ids = await indexedArticles(store, 20);
  relay([webhook({ url: hook.url, secret })]);
  await until("all events arrived", () => about(hook, ids).length === 20);
  const [first] = hook.received.filter(({ event }) => ids.includes(event.articleId));
  expect(first?.headers["x-signature"]).toBe(signature(first?.body ?? "", secret));
  expect(first?.headers["content-type"]).toBe("application/json");
  expect(JSON.parse(first?.body ?? "")).toEqual({
    id: expect.any(Number),
    type: "article.upserted",
    occurred_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT.*Z$/),
    article: {
      article_id: first?.event.articleId,
      doc_id: expect.any(String),
      source_id: "test-source",
      url: expect.any(String),
      title: expect.any(String),
      lang: "en",
      published_at: "2024-05-06T07:08:09.000Z",
      content_hash: expect.stringMatching(/^[0-9a-f]{64}$/),
    },
  });
  await Bun.sleep(100);
  expect(about(hook, ids)).toHaveLength(20);
});

test("a revision is posted with what the source says now, after the event of the article", async () => {
  const hook = receiver();
  const [id = 0] = await indexedArticles(store, 1);
  const article = await store.articles.get(id);
  const pair = { sourceId: "test-source", externalId: article?.externalId ?? "", requestId: null, url: null };
  const contentHash = "ab".repeat(32);
  await store.revisions.record({ ...pair, kind: "changed", title: "Corrected", content: "New.", contentHash });
  await store.revisions.record({ ...pair, kind: "deleted_at_source" });
  relay([webhook({ url: hook.url, secret })]);
  await until("all events arrived", () => about(hook, [id]).length === 3);
  const bodies = hook.received.filter(({ event }) => event.articleId === id).map(({ body }) => JSON.parse(body));
  expect(bodies.map(({ type, revision }) => [type, revision])).toEqual([
    ["article.upserted", undefined],
    [
      "article.revised",
      {
        revision: 2,
        kind: "changed",
        title: "Corrected",
        content_hash: contentHash,
        reported_by: { source_id: "test-source", external_id: pair.externalId },
      },
    ],
    ["article.revised", expect.objectContaining({ revision: 3, kind: "deleted_at_source" })],
  ]);
  expect(bodies[1].article).toEqual(bodies[0].article);
});

test("the events of an article arrive in their order, also when the first one fails a few times", async () => {
  const hook = receiver();
  const ids = await indexedArticles(store, 5);
  await Promise.all(ids.map((id) => store.articles.remove(id)));
  const tries = new Map<number, number>();
  hook.answer = ({ event }) => {
    const tried = (tries.get(event.id) ?? 0) + 1;
    tries.set(event.id, tried);
    return new Response("", { status: event.type === "article.upserted" && tried < 3 ? 500 : 200 });
  };
  relay([webhook({ url: hook.url, secret })]);
  await until("all events arrived", () => about(hook, ids).length === 10);
  for (const id of ids) {
    expect(about(hook, [id]).map((event) => event.type)).toEqual(["article.upserted", "article.deleted"]);
  }
});

test("a receiver that is down, slow or failing holds back nobody else, and gets everything when it is back", async () => {
  const [good, failing, slow] = [receiver(), receiver(), receiver()];
  const down = { url: `http://127.0.0.1:${await freePort()}/down` };
  failing.answer = () => new Response("", { status: 500 });
  slow.answer = () => new Promise<Response>(() => {});
  const ids = await indexedArticles(store, 30);
  relay(
    [good, failing, down]
      .map(({ url }) => webhook({ url, secret }))
      .concat(webhook({ url: slow.url, secret, timeoutMs: 200 })),
  );
  await until("the good receiver has everything", () => about(good, ids).length === 30);
  expect(failing.received).toHaveLength(0);
  failing.answer = () => new Response("");
  slow.answer = () => new Response("");
  const back = receiver(down.url);
  for (const late of [failing, slow, back]) {
    await until("the late receiver has everything", () => new Set(about(late, ids).map((e) => e.id)).size === 30);
  }
  expect(about(good, ids)).toHaveLength(30);
});

test("an article that a receiver refuses holds back no other article", async () => {
  const hook = receiver();
  const ids = await indexedArticles(store, 10);
  const refused = ids[3] ?? 0;
  hook.answer = ({ event }) => new Response("", { status: event.articleId === refused ? 422 : 200 });
  relay([webhook({ url: hook.url, secret })]);
  const others = ids.filter((id) => id !== refused);
  await until("the others arrived", () => about(hook, others).length === 9);
  const more = await indexedArticles(store, 3);
  await until("later ones arrived", () => about(hook, more).length === 3);
  expect(about(hook, [refused])).toHaveLength(0);
});

test("a redirect is a failure and is not followed", async () => {
  const [hook, other] = [receiver(), receiver()];
  hook.answer = () => Response.redirect(other.url, 307);
  const ids = await indexedArticles(store, 1);
  const reasons: string[] = [];
  const outbox = {
    ...store.outbox,
    retry: async (...args: Parameters<typeof store.outbox.retry>) => {
      reasons.push(...args[1].map(({ reason }) => reason));
      return store.outbox.retry(...args);
    },
  };
  relay([webhook({ url: hook.url, secret })], { outbox });
  await until("a failure was noted", () => reasons.length > 0);
  expect(reasons[0]).toBe("answered 307");
  expect(about(other, ids)).toHaveLength(0);
});

test("a consumer that throws gets all its events again", async () => {
  let calls = 0;
  const seen: number[] = [];
  const outcomes: string[] = [];
  const ids = await indexedArticles(store, 4);
  relay(
    [
      {
        name: "throws-once",
        batch: 1000,
        async deliver(events) {
          calls++;
          if (calls === 1) throw new Error("index is locked");
          seen.push(...events.flatMap((event) => event.articleId ?? []));
          return [];
        },
      },
    ],
    { onOutcome: (_, outcome, count) => count > 0 && outcomes.push(outcome) },
  );
  await until("they came again", () => ids.every((id) => seen.includes(id)) && outcomes.includes("delivered"));
  expect(outcomes[0]).toBe("failed");
});

test("a stop gives back what could not be sent, for the next relay to send at once", async () => {
  const hook = receiver();
  const asked = Promise.withResolvers<void>();
  hook.answer = () => {
    asked.resolve();
    return new Promise<Response>(() => {});
  };
  const ids = await indexedArticles(store, 3);
  const first = startRelay({ ...base, consumers: [webhook({ url: hook.url, secret })] });
  await asked.promise;
  await first.stop();
  hook.answer = () => new Response("");
  relay([webhook({ url: hook.url, secret })], { retryS: () => 3_600 });
  await until("they arrived", () => about(hook, ids).length === 3);
});

test("events that were announced are delivered at once", async () => {
  const hook = receiver();
  const idle = Promise.withResolvers<void>();
  const claim: RelayOptions["outbox"]["claim"] = async (...args) => {
    const events = await store.outbox.claim(...args);
    if (events.length === 0) idle.resolve();
    return events;
  };
  const outbox = { ...store.outbox, claim };
  const running = relay([webhook({ url: hook.url, secret })], { outbox, idleMs: 3_600_000 });
  await idle.promise;
  const ids = await indexedArticles(store, 1);
  running.wake();
  await until("it arrived", () => about(hook, ids).length === 1);
});
