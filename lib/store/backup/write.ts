import { createHash } from "node:crypto";
import { VERSION } from "../../service/config/mod.ts";
import { connect, type Sql } from "../client.ts";
import { sequences, settleTexts, tablesInOrder } from "./catalogue.ts";
import { type BackupHeader, type BackupManifest, END_OF_ROWS, FORMAT, FORMAT_VERSION } from "./format.ts";

/** Bytes handed on at a time. */
const PIECE = 1 << 16;

/** What a backup went over so far. */
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
