import { createHash } from "node:crypto";
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import postgres from "postgres";
import { errorMessage, retry } from "../std/mod.ts";
import { codeOf, isConnectionLost, type Sql, type Tx } from "./client.ts";
import type { StoreLogger } from "./embedded/ensure.ts";
import { noteEpoch } from "./epochs.ts";

const folder = fileURLToPath(import.meta.resolve("./migrations"));

/** The advisory lock of all that change the schema: any number, the same in every process. */
export const MIGRATION_LOCK = 4_922_051_773;

/** Wait of a migration for a table before it lets others pass, and the time it gives them. */
const LOCK_WAIT_MS = 500;

/**
 * Brings the schema of the database at `url` up to date: the files of `migrations/` in the order of their names, each
 * once and in a transaction of its own; one that comes later with a lower number than an applied one is applied as
 * once and in a transaction of its own; one that comes later with a lower number than an applied one is applied as
 * well, since branches number theirs apart. Safe when several processes start together. Throws when an applied file was
 * edited since, and when the database has a migration of a later version that does not bear this one; one that does is
 * left alone, so that two versions can run side by side during an upgrade, and `logger` is told of it.
 */
export async function migrate(url: string, { logger }: { logger?: Pick<StoreLogger, "warn"> } = {}): Promise<void> {
  const sql = postgres(url, { max: 1, onnotice: () => {}, fetch_types: false, connect_timeout: 10 });
  try {
    // A limit that was set for requests is none for what is done once, nor for waiting while another does it.
    await sql`select set_config(name, '0', false) from unnest(array['statement_timeout', 'lock_timeout']) as t (name)`;
    await sql`select pg_advisory_lock(${MIGRATION_LOCK})`;
    await createMigrationTable(sql);
    await addCompatibleFrom(sql);
    const applied = await sql<AppliedMigration[]>`
      select name, checksum, compatible_from as "compatibleFrom" from schema_migrations order by name`;
    const files = await migrations();
    const later = laterMigrations(applied, files);
    if (later.length > 0)
      logger?.warn({ migrations: later }, "the database is of a later version, which bears this one");
    const checksums = new Map(applied.map(({ name, checksum }) => [name, checksum]));
    for (const migration of files) {
      const appliedChecksum = checksums.get(migration.name);
      if (appliedChecksum === migration.checksum) continue;
      if (appliedChecksum !== undefined)
        throw new Error(`migration ${migration.name} was edited after it had been applied`);
      await withoutBlocking(sql, (tx) => applyMigration(tx, migration));
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

/** A migration as the database has noted it. */
export type AppliedMigration = Pick<Migration, "name" | "checksum" | "compatibleFrom">;

/** Returns the names of the migrations of a later version. Throws when one of them does not bear this version. */
function laterMigrations(applied: readonly AppliedMigration[], files: readonly Migration[]): string[] {
  const names = new Set(files.map(({ name }) => name));
  const later = applied.filter(({ name }) => !names.has(name));
  for (const { name, compatibleFrom } of later) {
    if (compatibleFrom !== null && names.has(compatibleFrom)) continue;
    throw new Error(
      `the database is of a later version: this one lacks migration ${name}, and its newest is ${files.at(-1)?.name}; ` +
        "start the later version, or restore a backup that was made before the upgrade",
    );
  }
  return later.map(({ name }) => name);
}

/**
 * Changes the schema beside services that work. While it waits for a table that somebody reads for long, a backup for
 * instance, everybody else waits behind it: it gives up soon, lets them pass, and begins again.
 */
async function withoutBlocking(sql: postgres.Sql, change: (tx: postgres.TransactionSql) => Promise<void>) {
  const attempt = () =>
    sql.begin(async (tx) => {
      await tx`select set_config('lock_timeout', ${String(LOCK_WAIT_MS)}, true)`;
      await change(tx);
    });
  const isLocked = (error: unknown): boolean => codeOf(error) === "55P03";
  await retry(attempt, { backoff: { baseMs: LOCK_WAIT_MS, maxMs: LOCK_WAIT_MS }, isRetryable: isLocked });
}

/**
 * A migration file: its name, its statements, and their SHA-256. `compatibleFrom`, from its line
 * `-- compatible_from: NAME`, says that programs whose migrations reach to that one may run over it.
 */
export type Migration = { name: string; text: string; checksum: string; compatibleFrom: string | null };

type AnyTx = Tx | postgres.TransactionSql;

/** Makes the table that says which migrations were applied, unless it is there. */
export async function createMigrationTable(sql: Sql | postgres.Sql | AnyTx): Promise<void> {
  await sql`create table if not exists schema_migrations (
    name text primary key, checksum text not null, applied_at timestamptz not null default now(), compatible_from text)`;
}

/** Adds the column that databases of version 0.1.0 lack; it locks the table only where the column is missing. */
async function addCompatibleFrom(sql: postgres.Sql): Promise<void> {
  const columns = await sql`
    select from pg_attribute where attrelid = 'schema_migrations'::regclass and attname = 'compatible_from'`;
  if (columns.length > 0) return;
  await withoutBlocking(sql, async (tx) => {
    await tx`alter table schema_migrations add column compatible_from text`;
  });
}

/** Applies one migration, and notes it. */
export async function applyMigration(tx: AnyTx, { name, text, checksum, compatibleFrom }: Migration): Promise<void> {
  await tx.unsafe(text).simple();
  await tx`
    insert into schema_migrations (name, checksum, compatible_from) values (${name}, ${checksum}, ${compatibleFrom})`;
}

/** Returns the migration files in the order in which they are applied. */
export async function migrations(): Promise<Migration[]> {
  const names = (await readdir(folder)).filter((name) => name.endsWith(".sql")).sort();
  return Promise.all(
    names.map(async (name) => {
      const text = await readFile(join(folder, name), "utf8");
      const checksum = createHash("sha256").update(text).digest("hex");
      return { name, text, checksum, compatibleFrom: /^-- compatible_from: (\S+)$/m.exec(text)?.[1] ?? null };
    }),
  );
}
