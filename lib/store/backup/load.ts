import { randomUUID } from "node:crypto";
import { createReadStream, createWriteStream } from "node:fs";
import { link, open, rm } from "node:fs/promises";
import { pipeline as pipe, type Writable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { createGunzip, createGzip } from "node:zlib";
import { connect, type Sql, type Tx } from "../client.ts";
import { applyMigration, createMigrationTable, type Migration, MIGRATION_LOCK, migrations } from "../migrate.ts";
import { BackupError, type BackupHeader, type BackupManifest, type BackupPart, readBackup } from "./read.ts";
import { backupBytes, type BackupProgress, LEFT_OUT, settleTexts } from "./write.ts";

export { BackupError } from "./read.ts";

/** Says where a backup is put together before it takes the place of what is there. */
const STAGING = "isnad_restore";

/**
 * Puts a backup into the database at `url`, in one transaction: nothing is changed until all of it is there and
 * checked. Its schema is made as it was, filled, and then brought up to date. Throws {@link BackupError}, with a
 * message for the operator, when the database is in use, holds rows already and `replace` is not given, or the backup
 * was made by a later version.
 */
async function restoreBackup(
  url: string,
  parts: AsyncIterable<BackupPart>,
  { replace = false, onProgress = () => {} }: { replace?: boolean; onProgress?: BackupProgress } = {},
): Promise<BackupManifest> {
  const sql = connect(url, { max: 1, name: "isnad-restore" });
  try {
    await refuseInUse(sql);
    if (!replace) await refuseRows(sql);
    const { manifest, tables } = await sql.begin(async (tx) => {
      await tx`select pg_advisory_xact_lock(${MIGRATION_LOCK})`;
      const [home] = await tx<{ name: string }[]>`select current_schema() as name`;
      await settleTexts(tx);
      await tx`drop schema if exists ${tx(STAGING)} cascade`;
      await tx`create schema ${tx(STAGING)}`;
      await tx`select set_config('search_path', ${STAGING}, true)`;
      const done = await fill(tx, parts, onProgress);
      await move(tx, home?.name ?? "public");
      return done;
    });
    for (const name of tables) await sql`analyze ${sql(name)}`;
    return manifest;
  } finally {
    await sql.end({ timeout: 1 });
  }
}

/** Fills the schema that is first in the search path. */
async function fill(tx: Tx, parts: AsyncIterable<BackupPart>, onProgress: BackupProgress) {
  let later: Migration[] = [];
  let header: BackupHeader | undefined;
  const filled: string[] = [];
  let open: { table: string; copy: Copy; bytes: number } | undefined;
  for await (const part of parts) {
    if (part.kind === "header") {
      ({ header } = part);
      const { applied, missing } = await migrationsOf(header);
      await createMigrationTable(tx);
      for (const migration of applied) await applyMigration(tx, migration);
      later = missing;
    } else if (part.kind === "rows") {
      if (open?.table !== part.table) {
        await open?.copy.end();
        filled.push(part.table);
        open = { table: part.table, copy: await copyInto(tx, header, part.table), bytes: 0 };
      }
      await open.copy.write(part.bytes);
      open.bytes += part.bytes.length;
      onProgress(part.table, open.bytes);
    } else {
      await open?.copy.end();
      for (const name of filled) await tx`alter table ${tx(name)} enable trigger user`;
      for (const { name, value, called } of part.manifest.sequences) {
        await tx`select setval(${name}::regclass, ${value}::int8, ${called})`;
      }
      for (const migration of later) await applyMigration(tx, migration);
      return { manifest: part.manifest, tables: part.manifest.tables.map(({ name }) => name) };
    }
  }
  throw new BackupError("the backup was cut short");
}

/**
 * Returns the migrations that a backup has, and those that it lacks, wherever their numbers stand among them. Throws
 * {@link BackupError} when it has one that this version lacks, or has in other words.
 */
export async function migrationsOf(header: BackupHeader): Promise<{ applied: Migration[]; missing: Migration[] }> {
  const all = await migrations();
  const checksums = new Map(all.map(({ name, checksum }) => [name, checksum]));
  for (const { name, checksum } of header.migrations) {
    if (checksums.get(name) === checksum) continue;
    throw new BackupError(
      `the backup is of another version (${header.version}, ${name}): restore it with that one, or a later`,
    );
  }
  const names = new Set(header.migrations.map(({ name }) => name));
  return { applied: all.filter(({ name }) => names.has(name)), missing: all.filter(({ name }) => !names.has(name)) };
}

type Copy = { write(bytes: Uint8Array): Promise<void>; end(): Promise<void> };

async function copyInto(tx: Tx, header: BackupHeader | undefined, table: string): Promise<Copy> {
  const columns = header?.tables.find(({ name }) => name === table)?.columns ?? [];
  // What triggers add to rows is in the backup itself.
  await tx`alter table ${tx(table)} disable trigger user`;
  const stream: Writable = await tx`copy ${tx(table)} (${tx(columns)}) from stdin`.writable();
  const failed = new Promise<never>((_, reject) => stream.once("error", reject));
  failed.catch(() => {});
  const calling = (call: (done: (error?: Error | null) => void) => void) =>
    Promise.race([
      failed,
      new Promise<void>((resolve, reject) => call((error) => (error ? reject(error) : resolve()))),
    ]);
  return {
    write: (bytes) => calling((done) => stream.write(bytes, done)),
    end: () => calling((done) => stream.end(done)),
  };
}

/** Puts everything of the staging schema in the place of what has its name in `home`. */
async function move(tx: Tx, home: string): Promise<void> {
  const relations = await tx<{ name: string; kind: string }[]>`
    select c.relname as name, case c.relkind when 'S' then 'sequence' else 'table' end as kind from pg_class c
    where c.relnamespace = ${STAGING}::regnamespace and c.relkind in ('r', 'S')
      and not exists (select from pg_depend d where d.objid = c.oid and d.deptype in ('a', 'i') and d.refobjsubid > 0)
    order by kind desc`;
  const functions = await tx<{ signature: string }[]>`
    select p.oid::regprocedure::text as signature from pg_proc p where p.pronamespace = ${STAGING}::regnamespace`;
  for (const { name, kind } of relations) {
    await tx`drop ${tx.unsafe(kind)} if exists ${tx(home)}.${tx(name)} cascade`;
  }
  for (const { signature } of functions) {
    await tx`drop function if exists ${tx(home)}.${tx.unsafe(signature)} cascade`;
    await tx`alter function ${tx.unsafe(signature)} set schema ${tx(home)}`;
  }
  for (const { name, kind } of relations) await tx`alter ${tx.unsafe(kind)} ${tx(name)} set schema ${tx(home)}`;
  await tx`drop schema ${tx(STAGING)}`;
}

async function refuseInUse(sql: Sql): Promise<void> {
  const users = await sql<{ name: string }[]>`
    select distinct application_name as name from pg_stat_activity
    where datname = current_database() and pid <> pg_backend_pid() and application_name like 'isnad%' order by 1`;
  if (users.length === 0) return;
  throw new BackupError(
    `the database is in use (${users.map(({ name }) => name).join(", ")}): stop the services first`,
  );
}

async function refuseRows(sql: Sql): Promise<void> {
  const tables = await sql<{ name: string }[]>`
    select relname as name from pg_class
    where relnamespace = current_schema()::regnamespace and relkind = 'r' and relname <> all(${LEFT_OUT}) order by 1`;
  const filled: string[] = [];
  for (const { name } of tables) {
    if ((await sql`select from ${sql(name)} limit 1`).length > 0) filled.push(name);
  }
  if (filled.length === 0) return;
  throw new BackupError(
    `the database holds rows already (${filled.join(", ")}): name an empty one in DATABASE_URL, or give --replace`,
  );
}

/** Compressing harder takes several times as long for a tenth less. */
const LEVEL = 3;

/**
 * Writes a backup of the database at `url` to `path`, compressed, readable by its owner alone. The file appears when it
 * is whole and on disk. Throws {@link BackupError} when there is one of that name; rejects with the signal's reason.
 */
export async function writeBackupFile(
  url: string,
  path: string,
  { signal, onProgress }: { signal: AbortSignal; onProgress?: BackupProgress },
): Promise<void> {
  // Process ids do not tell containers apart that share a folder.
  const temporary = `${path}.${randomUUID()}.tmp`;
  try {
    const out = createWriteStream(temporary, { flags: "wx", mode: 0o600 });
    await pipeline(backupBytes(url, onProgress), createGzip({ level: LEVEL }), out, { signal });
    const file = await open(temporary, "r+");
    await file.sync();
    await file.close();
    await link(temporary, path).catch((cause: NodeJS.ErrnoException) => {
      throw cause.code === "EEXIST" ? new BackupError(`${path} is there already`, { cause }) : cause;
    });
  } finally {
    await rm(temporary, { force: true });
  }
}

/**
 * Reads a whole backup and checks it: what it is of, and what it holds. Throws {@link BackupError} when it was cut
 * short, altered, or made by a later version.
 */
export async function checkBackupFile(path: string): Promise<{ header: BackupHeader; manifest: BackupManifest }> {
  let header: BackupHeader | undefined;
  for await (const part of parts(path)) {
    if (part.kind === "header") {
      ({ header } = part);
      await migrationsOf(header);
    }
    if (part.kind === "manifest" && header !== undefined) return { header, manifest: part.manifest };
  }
  throw new BackupError("the backup was cut short");
}

/** Checks a backup, and then restores it as {@link restoreBackup} does. */
export async function restoreBackupFile(
  url: string,
  path: string,
  options: { replace?: boolean; onProgress?: BackupProgress },
): Promise<BackupManifest> {
  await checkBackupFile(path);
  return await restoreBackup(url, parts(path), options);
}

function parts(path: string) {
  const unpacked = createGunzip();
  // A failure of either is what reading the second throws.
  pipe(createReadStream(path), unpacked, () => {});
  return readBackup(unpacked);
}
