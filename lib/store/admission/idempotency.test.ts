import { afterAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import { randomBytes } from "node:crypto";
import type { Sql, Tx } from "../client.ts";
import { testItem, testStore } from "../testing.ts";
import { admit as admitOver, createSourceMemory } from "./admit.ts";
import type { AdmissionItem, IdempotencyKey } from "./decide.ts";

setDefaultTimeout(300_000);

const { store, sql, close } = await testStore({ max: 10 });
afterAll(close);

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
    const rows = await sql<{ key: string }[]>`select key from idempotency_keys where key in (${dead.key}, ${live.key})`;
    expect(rows.map((row) => row.key)).toEqual([live.key]);
  });
});
