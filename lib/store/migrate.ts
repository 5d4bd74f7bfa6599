import { createHash } from "node:crypto";
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import postgres from "postgres";
import { errorMessage, retry } from "../std/mod.ts";
import type { Sql, Tx } from "./client.ts";
import type { StoreLogger } from "./embedded/watch.ts";
import { codeOf, isConnectionLost } from "./errors.ts";
import { noteEpoch } from "./log/epochs.ts";

const folder = fileURLToPath(import.meta.resolve("./migrations"));

/** Any number will do, as long as every process of the platform takes the same. */
export const MIGRATION_LOCK = 4_922_051_773;

/** How long a migration waits for a table before it lets others pass, and how long it lets them. */
const LOCK_WAIT_MS = 500;

/**
 * Brings the schema of the database at `url` up to date: the files of `migrations/` in the order of their names, each
 * once and in a transaction of its own. Safe when several processes start together. Migrations of a later version are
 * left alone, so that two versions can run side by side during an upgrade; `logger` is told of them. Throws when an
 * applied file was edited since.
 */
export async function migrate(url: string, { logger }: { logger?: Pick<StoreLogger, "warn"> } = {}): Promise<void> {
  const sql = postgres(url, { max: 1, onnotice: () => {}, fetch_types: false, connect_timeout: 10 });
  try {
    // A limit that was set for requests is none for what is done once, nor for waiting while another does it.
    await sql`select set_config(name, '0', false) from unnest(array['statement_timeout', 'lock_timeout']) as t (name)`;
    await sql`select pg_advisory_lock(${MIGRATION_LOCK})`;
    await createMigrationTable(sql);
    const applied = new Map<string, string>();
    for (const row of await sql<{ name: string; checksum: string }[]>`select name, checksum from schema_migrations`) {
      applied.set(row.name, row.checksum);
    }
    const own = await migrations();
    const names = new Set(own.map(({ name }) => name));
    const unknown = [...applied.keys()].filter((name) => !names.has(name)).sort();
    if (unknown.length > 0) {
      logger?.warn({ migrations: unknown }, "the database is of a later version, whose migrations are not known here");
    }
    for (const { name, text, checksum } of own) {
      const appliedChecksum = applied.get(name);
      if (appliedChecksum === checksum) continue;
      if (appliedChecksum !== undefined) throw new Error(`migration ${name} was edited after it had been applied`);
      await applyBeside(sql, { name, text, checksum });
    }
    const epoch = await noteEpoch(sql);
    if (epoch?.first === false) logger?.warn(epoch, "another server writes the log of changes from here on");
  } catch (error) {
    throw isConnectionLost(error) ? unreachable(error) : error;
  } finally {
    await sql.end({ timeout: 5 });
  }
}

/** The same error, of the same code, for an operator. */
function unreachable(cause: unknown): Error {
  const message = `the database cannot be reached (DATABASE_URL): ${errorMessage(cause)}`;
  return Object.assign(new Error(message, { cause }), { code: codeOf(cause) });
}

/**
 * Applies a migration beside services that work. While it waits for a table that somebody reads for long, a backup for
 * instance, everybody else waits behind it: it gives up soon, lets them pass, and begins again.
 */
async function applyBeside(sql: postgres.Sql, migration: Migration): Promise<void> {
  const attempt = () =>
    sql.begin(async (tx) => {
      await tx`select set_config('lock_timeout', ${String(LOCK_WAIT_MS)}, true)`;
      await applyMigration(tx, migration);
    });
  const isLocked = (error: unknown): boolean => codeOf(error) === "55P03";
  await retry(attempt, { backoff: { baseMs: LOCK_WAIT_MS, maxMs: LOCK_WAIT_MS }, isRetryable: isLocked });
}

/** A migration file: its name, its statements, and their SHA-256. */
export type Migration = { name: string; text: string; checksum: string };

type AnyTx = Tx | postgres.TransactionSql;

/** Makes the table that says which migrations were applied, unless it is there. */
export async function createMigrationTable(sql: Sql | postgres.Sql | AnyTx): Promise<void> {
  await sql`create table if not exists schema_migrations (
    name text primary key, checksum text not null, applied_at timestamptz not null default now())`;
}

/** Applies one migration, and notes it. */
export async function applyMigration(tx: AnyTx, { name, text, checksum }: Migration): Promise<void> {
  await tx.unsafe(text).simple();
  await tx`insert into schema_migrations (name, checksum) values (${name}, ${checksum})`;
}

/** The migration files in the order in which they are applied. */
export async function migrations(): Promise<Migration[]> {
  const names = (await readdir(folder)).filter((name) => name.endsWith(".sql")).sort();
  return Promise.all(
    names.map(async (name) => {
      const text = await readFile(join(folder, name), "utf8");
      return { name, text, checksum: createHash("sha256").update(text).digest("hex") };
    }),
  );
}
