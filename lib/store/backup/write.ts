import { createHash } from "node:crypto";
import { VERSION } from "../../service/config/mod.ts";
import { connect, type Sql, type Tx } from "../client.ts";
import { type BackupHeader, type BackupManifest, END_OF_ROWS, FORMAT, FORMAT_VERSION } from "./read.ts";

/** Tables that are of a running stack alone: its processes' metrics, the requests under way, and those of a minute. */
export const LEFT_OUT = [
  "schema_migrations",
  "worker_metrics",
  "host_leases",
  "rate_limits",
  "write_probe",
  "followers",
];

/** A table with the columns that are stored (generated ones are not). */
type TableColumns = { name: string; columns: string[] };

/**
 * Tells how texts of values are written, whatever the server's settings, so that every version of PostgreSQL reads
 * them.
 */
export async function settleTexts(sql: Sql | Tx): Promise<void> {
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
export type BackupProgress = (table: string, rows: number) => void;

/**
 * The database at `url` as the bytes of a backup, unpacked: a header, the rows of every table in PostgreSQL's COPY text
 * format, a manifest and a seal. All of it is one snapshot, whatever is written meanwhile; rows are streamed, and one
 * connection is used.
 */
export async function* backupBytes(url: string, onProgress: BackupProgress = () => {}): AsyncGenerator<Uint8Array> {
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
