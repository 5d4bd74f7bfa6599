import { afterAll, beforeEach, describe, expect, setDefaultTimeout, test } from "bun:test";
import { admitItems, indexedArticles, queueWork, testItem, testStage, testStore } from "./testing.ts";

setDefaultTimeout(300_000);

const { store, sql, another, close } = await testStore();
afterAll(close);
beforeEach(async () => {
  await sql`delete from articles`;
  await sql`delete from work`;
});

const stage = testStage(store, "entities");
const lease = { owner: "o", leaseS: 60, limit: 100 };
const RULE = { maxAttempts: 5 };

/** Articles that wait for their entities, the oldest first. */
async function waiting(count: number): Promise<number[]> {
  const ids = (await indexedArticles(store, count)).toSorted((a, b) => a - b);
  await sql`delete from work`;
  await queueWork(sql, "entities", ids);
  return ids;
}

const claimed = async (over: Partial<typeof lease> = {}) =>
  (await stage.claim({ ...lease, ...over })).map(({ articleId }) => articleId).sort((a, b) => a - b);
const fail = (ids: readonly number[], { owner = "o", delayS = 0, reason = "odd", maxAttempts = 5 } = {}) =>
  store.work.fail(
    stage.step(owner),
    ids.map((articleId) => ({ articleId, reason, delayS })),
    { maxAttempts },
  );
const stagesOf = async (id: number) => (await store.articles.get(id))?.stages;
/** Lets all leases run out, as when their process has ended. */
const silence = () => sql`update work set lease_until = now() - interval '1 second' where lease_owner is not null`;

describe("admission", () => {
  test("writes the first row of work with the article; one that is no news writes none", async () => {
    const item = testItem();
    const [id = 0] = await admitItems(store, [item]);
    await admitItems(store, [item]);
    expect(await sql`select article_id as id, stage from work`).toMatchObject([{ id, stage: "ingestion" }]);
  });

  test("of several articles by one statement writes a row for each, but for those that are no longer accepted", async () => {
    const [first = 0, second = 0] = await admitItems(store, [testItem(), testItem()]);
    await sql`delete from work`;
    await sql`
      insert into articles (source_id, external_id, url, canonical_url, domain, title, content, content_hash, state)
      select source_id, external_id, url, canonical_url, domain, title, content, sha256(content_hash || '1'),
        case article_id when ${second} then 'indexed' else 'accepted' end
      from articles
      union all
      select source_id, external_id, url, canonical_url, domain, title, content, sha256(content_hash || '2'), 'accepted'
      from articles`;
    const rows = await sql<{ state: string; stage: string | null }[]>`
      select state, stage from articles left join work using (article_id)
      where article_id > ${Math.max(first, second)} order by state, stage`;
    expect(rows.map(({ state, stage }) => `${state} ${stage}`)).toEqual([
      ...["accepted ingestion", "accepted ingestion", "accepted ingestion"],
      "indexed null",
    ]);
  });

  test("gives back nothing where the request is refused", async () => {
    const item = testItem();
    await admitItems(store, [item]);
    const outcome = await store.admission.admit(
      [testItem(), { ...item, content: "Other", contentHash: "ab".repeat(32) }],
      {
        requireKnownSource: false,
      },
    );
    expect(outcome).toMatchObject({ conflict: true });
    expect(await sql`select from work`).toHaveLength(1);
  });
});

describe("a claim", () => {
  test("takes the newest articles first, those of a higher priority before them", async () => {
    const [old = 0, middle = 0, late = 0] = await waiting(3);
    await sql`update work set priority = -1 where article_id = ${late}`;
    expect(await claimed({ limit: 1 })).toEqual([middle]);
    expect(await claimed({ limit: 1 })).toEqual([old]);
    expect(await claimed({ limit: 1 })).toEqual([late]);
  });

  test("gives each article to one owner, whoever asks at the same time", async () => {
    const ids = await waiting(20);
    const other = another();
    const owners = Array.from({ length: 6 }, (_, i) => (i % 2 === 0 ? store : other));
    const taken = await Promise.all(
      owners.map(({ work }, i) => work.claim({ stage: "entities", owner: `o${i}`, leaseS: 60, limit: 4 })),
    );
    const all = taken.flat().map(({ articleId }) => articleId);
    expect(new Set(all).size).toBe(all.length);
    expect(await claimed()).toEqual(ids.filter((id) => !all.includes(id)));
  });

  test("takes by itself what was attempted before, and says whose process has ended", async () => {
    const [first = 0, second = 0, third = 0] = await waiting(3);
    expect(await claimed()).toEqual([first, second, third]);
    await silence();
    expect(await stage.claim(lease)).toMatchObject([{ articleId: third, attempts: 2, orphaned: true }]);
    await store.work.release("o");
    await fail([third]);
    expect(await stage.claim(lease)).toMatchObject([{ articleId: third, attempts: 2, orphaned: false }]);
  });

  test("leaves what was never attempted together, apart from what was", async () => {
    const [failed = 0, ...fresh] = await waiting(3);
    await claimed({ limit: 0 });
    await sql`update work set attempts = 1 where article_id = ${failed}`;
    expect(await claimed()).toEqual(fresh);
    expect(await claimed()).toEqual([failed]);
  });

  test("that is given back counts no attempt; a heartbeat keeps it", async () => {
    const [id = 0] = await waiting(1);
    await claimed({ leaseS: 0 });
    expect(await store.work.heartbeat({ owner: "o", leaseS: 60 })).toBe(1);
    expect(await claimed({ owner: "p" })).toEqual([]);
    expect(await store.work.release("o")).toBe(1);
    expect(await stage.claim(lease)).toMatchObject([{ articleId: id, attempts: 1 }]);
  });
});

describe("a stage that ends", () => {
  test("queues the stages that follow, once, with the priority of before", async () => {
    const [id = 0] = await waiting(1);
    await sql`update work set priority = -1`;
    await claimed();
    const step = stage.step("o", "claims", "stories");
    expect(await store.work.end(step, [id])).toEqual([id]);
    expect(await store.work.end(step, [id])).toEqual([]);
    const rows = await sql`select stage, priority, attempts from work order by stage`;
    expect([...rows]).toEqual([
      { stage: "claims", priority: -1, attempts: 0 },
      { stage: "stories", priority: -1, attempts: 0 },
    ]);
  });

  test("in the hands of another is not ended", async () => {
    const [id = 0] = await waiting(1);
    await claimed();
    await silence();
    await claimed({ owner: "p" });
    expect(await store.work.end(stage.step("o", "claims"), [id])).toEqual([]);
    expect(await stagesOf(id)).toMatchObject([{ stage: "entities", state: "running" }]);
  });

  test("announces what follows to those who listen", async () => {
    const [id = 0] = await waiting(1);
    const heard: (string | undefined)[] = [];
    const { promise, resolve } = Promise.withResolvers<void>();
    const stop = await another().work.listen((name) => {
      heard.push(name);
      if (name !== undefined) resolve();
    });
    await claimed();
    await store.work.end(stage.step("o", "claims"), [id]);
    await promise;
    expect(heard).toContain("claims");
    await stop();
  });
});

describe("what fails", () => {
  test("waits, and is set aside after its attempts with its reason, for all to see", async () => {
    const [id = 0] = await waiting(1);
    for (let attempt = 1; attempt < RULE.maxAttempts; attempt++) {
      expect(await claimed()).toEqual([id]);
      expect(await fail([id])).toEqual([]);
    }
    expect(await stagesOf(id)).toEqual([{ stage: "entities", state: "waiting", attempts: 4, reason: "odd" }]);
    await claimed();
    expect(await fail([id], { reason: "odd\u0000 text" })).toEqual([id]);
    expect(await claimed()).toEqual([]);
    expect(await stage.backlog()).toEqual({ waiting: 0, setAside: 1 });
    expect(await stagesOf(id)).toEqual([{ stage: "entities", state: "set-aside", attempts: 5, reason: "odd text" }]);
    expect(await store.work.setAside({ limit: 5 })).toMatchObject([
      { articleId: id, stage: "entities", reason: "odd text" },
    ]);
    expect((await store.articles.get(id))?.state).toBe("indexed");
  });

  test("is put off by its owner alone, for as long as it says", async () => {
    const [id = 0] = await waiting(1);
    await claimed();
    expect(await fail([id], { owner: "p", maxAttempts: 1 })).toEqual([]);
    await fail([id], { delayS: 60 });
    expect(await claimed()).toEqual([]);
  });

  test("before an article can be searched makes it `failed`, until it is tried again", async () => {
    const [id = 0] = await admitItems(store, [testItem()]);
    const first = testStage(store, "ingestion");
    await first.claim(lease);
    await store.work.fail(first.step("o"), [{ articleId: id, reason: "odd", delayS: 0 }], { maxAttempts: 1 });
    expect(await store.articles.get(id)).toMatchObject({ state: "failed", stateReason: "odd" });
    expect(await store.work.retry({ articleIds: [id] })).toBe(1);
    expect(await store.articles.get(id)).toMatchObject({ state: "accepted", stateReason: null });
    expect(await first.claim(lease)).toMatchObject([{ articleId: id, attempts: 1 }]);
  });
});

describe("trying again", () => {
  test("takes what is named, or a whole stage, or what another version set aside", async () => {
    const [a = 0, b = 0, c = 0] = await waiting(3);
    await sql`update work set set_aside_at = now(), attempts = 5, version = case article_id when ${c} then 'new' else 'old' end`;
    expect(await store.work.retry({ articleIds: [a], stage: "rerank" })).toBe(0);
    expect(await store.work.retry({ articleIds: [a] })).toBe(1);
    expect(await store.work.retry({ articleIds: [a] })).toBe(0);
    expect(await store.work.retry({ stage: "entities", notBy: "new" })).toBe(1);
    expect(await claimed()).toEqual([a, b]);
    expect(await store.work.retry({})).toBe(1);
    expect(await claimed()).toEqual([c]);
  });

  test("begins anew with an article that failed without being set aside, where it is named", async () => {
    const [id = 0] = await admitItems(store, [testItem()]);
    const first = testStage(store, "ingestion");
    await first.claim(lease);
    await store.articles.markFailed(id, "unsupported-language", first.step("o"));
    expect(await stagesOf(id)).toEqual([]);
    expect(await store.work.retry({})).toBe(0);
    expect(await store.work.retry({ articleIds: [id] })).toBe(1);
    expect(await first.claim(lease)).toMatchObject([{ articleId: id }]);
  });
});

test("an article that is removed takes its work with it", async () => {
  const [gone = 0, stays = 0] = await waiting(2);
  await store.articles.remove(gone);
  expect(await claimed()).toEqual([stays]);
});
