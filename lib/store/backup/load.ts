import { createHash, randomUUID } from "node:crypto";
import { createReadStream, createWriteStream } from "node:fs";
import { link, open, rm } from "node:fs/promises";
import { pipeline as pipe, type Writable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { createGunzip, createGzip } from "node:zlib";
import { connect, type Sql, type Tx } from "../client.ts";
import { applyMigration, createMigrationTable, type Migration, MIGRATION_LOCK, migrations } from "../migrate.ts";
import {
  BackupError,
  type BackupHeader,
  type BackupManifest,
  type BackupPart,
  END_OF_ROWS,
  FORMAT,
  FORMAT_VERSION,
  readBackup,
} from "./read.ts";
import { VERSION } from "../../service/config/mod.ts";

/** Tables that are of a running stack alone: its processes' metrics, the requests under way, and those of a minute. */
const LEFT_OUT = ["schema_migrations", "worker_metrics", "host_leases", "rate_limits", "write_probe", "followers"];

/** A table with the columns that are stored (generated ones are not). */
type TableColumns = { name: string; columns: string[] };

/**
 * Tells how texts of values are written, whatever the server's settings, so that every version of PostgreSQL reads
 * them.
 */
async function settleTexts(sql: Sql | Tx): Promise<void> {
  await sql`select set_config(name, value, true) from (values
    ('datestyle', 'ISO, YMD'), ('intervalstyle', 'postgres'), ('timezone', 'UTC'), ('bytea_output', 'hex'),
    ('extra_float_digits', '1'), ('statement_timeout', '0'), ('idle_in_transaction_session_timeout', '0')) as s (name, value)`;
}

/** The tables of the platform in an order in which each comes after those that it refers to. */
async function tablesInOrder(sql: Sql | Tx): Promise<TableColumns[]> {
  const tables = await sql<TableColumns[]>`
    select c.relname as name, array_agg(a.attname::text order by a.attnum) as columns
    from pg_class c join pg_attribute a on a.attrelid = c.oid
    where c.relnamespace = current_schema()::regnamespace and c.relkind = 'r'
      and a.attnum > 0 and not a.attisdropped and a.attgenerated = '' and c.relname <> all(${LEFT_OUT})
    group by c.relname order by c.relname`;
  const references = await sql<{ name: string; parent: string }[]>`
    select child.relname as name, parent.relname as parent
    from pg_constraint k join pg_class child on child.oid = k.conrelid join pg_class parent on parent.oid = k.confrelid
    where k.contype = 'f' and k.connamespace = current_schema()::regnamespace and k.conrelid <> k.confrelid`;
  return inOrder(tables, references);
}

/** Orders tables so that each comes after its parents. Throws when they refer to each other in a circle. */
function inOrder(
  tables: readonly TableColumns[],
  references: readonly { name: string; parent: string }[],
): TableColumns[] {
  const left = new Map(tables.map((table) => [table.name, table]));
  const ordered: TableColumns[] = [];
  while (left.size > 0) {
    const free = [...left.values()].filter(
      ({ name }) => !references.some((reference) => reference.name === name && left.has(reference.parent)),
    );
    if (free.length === 0) throw new Error(`tables refer to each other in a circle: ${[...left.keys()].join(", ")}`);
    for (const table of free) {
      ordered.push(table);
      left.delete(table.name);
    }
  }
  return ordered;
}

/**
 * Tells where each sequence of the schema stands. Reading it after the rows gives numbers that none of them has passed.
 */
async function sequences(sql: Sql | Tx): Promise<{ name: string; value: number; called: boolean }[]> {
  const names = await sql<{ name: string }[]>`
    select c.relname as name from pg_class c
    where c.relnamespace = current_schema()::regnamespace and c.relkind = 'S' order by c.relname`;
  const states: { name: string; value: number; called: boolean }[] = [];
  for (const { name } of names) {
    const [state] = await sql<{ value: number; called: boolean }[]>`
      select last_value as value, is_called as called from ${sql(name)}`;
    if (state !== undefined) states.push({ name, ...state });
  }
  return states;
}

/** Bytes handed on at a time. */
const PIECE = 1 << 16;

/** Returns what a backup went over so far. */
type BackupProgress = (table: string, rows: number) => void;

/**
 * The database at `url` as the bytes of a backup, unpacked: a header, the rows of every table in PostgreSQL's COPY text
 * format, a manifest and a seal. All of it is one snapshot, whatever is written meanwhile; rows are streamed, and one
 * connection is used.
 */
async function* backupBytes(url: string, onProgress: BackupProgress = () => {}): AsyncGenerator<Uint8Array> {
  const sql = connect(url, { max: 1, name: "isnad-backup" });
  const seal = createHash("sha256");
  try {
    // The transaction ends with its connection: when it is cut short there is a COPY under way, and nothing to undo.
    const connection = await sql.reserve();
    await connection`begin transaction isolation level repeatable read read only`;
    for await (const piece of pieces(snapshot(connection, onProgress))) {
      seal.update(piece);
      yield piece;
    }
    yield line({ sha256: seal.digest("hex") });
  } finally {
    await sql.end({ timeout: 0 });
  }
}

async function* snapshot(sql: Sql, onProgress: BackupProgress): AsyncGenerator<Uint8Array> {
  await settleTexts(sql);
  const migrations = await sql<{ name: string; checksum: string }[]>`
    select name, checksum from schema_migrations order by name`;
  const tables = await tablesInOrder(sql);
  const [server] = await sql<{ version: string }[]>`select current_setting('server_version') as version`;
  const header: BackupHeader = {
    format: FORMAT,
    formatVersion: FORMAT_VERSION,
    createdAt: new Date().toISOString(),
    version: VERSION,
    postgres: server?.version ?? "",
    migrations: [...migrations],
    tables,
  };
  yield line(header);
  const manifest: BackupManifest = { tables: [], sequences: [] };
  for (const { name, columns } of tables) {
    const hash = createHash("sha256");
    let rows = 0;
    let bytes = 0;
    const stream = await sql`copy ${sql(name)} (${sql(columns)}) to stdout`.readable();
    for await (const row of stream) {
      hash.update(row);
      rows += 1;
      bytes += row.length;
      onProgress(name, rows);
      yield row;
    }
    yield new TextEncoder().encode(END_OF_ROWS);
    manifest.tables.push({ name, rows, bytes, sha256: hash.digest("hex") });
  }
  manifest.sequences = await sequences(sql);
  yield line(manifest);
}

function line(value: object): Uint8Array {
  return new TextEncoder().encode(`${JSON.stringify(value)}\n`);
}

/** The same bytes in pieces that are worth handing on. */
async function* pieces(source: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  let held: Uint8Array[] = [];
  let size = 0;
  for await (const part of source) {
    held.push(part);
    size += part.length;
    if (size < PIECE) continue;
    yield Buffer.concat(held);
    held = [];
    size = 0;
  }
  if (size > 0) yield Buffer.concat(held);
}

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
