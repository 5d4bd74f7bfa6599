import { afterAll, afterEach, beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import { until } from "../std/testing-until.ts";
import { codeOf, connect, isUnavailable, type Sql, type Tx } from "./client.ts";
import { openStore, type Store } from "./store.ts";
import { admitItems, type FreezablePostgres, freezablePostgres, indexedArticles, testItem } from "./testing.ts";
import { transaction } from "./transaction.ts";

setDefaultTimeout(300_000);

let postgres: FreezablePostgres;
let sql: Sql;
let store: Store;
/** Those without a limit, for what is not about one. */
let patient: Store;
let patientSql: Sql;

beforeAll(async () => {
  postgres = await freezablePostgres();
  sql = connect(postgres.url, { max: 4, timeoutMs: 300 });
  store = openStore(postgres.url, { max: 4, timeoutMs: 300 });
  patient = openStore(postgres.url, { max: 4 });
  patientSql = connect(postgres.url, { max: 1 });
});
afterEach(() => postgres.thaw());
afterAll(async () => {
  await Promise.all([sql.end({ timeout: 1 }), patientSql.end(), store.close(), patient.close()]);
  await postgres.close();
});

/** Lets the server go on; resolves once it answers. */
async function thaw(): Promise<void> {
  postgres.thaw();
  await patient.ping();
}

/** Resolves once so much work at a time is done within the limit: on a busy machine not at the first go. */
const untilDone = (count: number, work: () => Promise<unknown>) =>
  until("it is done within the limit", async () => {
    const failures = await Promise.all(Array.from({ length: count }, () => failureOf(work())));
    return failures.every((error) => error === undefined);
  });

/** What the work was rejected with, undefined when it was not. */
const failureOf = (work: Promise<unknown>): Promise<unknown> =>
  work.then(
    () => undefined,
    (error: unknown) => error ?? new Error("rejected with nothing"),
  );
const idOf = (result: object): unknown => ("articleId" in result ? result.articleId : undefined);
const admit = (items: ReturnType<typeof testItem>[], { to = store, key }: { to?: Store; key?: string } = {}) =>
  to.admission.admit(items, {
    requireKnownSource: false,
    ...(key !== undefined && {
      idempotency: { tokenHash: "a".repeat(64), key, bodyHash: "b".repeat(64), ttlS: 60, memo: "" },
    }),
  });

describe("while the server is frozen", () => {
  test("every operation is given up, those that wait for a connection too", async () => {
    const [id = 0] = await indexedArticles(patient, 1);
    await untilDone(4, () => store.ping());
    postgres.freeze();
    const failures = await Promise.all([
      ...Array.from({ length: 50 }, () => failureOf(store.articles.get(id))),
      ...Array.from({ length: 50 }, () => failureOf(admit([testItem(), testItem()]))),
      ...Array.from({ length: 50 }, (_, n) => failureOf(admit([testItem()], { key: `all-${n}` }))),
      failureOf(store.ping()),
      failureOf(store.articles.remove(id)),
    ]);
    expect(failures.filter((error) => !isUnavailable(error))).toEqual([]);
    // The first ones met the connections that were there; these have to make new ones.
    expect(isUnavailable(await failureOf(store.ping()))).toBe(true);
    await thaw();
    await untilDone(1, async () => expect(await store.articles.get(id)).toMatchObject({ articleId: id }));
  });

  test("a transaction is given up at its next statement, and leaves nothing behind", async () => {
    await patientSql`create table halves (n int)`;
    let isFrozen = false;
    const work = async (tx: Tx) => {
      await tx`insert into halves values (1)`;
      postgres.freeze();
      isFrozen = true;
      await tx`insert into halves values (2)`;
    };
    let error: unknown;
    // What comes before takes longer than the limit where the machine is busy.
    while (!isFrozen) error = await failureOf(transaction(sql, work));
    expect(codeOf(error)).toBe("QUERY_TIMEOUT");
    await thaw();
    expect(await patientSql`select 1 from halves`).toHaveLength(0);
  });

  test("an admission of which nobody knows whether it was done can be repeated: every item is there once", async () => {
    const batches = Array.from({ length: 20 }, () => [testItem(), testItem()]);
    const posting = batches.map((batch) => failureOf(admit(batch)));
    postgres.freeze();
    const failures = await Promise.all(posting);
    expect(failures.some((error) => error !== undefined)).toBe(true);
    await thaw();
    for (const batch of batches) {
      const [first, second] = [await admit(batch, { to: patient }), await admit(batch, { to: patient })];
      if (first.kind !== "decided" || second.kind !== "decided") throw new Error("no decision");
      for (const { status } of second.results) expect(status).toBe("duplicate");
      expect(second.results.map(idOf)).toEqual(first.results.map(idOf));
    }
    const ids = batches.flat().map(({ externalId }) => externalId);
    expect(await patientSql`select 1 from articles where external_id = any(${ids})`).toHaveLength(40);
  });

  test("an admission under an idempotency key can be repeated: its answer is one", async () => {
    const item = testItem();
    const key = "once";
    const posting = failureOf(admit([item], { key }));
    postgres.freeze();
    await posting;
    await thaw();
    const answers = [await admit([item], { to: patient, key }), await admit([item], { to: patient, key })];
    expect(answers[0]?.results).toMatchObject([{ status: "accepted" }]);
    expect(answers[1]?.results).toEqual(answers[0]?.results ?? []);
  });

  test("who listens for changes hears of those that come after", async () => {
    let heard = 0;
    const stop = await store.log.listen(() => heard++);
    postgres.freeze();
    await failureOf(store.ping());
    await thaw();
    heard = 0;
    await indexedArticles(patient, 1);
    await until("it heard", () => heard > 0);
    await stop();
  });
});

describe("a statement that takes too long", () => {
  test("is cancelled by the server, and those behind it on its connection are answered", async () => {
    const one = connect(postgres.url, { max: 1, timeoutMs: 300 });
    const slow = failureOf(one`select pg_sleep(30)`.execute());
    const next = one`select 1 as n`.execute();
    expect(codeOf(await slow)).toBe("57014");
    expect(await next).toMatchObject([{ n: 1 }]);
    await one.end();
  });

  test("has no limit where none was set", async () => {
    const patient = connect(postgres.url, { max: 1 });
    expect(await patient`select pg_sleep(0.5), 1 as n`).toMatchObject([{ n: 1 }]);
    await patient.end();
  });
});

test("the store works on as if nothing had happened", async () => {
  await untilDone(1, async () => expect(await admitItems(store, [testItem(), testItem()])).toHaveLength(2));
  await untilDone(12, () => store.ping());
});
