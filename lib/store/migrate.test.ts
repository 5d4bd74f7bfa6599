import { afterEach, describe, expect, setDefaultTimeout, test } from "bun:test";
import { createHash } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import { connect } from "./client.ts";
import {
  applyMigration,
  createMigrationTable,
  MIGRATION_LOCK,
  type Migration,
  migrate,
  migrations,
} from "./migrate.ts";
import { openStore } from "./store.ts";
import { admitItems, type TestDatabase, testDatabase, testItem, testStore } from "./testing.ts";

setDefaultTimeout(300_000);

/** Version 0.1.0 ends with this migration; a release moves these three on. */
const LAST_RELEASED = "0023_rerank_work_model.sql";
const RELEASED_MIGRATIONS = 23;
const RELEASED_SHA256 = "fe54583bd4caffdc2f92647ad61192a01c7349713d285e62130c0268a27a3d7c";

let db: TestDatabase | undefined;

async function newest(): Promise<Migration> {
  const last = (await migrations()).at(-1);
  if (last === undefined) throw new Error("there are no migrations");
  return last;
}

afterEach(() => db?.drop());

describe("migrate", () => {
  test("makes the schema in an empty database, and changes nothing the second time", async () => {
    db = await testDatabase({ empty: true });
    await migrate(db.url);
    await migrate(db.url);
    const sql = connect(db.url, { max: 1 });
    const applied = await sql<{ name: string }[]>`select name from schema_migrations order by name`;
    expect(applied.map((row) => row.name)).toEqual((await migrations()).map((each) => each.name));
    expect(await sql`select * from articles`).toHaveLength(0);
    await sql.end();
  });

  test("lets several processes start at once", async () => {
    db = await testDatabase({ empty: true });
    const { url } = db;
    await Promise.all(Array.from({ length: 5 }, () => migrate(url)));
    const sql = connect(url, { max: 1 });
    expect(await sql`select 1 from schema_migrations`).toHaveLength((await migrations()).length);
    await sql.end();
  });

  test("waits for another process for longer than the database lets a statement take", async () => {
    db = await testDatabase({ empty: true });
    const sql = connect(db.url, { max: 1 });
    const name = new URL(db.url).pathname.slice(1);
    for (const limit of ["statement_timeout", "lock_timeout"]) {
      await sql.unsafe(`alter database ${name} set ${limit} = '20ms'`);
    }
    await sql`select pg_advisory_lock(${MIGRATION_LOCK})`;
    const migrating = migrate(db.url);
    await sleep(200);
    await sql`select pg_advisory_unlock(${MIGRATION_LOCK})`;
    await migrating;
    await sql.end();
  });

  test("lets others pass while somebody reads a table for long that it is to change", async () => {
    db = await testDatabase({ empty: true });
    const sql = connect(db.url, { max: 3 });
    const [last, ...before] = (await migrations()).filter(({ name }) => name <= "0021_entity_names.sql").toReversed();
    await createMigrationTable(sql);
    for (const migration of before.toReversed()) await sql.begin((tx) => applyMigration(tx, migration));
    let migrating: Promise<void> | undefined;
    await sql.begin(async (reading) => {
      await reading`select from article_entities`;
      migrating = migrate(db?.url ?? "");
      for (let waits = 0; waits === 0; ) {
        const found = await sql`
          select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`;
        waits = found.length;
      }
      // Behind the migration, which does not get its table before the end of this block.
      expect(await sql`select from article_entities`).toHaveLength(0);
    });
    await migrating;
    expect(await sql`select from schema_migrations where name = ${last?.name ?? ""}`).toHaveLength(1);
    await sql.end();
  });

  test("refuses a migration that was edited after it had been applied", async () => {
    db = await testDatabase();
    const sql = connect(db.url, { max: 1 });
    await sql`update schema_migrations set checksum = 'other' where name like '0001%'`;
    await sql.end();
    await expect(migrate(db.url)).rejects.toThrow(/migration 0001\S+ was edited/);
  });

  describe("over a schema of a later version", () => {
    const warnings: object[] = [];
    const logger = { warn: (fields: object, message: string) => warnings.push({ ...fields, message }) };
    const withLater = async (compatibleFrom: string | null) => {
      db = await testDatabase();
      const sql = connect(db.url, { max: 1 });
      await sql`insert into schema_migrations (name, checksum, compatible_from) values
        ('9998_later.sql', 'x', ${(await newest()).name}), ('9999_later.sql', 'x', ${compatibleFrom})`;
      warnings.length = 0;
      return { url: db.url, sql };
    };

    test("goes on where each of its migrations bears this version, and says which it does not have", async () => {
      const { url, sql } = await withLater((await newest()).name);
      await migrate(url, { logger });
      expect(warnings).toEqual([
        { migrations: ["9998_later.sql", "9999_later.sql"], message: expect.stringContaining("of a later version") },
      ]);
      expect(await sql`select from schema_migrations where name like '999%'`).toHaveLength(2);
      await sql.end();
    });

    test.each([
      ["bears no older version", null],
      ["bears only versions that are later than this one", "9998_later.sql"],
    ])("refuses one that %s, by its name, and changes nothing", async (_, compatibleFrom) => {
      const { url, sql } = await withLater(compatibleFrom);
      const { name } = await newest();
      await sql`delete from schema_migrations where name = ${name}`;
      const refusal = `this one lacks migration 9999_later.sql, and its newest is ${name}`;
      await expect(migrate(url, { logger })).rejects.toThrow(refusal);
      expect(await sql`select from schema_migrations where name = ${name}`).toHaveLength(0);
      expect(warnings).toEqual([]);
      await sql.end();
    });
  });

  test("brings up a database whose table of migrations is of version 0.1.0", async () => {
    const { url, sql, close } = await databaseBefore("0030");
    await migrate(url);
    const rows = await sql`select compatible_from from schema_migrations`;
    expect(rows).toHaveLength((await migrations()).length);
    expect(rows[0]).toEqual({ compatible_from: null });
    await close();
  });

  test("rejects when the database cannot be reached", async () => {
    await expect(migrate("postgres://nobody@127.0.0.1:1/none")).rejects.toMatchObject({ code: "ECONNREFUSED" });
  });
});

describe("migration 0008", () => {
  test("takes user names and passwords off the addresses of articles, and leaves the others", async () => {
    const { url, store, sql, close } = await testStore();
    const odd = { url: "https://u:p%40@a.test/@x?y=@z", images: ["http://u@i.test/1.jpg", "http://i.test/@2.jpg"] };
    const plain = { url: "https://a.test/@x?mail=u:p@b.test", images: ["https://i.test/3.jpg"] };
    const [first = 0, second = 0] = await admitItems(store, [testItem(odd), testItem(plain)]);
    await sql`update article_pairs set alias_url = 'HTTPS://u:p@a.test' where article_id = ${first}`;
    await sql`delete from schema_migrations where name like '0008%'`;
    await migrate(url);
    expect(await store.articles.get(first)).toMatchObject({
      url: "https://a.test/@x?y=@z",
      images: ["http://i.test/1.jpg", "http://i.test/@2.jpg"],
      aliases: [{ url: "HTTPS://a.test" }],
    });
    expect(await store.articles.get(second)).toMatchObject(plain);
    await close();
  });
});

/** An empty database with the migrations before this one, as it was then. */
async function databaseBefore(name: string) {
  const { url, drop } = await testDatabase({ empty: true });
  const sql = connect(url, { max: 1 });
  const older = (await migrations()).filter((each) => each.name < name);
  for (const { text } of older) await sql.unsafe(text).simple();
  await sql`create table schema_migrations (
    name text primary key, checksum text not null, applied_at timestamptz not null default now())`;
  await sql`insert into schema_migrations ${sql(older.map(({ name, checksum }) => ({ name, checksum })))}`;
  const close = async () => {
    await sql.end();
    await drop();
  };
  return { url, sql, close };
}

describe("migration 0011", () => {
  test("leaves what was in work to whoever comes once its lease has ended, and what waits as it was", async () => {
    const { url, sql, close } = await databaseBefore("0011");
    await sql`insert into scraper_frontier (profile_id, url_key, url, entry, stamp, owner, due_at, attempts) values
      ('p', '\x01', 'https://a.test/held', '{}', '', 'dead', now() + interval '1 minute', 1),
      ('p', '\x02', 'https://a.test/waits', '{}', '', null, now(), 0)`;
    await sql`insert into pull_runs (source_key, status, trigger, owner, attempts, beaten_at) values
      ('a', 'running', 'cli', 'dead', 1, now() - interval '1 hour'), ('b', 'queued', 'cli', null, 0, null)`;
    await sql`insert into outbox_consumers (consumer, position) values ('c', 1)`;
    await sql`insert into outbox (event_id, type, article_id, article) values (1, 'article.deleted', 1, '{}')`;
    await sql`insert into outbox_deliveries (consumer, article_id, event_id, attempts) values ('c', 1, 1, 3)`;

    await migrate(url);

    const store = openStore(url);
    const take = () => store.scraper.frontier.take("p", { owner: "o", limit: 5, leaseS: 60 });
    expect(await take()).toMatchObject([{ url: "https://a.test/waits" }]);
    await sql`update scraper_frontier set due_at = now(), lease_until = now() where lease_owner = 'dead'`;
    expect(await take()).toMatchObject([{ url: "https://a.test/held", attempts: 1 }]);
    const pulls = [];
    for (const owner of ["x", "y"]) pulls.push(await store.pulls.claim({ owner, leaseS: 60 }));
    expect(pulls).toMatchObject([
      { sourceKey: "a", attempts: 2 },
      { sourceKey: "b", attempts: 1 },
    ]);
    const events = await store.outbox.claim("c", { owner: "o", limit: 5, leaseS: 60 });
    expect(events).toMatchObject([{ id: 1, attempts: 3 }]);
    await store.close();
    await close();
  });
});

describe("migration 0015", () => {
  test("makes verdicts and memos of the answers that were kept", async () => {
    const { url, sql, close } = await databaseBefore("0015");
    const results = [
      { external_id: "a", status: "accepted", article_id: 7 },
      { external_id: null, status: "failed", error: { type: "/errors/invalid-field", title: "t", detail: "d" } },
      { external_id: "b", status: "duplicate", article_id: 3 },
    ];
    const answer = JSON.stringify({ schema: "ingest.v1", summary: { request_id: "r-1" }, results });
    await sql`insert into idempotency_keys (token_hash, key, body_hash, status, body, expires_at) values
      ('\\xaa', 'kept', '\\xbb', 202, ${answer}, now() + interval '1 hour'),
      ('\\xaa', 'odd', '\\xbb', 202, ${answer.replace('"a"', '"\\u0000"')}, now() + interval '1 hour')`;
    await migrate(url);
    const store = openStore(url);
    const key = (name: string) => ({ tokenHash: "aa", key: name, bodyHash: "bb", ttlS: 60, memo: "new" });
    const again = (name: string) => store.admission.admit([], { requireKnownSource: false, idempotency: key(name) });
    const kept = await again("kept");
    expect(kept).toMatchObject({
      kind: "replayed",
      conflict: false,
      results: [
        { status: "accepted", articleId: 7 },
        { status: "duplicate", articleId: 3 },
      ],
    });
    expect(kept.kind === "replayed" && JSON.parse(kept.memo)).toEqual({
      requestId: "r-1",
      submitted: [
        { externalId: "a", sourceId: "" },
        { externalId: null, error: results[1]?.error },
        { externalId: "b", sourceId: "" },
      ],
    });
    expect(await again("odd")).toMatchObject({ kind: "decided" });
    await store.close();
    await close();
  });
});

describe("migration 0080", () => {
  test("goes on delivering what waits, in its order, and bears what an older worker writes", async () => {
    const { url, sql, close } = await databaseBefore("0080");
    const event = (id: number, article: number, revision: string | null = null) => sql`
      insert into outbox (event_id, type, article_id, article, revision)
      values (${id}, ${revision === null ? "article.upserted" : "article.revised"}, ${article}, ${sql.json({ article_id: article, doc_id: crypto.randomUUID() })}, ${revision}::text::jsonb)`;
    const deliver = (id: number, article: number, attempts: number) => sql`
      insert into outbox_deliveries (consumer, article_id, event_id, attempts) values ('c', ${article}, ${id}, ${attempts})`;
    await sql`insert into outbox_consumers (consumer, position) values ('c', 3)`;
    await event(1, 7);
    await event(2, 7, '{"revision": 2}');
    await event(3, 8);
    await deliver(1, 7, 3);
    await deliver(2, 7, 0);
    await deliver(3, 8, 0);

    await migrate(url);

    await event(4, 9, '{"revision": 3}');
    await deliver(4, 9, 0);
    await sql`update outbox_consumers set position = 4`;
    await event(5, 8);
    const store = openStore(url);
    const claim = () => store.outbox.claim("c", { owner: "o", limit: 9, leaseS: 60 });
    const [first, ...others] = await claim();
    expect(first).toEqual({
      ...{ id: 1, type: "article.upserted", articleId: 7, article: expect.objectContaining({ article_id: 7 }) },
      ...{ data: {}, attempts: 3, occurredAt: expect.any(String) },
    });
    expect(others).toMatchObject([{ id: 3 }, { id: 4, data: { revision: { revision: 3 } } }]);
    await store.outbox.ack("c", [1, 3, 4]);
    expect(await claim()).toMatchObject([
      { id: 2, data: { revision: { revision: 2 } } },
      { id: 5, data: {} },
    ]);
    await store.close();
    await close();
  });
});

describe("migrations", () => {
  test("have numbers of four digits that order them, each once; gaps are allowed", async () => {
    const names = (await migrations()).map((each) => each.name);
    for (const name of names) expect(name).toMatch(/^(?!0000)\d{4}_[a-z0-9_]+\.sql$/);
    const numbers = names.map((name) => Number(name.slice(0, 4)));
    expect(numbers).toEqual([...new Set(numbers)].sort((a, b) => a - b));
  });

  test("do not change once they are released", async () => {
    const released = (await migrations()).filter(({ name }) => name <= LAST_RELEASED);
    const digest = createHash("sha256");
    for (const { name, checksum } of released) digest.update(`${name} ${checksum}\n`);
    expect([released.length, released.at(-1)?.name]).toEqual([RELEASED_MIGRATIONS, LAST_RELEASED]);
    expect(digest.digest("hex")).toBe(RELEASED_SHA256);
  });

  test("that come later with a lower number than applied ones are applied", async () => {
    const { url, sql, close } = await databaseBefore("0041");
    const [late, ...others] = (await migrations()).filter(({ name }) => name >= "0041");
    for (const { text } of others) await sql.unsafe(text).simple();
    await sql`insert into schema_migrations ${sql(others.map(({ name, checksum }) => ({ name, checksum })))}`;
    await migrate(url);
    const [last] = await sql<{ name: string }[]>`select name from schema_migrations order by applied_at desc limit 1`;
    expect(last?.name).toBe(late?.name ?? "");
    expect(await sql`select from api_keys`).toHaveLength(0);
    await close();
  });

  test("that bear older versions name one of them", async () => {
    const all = await migrations();
    for (const { name, compatibleFrom } of all) {
      if (compatibleFrom === null) continue;
      expect(all.map((each) => each.name).filter((each) => each < name)).toContain(compatibleFrom);
    }
  });
});
