import { afterAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import { randomBytes } from "node:crypto";
import type { Sql, Tx } from "../client.ts";
import { testItem, testStore } from "../testing.ts";
import { admit as admitOver, createSourceMemory } from "./admit.ts";
import type { AdmissionItem, AdmissionOutcome, IdempotencyKey } from "./statements.ts";

setDefaultTimeout(300_000);

const { store, sql, close } = await testStore({ max: 12 });
afterAll(close);

describe("admit", () => {
  const admit = (...items: AdmissionItem[]) => store.admission.admit(items, { requireKnownSource: false });

  function statuses(outcome: AdmissionOutcome): string[] {
    return outcome.results.map((result) => result.status);
  }

  function ids(outcome: AdmissionOutcome): (number | undefined)[] {
    return "results" in outcome ? outcome.results.map((r) => ("articleId" in r ? r.articleId : undefined)) : [];
  }

  async function counts(): Promise<{ articles: number; pairs: number }> {
    const [row] = await sql<{ articles: number; pairs: number }[]>`
    select (select count(*)::int from articles) as articles, (select count(*)::int from article_pairs) as pairs`;
    return row ?? { articles: -1, pairs: -1 };
  }

  describe("admit", () => {
    test("stores every field of a new item", async () => {
      const item = testItem({
        title: "عنوان “quoted” \\ back",
        lang: "ar",
        publishedAt: "0999-12-31T23:59:59.999Z",
        authors: ['O\'Neil "Bob"', "{x,y}", ""],
        images: ["https://news.example/a,b.jpg"],
        raw: { provider: "p", nested: [1, null, { deep: true }] },
        categoryLabel: "sport",
        provider: "p",
        categoryId: "sports",
        categorySource: "provider",
        categoryConfidence: 87.5,
        taxonomyVersion: "1",
      });
      const [id] = ids(await admit(item));
      expect(typeof id).toBe("number");
      const stored = await store.articles.get(id ?? 0);
      expect(stored).toMatchObject({ ...item, articleId: id, state: "accepted", stateReason: null });
      expect(stored?.docId).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-7/);
    });

    test("accepts a batch of a hundred with one id each", async () => {
      const items = Array.from({ length: 100 }, () => testItem());
      const outcome = await admit(...items);
      expect(new Set(statuses(outcome))).toEqual(new Set(["accepted"]));
      expect(new Set(ids(outcome)).size).toBe(100);
      const [row] = await store.articles.byIds([ids(outcome)[41] ?? 0], ["externalId"]);
      expect(row?.externalId).toBe(items[41]?.externalId ?? "");
    });

    test("answers an empty request without touching the database", async () => {
      expect(await admit()).toMatchObject({ kind: "decided", conflict: false, results: [] });
    });

    test("calls what it knows a duplicate of the same article, and changes nothing", async () => {
      const items = [testItem(), testItem()];
      const first = await admit(...items);
      const before = await counts();
      const second = await admit(...items);
      expect(statuses(second)).toEqual(["duplicate", "duplicate"]);
      expect(ids(second)).toEqual(ids(first));
      expect(await counts()).toEqual(before);
    });

    test("takes new items beside known ones", async () => {
      const known = testItem();
      const [id] = ids(await admit(known));
      const outcome = await admit(testItem(), known, testItem());
      expect(statuses(outcome)).toEqual(["accepted", "duplicate", "accepted"]);
      expect(ids(outcome)[1]).toBe(id);
    });

    test("remembers a duplicate from another pair as an alias, which then is a known pair", async () => {
      const item = testItem();
      const alias = { ...item, sourceId: "other", externalId: "x1", url: "https://other.example/1" };
      const [id] = ids(await admit(item));
      expect(await admit(alias)).toMatchObject({ results: [{ status: "duplicate", articleId: id }] });
      expect((await store.articles.get(id ?? 0))?.aliases).toEqual([
        { sourceId: "other", externalId: "x1", url: "https://other.example/1" },
      ]);
      expect(statuses(await admit(alias))).toEqual(["duplicate"]);
      expect(statuses(await admit(testItem({ sourceId: "other", externalId: "x1" })))).toEqual(["conflict"]);
    });

    test("decides inside a batch by the same rules", async () => {
      const item = testItem();
      const outcome = await admit(item, { ...item, externalId: `${item.externalId}-b` }, item);
      expect(statuses(outcome)).toEqual(["accepted", "duplicate", "duplicate"]);
      expect(new Set(ids(outcome)).size).toBe(1);
    });

    test("stores nothing of a batch with a conflict, wherever it is", async () => {
      const known = testItem();
      const [id] = ids(await admit(known));
      const changed = { ...testItem(), externalId: known.externalId };
      const alias = { ...known, externalId: `${known.externalId}-alias` };
      const before = await counts();
      for (const batch of [
        [testItem(), changed],
        [changed, testItem()],
        [known, alias, changed, testItem()],
      ]) {
        const outcome = await admit(...batch);
        expect(outcome).toMatchObject({ kind: "decided", conflict: true });
        for (const result of "results" in outcome ? outcome.results : []) {
          if (result.status === "accepted") expect(result.articleId).toBeUndefined();
          if (result.status === "duplicate") expect(result.articleId).toBe(id);
        }
      }
      expect(await counts()).toEqual(before);
    });

    test("stores nothing when two items of the batch conflict with each other", async () => {
      const item = testItem();
      const before = await counts();
      expect(statuses(await admit(item, testItem({ externalId: item.externalId })))).toEqual(["accepted", "conflict"]);
      expect(await counts()).toEqual(before);
    });

    test("registers an unknown source inactive, and none for a batch with a conflict", async () => {
      const known = testItem();
      await admit(known);
      await admit(testItem({ sourceId: "fresh-source" }));
      expect(await store.sources.get("fresh-source")).toMatchObject({ active: false, name: "fresh-source" });
      await admit(testItem({ sourceId: "never-source" }), { ...testItem(), externalId: known.externalId });
      expect(await store.sources.get("never-source")).toBeUndefined();
    });

    test("with known sources required, fails just the items of unknown ones", async () => {
      await store.sources.upsert([{ key: "listed" }]);
      const outcome = await store.admission.admit(
        [testItem({ sourceId: "unlisted" }), testItem({ sourceId: "listed" })],
        {
          requireKnownSource: true,
        },
      );
      expect(statuses(outcome)).toEqual(["failed", "accepted"]);
      expect(await store.sources.get("unlisted")).toBeUndefined();
    });

    test("drops U+0000 and mends lone surrogates wherever they stand", async () => {
      const item = testItem({
        externalId: "nul\u0000\ud800id",
        url: "https://news.example/\u0000x",
        content: `body\u0000 \udc00 \\u0000 ${"x".repeat(300)}`,
        raw: { "k\u0000": ["\ud83d", "\\u0000", "😀"] },
      });
      const [id] = ids(await admit(item));
      const stored = await store.articles.get(id ?? 0);
      expect(stored?.externalId).toBe("nul\ufffdid");
      expect(stored?.content.startsWith("body \ufffd \\u0000 ")).toBe(true);
      expect(stored?.raw).toEqual({ k: ["\ufffd", "\\u0000", "😀"] });
      expect(statuses(await admit(item))).toEqual(["duplicate"]);
      expect(statuses(await admit({ ...item, sourceId: "s\u0000" }))).toEqual(["duplicate"]);
    });
  });

  describe("requests that race", () => {
    test("of twenty posts of one article exactly one is accepted", async () => {
      const item = testItem();
      const outcomes = await Promise.all(Array.from({ length: 20 }, () => admit(item)));
      const all = outcomes.flatMap(statuses).sort();
      expect(all).toEqual(["accepted", ...Array.from({ length: 19 }, () => "duplicate")]);
      expect(new Set(outcomes.flatMap(ids)).size).toBe(1);
    });

    test("of one pair with two contents exactly one is accepted, the other conflicts", async () => {
      for (let round = 0; round < 5; round++) {
        const item = testItem();
        const outcomes = await Promise.all([admit(item), admit(testItem({ externalId: item.externalId }))]);
        expect(outcomes.flatMap(statuses).sort()).toEqual(["accepted", "conflict"]);
      }
    });

    test("of one content under many pairs exactly one is accepted, and every pair is known afterwards", async () => {
      const item = testItem();
      const items = Array.from({ length: 12 }, (_, i) => ({ ...item, externalId: `${item.externalId}-${i}` }));
      const outcomes = await Promise.all(items.map((each) => admit(each)));
      expect(outcomes.flatMap(statuses).filter((status) => status === "accepted")).toHaveLength(1);
      const [row] = await sql<{ pairs: number }[]>`
      select count(*)::int as pairs from article_pairs where external_id like ${`${item.externalId}-%`}`;
      expect(row?.pairs).toBe(12);
    });

    test("of overlapping batches in opposite order each article is accepted once, without a deadlock", async () => {
      const items = Array.from({ length: 60 }, () => testItem());
      const outcomes = await Promise.all([
        admit(...items),
        admit(...items.toReversed()),
        admit(...items.slice(20), ...items.slice(0, 20)),
        admit(...items.slice(0, 30), testItem()),
      ]);
      expect(outcomes.flatMap(statuses).filter((status) => status === "accepted")).toHaveLength(61);
      const accepted = outcomes.flatMap((outcome) =>
        ids(outcome).filter((_, i) => statuses(outcome)[i] === "accepted"),
      );
      expect(new Set(accepted).size).toBe(61);
    });

    test("is admitted after all when a deadlock with another transaction undid it", async () => {
      const first = testItem({ externalId: `a-${crypto.randomUUID()}` });
      const second = testItem({ externalId: `b-${crypto.randomUUID()}` });
      // The source is known from here on, so that one statement is tried.
      await admit(testItem());
      let outcome: Promise<AdmissionOutcome> | undefined;
      const undone = new Error("undone");
      const other = sql.begin(async (tx) => {
        const pair = (item: AdmissionItem) => tx`
        insert into article_pairs (source_id, external_id, article_id) values (${item.sourceId}, ${item.externalId}, 0)`;
        // Whoever has waited longest is undone: this transaction never is.
        await tx`set local deadlock_timeout = '10min'`;
        await pair(second);
        outcome = admit(first, second);
        for (let waits = 0; waits === 0; ) {
          const [row] = await sql<{ waits: number }[]>`
          select count(*)::int as waits from pg_stat_activity
          where datname = current_database() and wait_event_type = 'Lock'`;
          waits = row?.waits ?? 0;
        }
        await pair(first);
        throw undone;
      });
      await expect(other).rejects.toBe(undone);
      expect(outcome && statuses(await outcome)).toEqual(["accepted", "accepted"]);
    });

    test("against a deletion, an alias never points to an article that is gone", async () => {
      for (let round = 0; round < 10; round++) {
        const item = testItem();
        const [id] = ids(await admit(item));
        const alias = { ...item, externalId: `${item.externalId}-alias` };
        await Promise.all([store.articles.remove(id ?? 0), admit(alias)]);
      }
      const orphans = await sql`select 1 from article_pairs p where not exists (
      select from articles a where a.article_id = p.article_id)`;
      expect(orphans).toHaveLength(0);
    });
  });

  test("a source that was seen is looked for again after a minute", () => {
    let now = 0;
    const memory = createSourceMemory(() => now);
    expect(memory.has("a")).toBe(false);
    memory.add(["a"]);
    now = 59_999;
    expect(memory.has("a")).toBe(true);
    now = 60_000;
    expect(memory.has("a")).toBe(false);
  });
});

describe("idempotency", () => {
  const newKey = (fields: Partial<IdempotencyKey> = {}): IdempotencyKey => ({
    tokenHash: "aa01",
    key: randomBytes(6).toString("hex"),
    bodyHash: "bb01",
    ttlS: 3600,
    memo: "a memo",
    ...fields,
  });

  /** The same pool, with something that happens before each of its transactions, and before each insert in them. */
  function beside(pool: Sql, { begin, insert }: { begin(): Promise<void>; insert(): Promise<void> }): Sql {
    const during = (tx: Tx): Tx =>
      new Proxy(tx, {
        get(target, name, receiver) {
          if (name !== "unsafe") return Reflect.get(target, name, receiver);
          return async (...query: Parameters<Tx["unsafe"]>) => {
            await insert();
            return await target.unsafe(...query);
          };
        },
      });
    return new Proxy(pool, {
      get(target, name, receiver) {
        if (name !== "begin") return Reflect.get(target, name, receiver);
        return async (work: (tx: Tx) => Promise<unknown>) => {
          await begin();
          return await target.begin((tx) => work(during(tx)));
        };
      },
    });
  }

  const admit = (items: AdmissionItem[], idempotency: IdempotencyKey) =>
    store.admission.admit(items, { requireKnownSource: false, idempotency });

  describe("a request with an Idempotency-Key", () => {
    test("gets the kept verdicts again for the same body, with what was known of it before them", async () => {
      const key = newKey({ memo: '{"odd":"\\u0000"}' });
      const item = testItem();
      const first = await admit([item], key);
      expect(first.kind).toBe("decided");
      const again = await admit([item], { ...key, memo: "another" });
      expect(again).toEqual({ ...first, kind: "replayed", memo: key.memo });
    });

    test("with another body under the same key is told so, and stores nothing", async () => {
      const key = newKey();
      await admit([testItem()], key);
      const fresh = testItem();
      expect(await admit([fresh], { ...key, bodyHash: "bb02" })).toMatchObject({ kind: "key-reuse", conflict: false });
      expect(await sql`select 1 from articles where external_id = ${fresh.externalId}`).toHaveLength(0);
    });

    test("is told of the conflict when the other body changes a known item", async () => {
      const key = newKey();
      const item = testItem();
      await admit([item], key);
      const changed = testItem({ externalId: item.externalId });
      expect(await admit([changed], { ...key, bodyHash: "bb02" })).toMatchObject({
        kind: "key-reuse",
        conflict: true,
        results: [{ status: "conflict" }],
      });
    });

    test("keeps neither verdicts nor items of a conflict", async () => {
      const item = testItem();
      await admit([item], newKey());
      const key = newKey();
      const fresh = testItem();
      const batch = [fresh, testItem({ externalId: item.externalId })];
      expect(await admit(batch, key)).toMatchObject({ kind: "decided", conflict: true });
      expect(await admit(batch, key)).toMatchObject({
        kind: "decided",
        conflict: true,
        results: [{ status: "accepted" }, { status: "conflict" }],
      });
      expect(await sql`select 1 from articles where external_id = ${fresh.externalId}`).toHaveLength(0);
    });

    test("is a conflict still when what was in the way gives way to another between its two looks", async () => {
      const first = await admit([testItem({ externalId: "replaced" })], newKey());
      const [before] = first.results;
      const next = testItem({ externalId: "replaced" });
      let begun = 0;
      const racing = beside(sql, {
        async begin() {
          begun += 1;
          if (begun === 2) await store.articles.remove(before && "articleId" in before ? (before.articleId ?? 0) : 0);
        },
        async insert() {
          if (begun === 2) await admit([next], newKey());
        },
      });
      const outcome = await admitOver(racing, createSourceMemory(), [testItem({ externalId: "replaced" })], {
        requireKnownSource: false,
        idempotency: newKey(),
      });
      expect(outcome).toMatchObject({ kind: "decided", conflict: true, results: [{ status: "conflict" }] });
      expect(begun).toBe(3);
    });

    test("fails an item of an unknown source beside a conflict, as a request without a key does", async () => {
      const item = testItem();
      await admit([item], newKey());
      const stranger = testItem({ sourceId: `nobody-${item.externalId}` });
      const batch = [stranger, testItem({ externalId: item.externalId })];
      const expected = { conflict: true, results: [{ status: "failed" }, { status: "conflict" }] };
      for (const idempotency of [undefined, newKey()]) {
        const outcome = await store.admission.admit(batch, { requireKnownSource: true, idempotency });
        expect(outcome).toMatchObject(expected);
      }
    });

    test("is free again after a request without a valid item", async () => {
      const key = newKey();
      expect(await admit([], key)).toMatchObject({ kind: "decided", results: [] });
      expect(await admit([testItem()], { ...key, bodyHash: "bb02" })).toMatchObject({
        kind: "decided",
        results: [{ status: "accepted" }],
      });
    });

    test("waits for a first one in work, and then gets its verdicts", async () => {
      const key = newKey();
      const item = testItem();
      const outcomes = await Promise.all(Array.from({ length: 8 }, () => admit([item], key)));
      expect(outcomes.filter((outcome) => outcome.kind === "decided")).toHaveLength(1);
      expect(outcomes.filter((outcome) => outcome.kind === "replayed")).toHaveLength(7);
    });

    test("takes the key over when the first one failed", async () => {
      const key = newKey();
      const item = testItem();
      const unstorable = testItem({ publishedAt: "no time" });
      await expect(admit([unstorable], key)).rejects.toThrow("no time");
      expect(await admit([item], key)).toMatchObject({ kind: "decided", results: [{ status: "accepted" }] });
    });

    test("does not see the same key of another token", async () => {
      const key = newKey();
      await admit([testItem()], key);
      expect(await admit([testItem()], { ...key, tokenHash: "aa02", bodyHash: "bb09" })).toMatchObject({
        kind: "decided",
      });
    });

    test("may use a key again once it has expired", async () => {
      const key = newKey({ ttlS: 0 });
      await admit([testItem()], key);
      expect(await admit([testItem()], { ...key, bodyHash: "bb02" })).toMatchObject({ kind: "decided" });
    });

    test("is decided anew after an article that the kept verdicts name was deleted", async () => {
      const key = newKey();
      const item = testItem();
      const first = await admit([item, testItem()], key);
      const id = "results" in first && first.results[0]?.status === "accepted" ? first.results[0].articleId : undefined;
      await store.articles.remove(id ?? 0);
      expect(await admit([item, testItem()], key)).toMatchObject({
        kind: "decided",
        results: [{ status: "accepted" }, { status: "accepted" }],
      });
    });
  });

  describe("prune", () => {
    test("drops expired keys and no others", async () => {
      const dead = newKey({ ttlS: -1 });
      const live = newKey();
      await admit([testItem()], dead);
      await admit([testItem()], live);
      expect(await store.admission.prune()).toBeGreaterThanOrEqual(1);
      const rows = await sql<
        { key: string }[]
      >`select key from idempotency_keys where key in (${dead.key}, ${live.key})`;
      expect(rows.map((row) => row.key)).toEqual([live.key]);
    });
  });
});
