import { createHash, randomBytes } from "node:crypto";
import { mkdir } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import process from "node:process";
import { readFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import postgres from "postgres";
import { ensurePostgres, type PostgresLease } from "./embedded/ensure.ts";
import { codeOf } from "./errors.ts";
import { migrate, migrations } from "./migrate.ts";

/** A database of its own for a test, and how to drop it. */
export type TestDatabase = { url: string; drop(): Promise<void> };

const LOCK = 4_922_051_775;

/**
 * The Postgres that all test processes of this machine and account share; its folder is `isnad-test-<uid>` among the
 * temporary files, and it does not wait for the disk. It runs until the last lease is released.
 */
export async function testServer(): Promise<PostgresLease> {
  const dataDir = join(tmpdir(), `isnad-test-${process.getuid?.() ?? 0}`);
  await mkdir(dataDir, { recursive: true, mode: 0o711 });
  // Nothing need outlive the tests. Their folder may be in memory, so that the log is kept small.
  const settings = { fsync: "off", full_page_writes: "off", max_connections: "400", max_wal_size: "256MB" };
  return ensurePostgres({ dataDir, settings });
}

/**
 * A fresh database with the platform's schema, for tests: a copy of a template in {@link testServer}. Call `drop()`
 * when done; what a killed test left behind is dropped by a later one. `empty` gives a database without the schema.
 */
export async function testDatabase({ empty = false }: { empty?: boolean } = {}): Promise<TestDatabase> {
  const lease = await testServer();
  const admin = postgres(lease.url, { max: 1, onnotice: () => {}, fetch_types: false });
  const name = `test_${Math.floor(Date.now() / 1000)}_${randomBytes(6).toString("hex")}`;
  try {
    await dropLeftovers(admin);
    const template = empty ? "template0" : await ensureTemplate(admin, lease.url);
    await admin.unsafe(`create database ${name} template ${template} strategy file_copy`);
  } catch (error) {
    await admin.end();
    await lease.release();
    throw error;
  }
  let dropped: Promise<void> | undefined;
  const drop = async () => {
    try {
      await admin.unsafe(`drop database if exists ${name} with (force)`);
    } finally {
      await admin.end({ timeout: 5 });
      await lease.release();
    }
  };
  return { url: databaseUrl(lease.url, name), drop: () => (dropped ??= drop()) };
}

/** Returns the template of the current migrations and of the code that applies them, made once. */
async function ensureTemplate(admin: postgres.Sql, url: string): Promise<string> {
  const hash = createHash("sha256").update(await readFile(fileURLToPath(import.meta.resolve("./migrate.ts"))));
  for (const { name, checksum } of await migrations()) hash.update(name).update(checksum);
  const template = `template_${hash.digest("hex").slice(0, 16)}`;
  await admin`select pg_advisory_lock(${LOCK})`;
  try {
    const made = await admin`select from pg_database where datname = ${template} and datistemplate`;
    if (made.length === 0) {
      await admin.unsafe(`drop database if exists ${template} with (force)`);
      await admin.unsafe(`create database ${template} template template0 strategy wal_log`);
      await migrate(databaseUrl(url, template));
      await admin.unsafe(`alter database ${template} with is_template true`);
    }
  } finally {
    await admin`select pg_advisory_unlock(${LOCK})`;
  }
  return template;
}

/** Drops test databases older than an hour: their tests are over, one way or the other. */
async function dropLeftovers(admin: postgres.Sql): Promise<void> {
  const rows = await admin<{ name: string }[]>`
    select datname as name from pg_database
    where datname ~ '^test_[0-9]+_' and split_part(datname, '_', 2)::bigint < extract(epoch from now()) - 3600`;
  for (const { name } of rows) {
    try {
      await admin.unsafe(`drop database if exists ${name} with (force)`);
    } catch (error) {
      // Another process drops it at the same time.
      if (!["3D000", "XX000", "55006"].includes(codeOf(error))) throw error;
    }
  }
}

function databaseUrl(url: string, database: string): string {
  const named = new URL(url);
  named.pathname = `/${database}`;
  return named.href;
}
