import { createHash } from "node:crypto";
import { z, type ZodType } from "zod";
import { errorMessage, parseJson } from "../../std/mod.ts";

/** Holds what the first line of a backup says its format is. */
export const FORMAT = "isnad-backup";

/** Raised whenever the layout of the file changes. */
export const FORMAT_VERSION = 1;

const Name = z.string().regex(/^[a-z_][a-z0-9_]*$/);
const Digest = z.string().regex(/^[0-9a-f]{64}$/);

/**
 * The first line: what the backup is of. `migrations` are those that had been applied, in order; `tables` are in an
 * order in which each comes after those that it refers to.
 */
export const BackupHeader = z.object({
  format: z.literal(FORMAT),
  formatVersion: z.literal(FORMAT_VERSION),
  createdAt: z.string(),
  version: z.string(),
  postgres: z.string(),
  migrations: z.array(z.object({ name: z.string(), checksum: z.string() })).min(1),
  tables: z.array(z.object({ name: Name, columns: z.array(Name).min(1) })).min(1),
});
export type BackupHeader = z.infer<typeof BackupHeader>;

/** The line after the rows: what each table held, and where the sequences stood. */
export const BackupManifest = z.object({
  tables: z.array(z.object({ name: Name, rows: z.number().int(), bytes: z.number().int(), sha256: Digest })),
  sequences: z.array(z.object({ name: Name, value: z.number().int(), called: z.boolean() })),
});
export type BackupManifest = z.infer<typeof BackupManifest>;

/** The last line: the SHA-256 of every byte before it, unpacked. */
const BackupSeal = z.object({ sha256: Digest });

/** The line that ends the rows of a table, as PostgreSQL's COPY text format has it. */
export const END_OF_ROWS = "\\.\n";

/** A backup that cannot be used: cut short, altered, or of something else. The message is one line. */
export class BackupError extends Error {
  override readonly name = "BackupError";
}

/** A piece of a backup, as it comes: its header, whole rows of a table (COPY text), and at its end its manifest. */
export type BackupPart =
  | { kind: "header"; header: BackupHeader }
  | { kind: "rows"; table: string; bytes: Uint8Array }
  | { kind: "manifest"; manifest: BackupManifest };

const NEWLINE = 0x0a;
/** Bytes of the lines before and behind the rows, which name tables and migrations. */
const MAX_HEAD = 4 * 1024 * 1024;
/** Bytes of a row; PostgreSQL's own limit for a value is 1 GB, an article's is a thousandth of that. */
const MAX_ROW = 256 * 1024 * 1024;
const NO_BACKUP = "the file is no backup of this platform, or of a later version of it";

/**
 * Takes the unpacked bytes of a backup apart, and checks every count and digest. Throws {@link BackupError} as soon as
 * something is not what was written; what was given out before is worth something only when the end is reached.
 */
export async function* readBackup(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<BackupPart> {
  const source = lines(bytes);
  try {
    yield* readParts(source);
  } finally {
    await source.close();
  }
}

async function* readParts(source: Lines): AsyncGenerator<BackupPart> {
  const header = await readLine(source, BackupHeader, NO_BACKUP);
  yield { kind: "header", header };
  const counted: BackupManifest["tables"] = [];
  for (const { name } of header.tables) {
    const hash = createHash("sha256");
    let size = 0;
    let rows = 0;
    for await (const piece of source.until(END_OF_ROWS)) {
      hash.update(piece);
      size += piece.length;
      rows += newlines(piece);
      yield { kind: "rows", table: name, bytes: piece };
    }
    counted.push({ name, rows, bytes: size, sha256: hash.digest("hex") });
  }
  const manifest = await readLine(source, BackupManifest, "the backup was altered: its manifest is none");
  for (const [i, table] of counted.entries()) {
    const said = manifest.tables[i];
    if (said?.name !== table.name || said.rows !== table.rows || said.sha256 !== table.sha256) {
      throw new BackupError(`the backup was altered: the rows of ${table.name} are not those that were written`);
    }
  }
  const digest = source.digest();
  const seal = await readLine(source, BackupSeal, "the backup was altered: its last line is none");
  if (seal.sha256 !== digest) throw new BackupError("the backup was altered: its digest is another");
  if ((await source.line("the backup was altered: something follows its end")) !== undefined)
    throw new BackupError("the backup was altered: something follows its end");
  yield { kind: "manifest", manifest };
}

async function readLine<T>(source: Lines, schema: ZodType<T>, otherwise: string): Promise<T> {
  const text = await source.line(otherwise);
  if (text === undefined) throw new BackupError("the backup was cut short");
  const parsed = schema.safeParse(parseJson(text));
  if (!parsed.success) throw new BackupError(otherwise);
  return parsed.data;
}

type Lines = {
  /** The next line, undefined at the end. Throws {@link BackupError} with this message for one that is too long. */
  line(tooLong: string): Promise<string | undefined>;
  /** Whole lines in pieces, up to a line that is `end`. Throws {@link BackupError} when none comes. */
  until(end: string): AsyncGenerator<Uint8Array>;
  /** The SHA-256 of all that was read so far. */
  digest(): string;
  /** Closes what is read from. */
  close(): Promise<void>;
};

function lines(bytes: AsyncIterable<Uint8Array>): Lines {
  const iterator = bytes[Symbol.asyncIterator]();
  const hash = createHash("sha256");
  let held: Buffer = Buffer.alloc(0);

  /** Gets more bytes; false at the end. */
  async function more(): Promise<boolean> {
    try {
      const { done, value } = await iterator.next();
      if (done) return false;
      held = held.length === 0 ? Buffer.from(value) : Buffer.concat([held, value]);
      return true;
    } catch (cause) {
      const ended = /unexpected end/i.test(errorMessage(cause));
      throw new BackupError(ended ? "the backup was cut short" : `the backup cannot be read: ${errorMessage(cause)}`, {
        cause,
      });
    }
  }

  function take(length: number): Buffer {
    const taken = held.subarray(0, length);
    held = held.subarray(length);
    hash.update(taken);
    return taken;
  }

  return {
    async line(tooLong) {
      for (;;) {
        const end = held.indexOf(NEWLINE);
        if (end > MAX_HEAD || (end < 0 && held.length > MAX_HEAD)) throw new BackupError(tooLong);
        if (end >= 0) return take(end + 1).toString("utf8", 0, end);
        if (!(await more())) break;
      }
      if (held.length > 0) throw new BackupError("the backup was cut short");
      return undefined;
    },
    async *until(end) {
      for (;;) {
        if (held.toString("latin1", 0, end.length) === end) {
          take(end.length);
          return;
        }
        const at = held.indexOf(`\n${end}`);
        const whole = (at >= 0 ? at : held.lastIndexOf(NEWLINE)) + 1;
        if (whole > 0) yield take(whole);
        if (held.length > MAX_ROW) throw new BackupError("the backup was altered: a row is longer than any can be");
        if (at < 0 && !(await more())) throw new BackupError("the backup was cut short");
      }
    },
    digest: () => hash.copy().digest("hex"),
    async close() {
      await iterator.return?.();
    },
  };
}

function newlines(bytes: Uint8Array): number {
  let count = 0;
  for (let at = bytes.indexOf(NEWLINE); at >= 0; at = bytes.indexOf(NEWLINE, at + 1)) count += 1;
  return count;
}
