import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gunzipSync, gzipSync } from "node:zlib";
import { connect, type Sql } from "../client.ts";
import { applyMigration, createMigrationTable, migrate, migrations } from "../migrate.ts";
import { openStore } from "../store.ts";
import {
  admitItems,
  indexedArticles,
  rowsOf,
  testDatabase,
  testItem,
  testStage,
  type TestStore,
  testStore,
} from "../testing.ts";
import { BackupError } from "./read.ts";
import { checkBackupFile, migrationsOf, restoreBackupFile, writeBackupFile } from "./load.ts";

setDefaultTimeout(300_000);

const dir = mkdtempSync(join(tmpdir(), "isnad-backup-"));
const whole = join(dir, "whole.isnad");
const { signal } = new AbortController();
let source: TestStore;
let ids: number[];

const ODD = "tab\there, line\nthere, \\. and \\N, «اقتباس» 🌊".repeat(6);

beforeAll(async () => {
  source = await testStore();
  ids = await indexedArticles(source.store, 20);
  await admitItems(source.store, [testItem({ title: "\\.", content: ODD, raw: { quote: '"\\' } })]);
  await source.store.articles.remove(ids[3] ?? 0);
  await source.store.rerank.enlist({ afterId: 0, limit: 10, modelId: "reader@1" });
  const stage = testStage(source.store, "rerank");
  const read = await stage.claim({ owner: "o", leaseS: 60, limit: 5 });
  const vectors = read.map(({ articleId }) => ({ articleId, vectors: [Int8Array.of(-128, 0, 92, 127)] }));
  await source.store.rerank.put(vectors, { modelId: "reader@1", step: stage.step("o") });
  await source.store.sources.upsert([{ key: "kept", tier: 1 }]);
  await writeBackupFile(source.url, whole, { signal });
});

afterAll(async () => {
  await source.close();
  rmSync(dir, { recursive: true });
});

async function restored<T>(path: string, look: (sql: Sql, url: string) => Promise<T>): Promise<T> {
  const { url, drop } = await testDatabase({ empty: true });
  try {
    await restoreBackupFile(url, path, {});
    const sql = connect(url, { max: 2 });
    try {
      return await look(sql, url);
    } finally {
      await sql.end();
    }
  } finally {
    await drop();
  }
}

describe("a backup", () => {
  test("restored into an empty database gives the same rows and sequences", async () => {
    const before = await rowsOf(source.sql);
    await restored(whole, async (sql, url) => {
      expect(await rowsOf(sql)).toEqual(before);
      const store = openStore(url);
      const [next = 0] = await admitItems(store, [testItem()]);
      expect(next).toBeGreaterThan(Math.max(...ids));
      const model = { modelId: "reader@1" };
      const vectors = await store.rerank.vectorsOf(ids, model);
      expect(vectors.size).toBe(5);
      expect(vectors).toEqual(await source.store.rerank.vectorsOf(ids, model));
      expect(await testStage(store, "rerank").backlog()).toEqual({ waiting: 5, setAside: 0 });
      // what keeps old vectors from a new text came with them
      await sql`update articles set title = 'Another'`;
      expect((await store.rerank.vectorsOf(ids, model)).size).toBe(0);
      await store.close();
      await migrate(url);
    });
  });

  test("taken while articles come in is one moment of them: chunks, pairs and events agree", async () => {
    const busy = await testStore();
    await indexedArticles(busy.store, 200);
    const path = join(dir, "busy.isnad");
    let over = false;
    let during = 0;
    const arriving = (async () => {
      while (!over) during += (await indexedArticles(busy.store, 5)).length;
    })();
    await writeBackupFile(busy.url, path, { signal });
    over = true;
    await arriving;
    expect(during).toBeGreaterThan(0);
    await restored(path, async (sql) => {
      const [counts] = await sql`
        select (select count(*) from articles) as articles, (select count(*) from articles where state = 'indexed') as indexed,
             (select count(*) from chunks) as chunks,
          (select count(*) from article_pairs) as pairs, (select count(*) from outbox) as events,
          (select count(*) from chunks c where not exists (select from articles a where a.article_id = c.article_id)) as lost`;
      expect(counts?.articles).toBeGreaterThanOrEqual(200);
      expect(counts?.pairs).toBe(counts?.articles);
      expect(counts).toMatchObject({ chunks: counts?.indexed, events: counts?.indexed, lost: 0 });
    });
    await busy.close();
  });

  test("is a file of its owner alone, and no part of one is left when it is interrupted", async () => {
    expect(statSync(whole).mode & 0o777).toBe(0o600);
    const stop = new AbortController();
    const path = join(dir, "never.isnad");
    const writing = writeBackupFile(source.url, path, { signal: stop.signal, onProgress: () => stop.abort() });
    await expect(writing).rejects.toThrow();
    expect(readdirSync(dir).filter((name) => name.startsWith("never"))).toEqual([]);
  });

  test("never takes the place of another file", async () => {
    const before = readFileSync(whole);
    await expect(writeBackupFile(source.url, whole, { signal })).rejects.toThrow(`${whole} is there already`);
    expect(readFileSync(whole).equals(before)).toBe(true);
  });

  test("of several of one name that are taken at the same time one is written, and nothing is left of the others", async () => {
    const path = join(dir, "same.isnad");
    const taken = await Promise.allSettled([1, 2, 3].map(() => writeBackupFile(source.url, path, { signal })));
    expect(taken.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
    expect((await checkBackupFile(path)).manifest.tables.length).toBeGreaterThan(0);
    expect(readdirSync(dir).filter((name) => name.endsWith(".tmp"))).toEqual([]);
  });

  test("fails when its connection is lost", async () => {
    const path = join(dir, "lost.isnad");
    let ended = false;
    const end = () => {
      if (ended) return;
      ended = true;
      void large.sql`
        select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'isnad-backup'`.execute();
    };
    const large = await testStore();
    await large.sql`insert into sources (key, name) select n, repeat('x', 1000) from generate_series(1, 15000) n`;
    const writing = writeBackupFile(large.url, path, {
      signal,
      onProgress: () => end(),
    });
    await expect(writing).rejects.toThrow();
    expect(readdirSync(dir).filter((name) => name.startsWith("lost"))).toEqual([]);
    await large.close();
  });
});

describe("restoring", () => {
  const bytes = () => gunzipSync(readFileSync(whole));
  const kept = (name: string, data: Uint8Array): string => {
    const path = join(dir, name);
    writeFileSync(path, data);
    return path;
  };

  test.each([
    ["cut short in the packed bytes", () => readFileSync(whole).subarray(0, -200), "was cut short"],
    ["cut short in the rows", () => gzipSync(bytes().subarray(0, 5_000)), "was cut short"],
    ["without its seal", () => gzipSync(bytes().subarray(0, bytes().lastIndexOf("\n", -2) + 1)), "was cut short"],
    ["with another word", () => gzipSync(Buffer.from(bytes().toString().replace("harbour", "airport"))), "was altered"],
    [
      "with a row less",
      () =>
        gzipSync(
          Buffer.from(
            bytes()
              .toString()
              .replace(/^.*nightfall.*\n/m, ""),
          ),
        ),
      "was altered",
    ],
    [
      "with another count",
      () => gzipSync(Buffer.from(bytes().toString().replace('"rows":', '"rows":1'))),
      "was altered",
    ],
    ["with something behind it", () => gzipSync(Buffer.concat([bytes(), Buffer.from("more\n")])), "was altered"],
    ["that is none", () => gzipSync(Buffer.from("{}\n")), "the file is no backup of this platform"],
    ["that is not packed", () => Buffer.from("hello"), "cannot be read"],
  ])("a backup %s is refused, and nothing is changed", async (name, make, message) => {
    const path = kept(`${name}.isnad`, make());
    await expect(checkBackupFile(path)).rejects.toThrow(message);
    const before = await rowsOf(source.sql);
    await expect(restoreBackupFile(source.url, path, { replace: true })).rejects.toBeInstanceOf(BackupError);
    expect(await rowsOf(source.sql)).toEqual(before);
  });

  test("a backup of a later version is refused", async () => {
    const later = bytes()
      .toString()
      .replace(/\{"name":"0001_/, '{"name":"9999_');
    await expect(checkBackupFile(kept("later.isnad", gzipSync(Buffer.from(later))))).rejects.toThrow(
      "is of another version",
    );
  });

  test("a database that holds rows is left alone unless it is to be replaced", async () => {
    const target = await testStore();
    await indexedArticles(target.store, 3);
    const { url, sql } = target;
    await target.store.close();
    await sql`select 1`;
    await expect(restoreBackupFile(url, whole, {})).rejects.toThrow("the database is in use (isnad)");
    const held = connect(url, { max: 1, name: "other" });
    await sql.end();
    const head = await held`select 'chunks'::regclass::oid as oid`;
    await expect(restoreBackupFile(url, whole, {})).rejects.toThrow(/holds rows already \(.*articles.*--replace/);
    await restoreBackupFile(url, whole, { replace: true });
    expect(await rowsOf(held)).toEqual(await rowsOf(source.sql));
    expect(await held`select 'chunks'::regclass::oid as oid`).not.toEqual(head);
    await migrate(url);
    await held.end();
    await target.close();
  });

  test("a backup of an older version gets the migrations that it lacks", async () => {
    const old = await testDatabase({ empty: true });
    const sql = connect(old.url, { max: 1, name: "other" });
    await createMigrationTable(sql);
    for (const migration of (await migrations()).filter(({ name }) => name < "0016"))
      await sql.begin((tx) => applyMigration(tx, migration));
    await sql`insert into articles (source_id, external_id, url, canonical_url, domain, title, content, content_hash)
      values ('s', '1', 'http://a.test', 'http://a.test', 'a.test', 't', 'c', '\\x00')`;
    const path = join(dir, "old.isnad");
    await writeBackupFile(old.url, path, { signal });
    await restored(path, async (fresh) => {
      expect(await fresh`select title, summary from articles`).toMatchObject([{ title: "t", summary: null }]);
      expect(await fresh`select from schema_migrations where name like '0016%'`).toHaveLength(1);
    });
    await sql.end();
    await old.drop();
  });

  test("a backup gets a migration that landed after it with a lower number", async () => {
    const names = (await migrations()).map(({ name }) => name);
    const landedLate = names.at(-2) ?? "";
    const head = bytes().toString();
    const { migrations: applied, ...header } = JSON.parse(head.slice(0, head.indexOf("\n")));
    const older = { ...header, migrations: applied.filter(({ name }: { name: string }) => name !== landedLate) };
    expect(older.migrations).toHaveLength(names.length - 1);
    const { applied: had, missing } = await migrationsOf(older);
    expect(had.map(({ name }) => name)).toEqual(names.filter((name) => name !== landedLate));
    expect(missing.map(({ name }) => name)).toEqual([landedLate]);
  });

  test("a backup whose migration has other words than here is refused by its name", async () => {
    const edited = bytes()
      .toString()
      .replace(/("name":"0002_[^"]*","checksum":")[0-9a-f]{8}/, "$100000000");
    await expect(checkBackupFile(kept("edited.isnad", gzipSync(Buffer.from(edited))))).rejects.toThrow("0002_");
  });
});
