import { createReadStream } from "node:fs";
import { open, stat } from "node:fs/promises";
import { pipeline } from "node:stream";
import { createGunzip } from "node:zlib";
import { type BatchLimits, byteLength, fitItem, type Entry as IngestEntry, roomOf } from "@isnad/lib/ingest/client";
import { CommandError } from "@isnad/lib/service/cli";
import { isObject, parseJson } from "@isnad/lib/std";
import { DelimitedReader, separatorOf, TableError } from "../../table.ts";
import { type Derived, type Mapping, mapRow, type Row } from "./map-row.ts";

/** A line of a file: its number from 1, and how many bytes of the file (as stored) had been read by then. */
type Line = { number: number; text: string; bytesRead: number };

/** The longest line that is read, in UTF-16 code units; a longer one ends the import rather than the memory. */
const MAX_LINE = 16 * 1024 * 1024;

/** Streams the lines of a file, plain or gzip (told by its first bytes). Throws CommandError naming the file. */
export async function* readLines(path: string, { maxLine = MAX_LINE } = {}): AsyncGenerator<Line> {
  let rest = "";
  let number = 0;
  let bytesRead = 0;
  for await (const piece of readPieces(path, () => `line ${number}`)) {
    ({ bytesRead } = piece);
    const parts = (rest + piece.text).split("\n");
    rest = parts.pop() ?? "";
    for (const text of parts) yield { number: ++number, text, bytesRead };
    if (rest.length > maxLine)
      throw new CommandError(`${path}: line ${number + 1} is longer than ${maxLine} characters`);
  }
  if (rest !== "") yield { number: ++number, text: rest, bytesRead };
}

/**
 * Streams the text of a file, plain or gzip. Throws CommandError naming the file and, by `place`, how far it was read.
 */
async function* readPieces(path: string, place: () => string): AsyncGenerator<{ text: string; bytesRead: number }> {
  const gzip = await isGzip(path);
  const file = createReadStream(path, { highWaterMark: 256 * 1024 });
  const bytes = gzip ? pipeline(file, createGunzip(), () => {}) : file;
  const decoder = new TextDecoder("utf-8");
  try {
    for await (const chunk of bytes) {
      yield { text: decoder.decode(asBytes(chunk), { stream: true }), bytesRead: file.bytesRead };
    }
  } catch (cause) {
    throw new CommandError(`${path}: cannot be read after ${place()}: ${reason(cause)}`, { cause });
  } finally {
    file.destroy();
  }
  yield { text: decoder.decode(), bytesRead: file.bytesRead };
}

/** Returns the size of a file in bytes and when it was last changed. Throws CommandError when it cannot be read. */
export async function fileFacts(path: string): Promise<{ size: number; mtimeMs: number }> {
  try {
    const facts = await stat(path);
    if (!facts.isFile()) throw new CommandError(`${path}: is no file`);
    return { size: facts.size, mtimeMs: facts.mtimeMs };
  } catch (cause) {
    if (cause instanceof CommandError) throw cause;
    throw new CommandError(`${path}: ${reason(cause)}`, { cause });
  }
}

async function isGzip(path: string): Promise<boolean> {
  const handle = await open(path, "r").catch((cause: unknown) => {
    throw new CommandError(`${path}: ${reason(cause)}`, { cause });
  });
  try {
    const { bytesRead, buffer } = await handle.read(new Uint8Array(2), 0, 2, 0);
    return bytesRead === 2 && buffer[0] === 0x1f && buffer[1] === 0x8b;
  } finally {
    await handle.close();
  }
}

function asBytes(chunk: unknown): Uint8Array {
  if (chunk instanceof Uint8Array) return chunk;
  throw new TypeError("a file stream gave something other than bytes");
}

function reason(cause: unknown): string {
  if (!(cause instanceof Error)) return String(cause);
  return "code" in cause && cause.code === "ENOENT" ? "no such file" : cause.message;
}

/**
 * A line of JSON or a row of a table: its number from 1 (the head of a table is row 1), how many bytes of the file had
 * been read by then, and what it holds or why that is unusable; neither for a blank one.
 */
type Reading = {
  number: number;
  bytesRead: number;
  row?: Row;
  error?: { type: string; detail: string };
};

const TABLE = /\.(?:csv|tsv)(?:\.gz)?$/i;

/** Streams the rows of a file: comma- or tab-separated by its name, else JSON lines. Throws CommandError. */
export function readRows(path: string): AsyncGenerator<Reading> {
  return TABLE.test(path) ? tableRows(path) : jsonRows(path);
}

async function* jsonRows(path: string): AsyncGenerator<Reading> {
  for await (const { number, text, bytesRead } of readLines(path)) {
    const place = { number, bytesRead };
    const row = text.trim() === "" ? {} : parseJson(text);
    if (text.trim() === "") yield place;
    else if (row === undefined) yield { ...place, error: problem("/errors/malformed-json", "the line is no JSON") };
    else if (isObject(row)) yield { ...place, row };
    else yield { ...place, error: problem("/errors/invalid-field", "the line is no JSON object") };
  }
}

async function* tableRows(path: string): AsyncGenerator<Reading> {
  let reader: DelimitedReader | undefined;
  let head: readonly string[] | undefined;
  let number = 0;
  let bytesRead = 0;
  const take = function* (piece: string, isLast: boolean): Generator<Reading> {
    reader ??= new DelimitedReader(separatorOf(piece));
    for (const row of reader.read(piece, { isLast })) {
      ({ number } = row);
      if (head !== undefined) yield { number, bytesRead, ...named(head, row.cells) };
      else head = columnsOf(row.cells);
    }
  };
  try {
    for await (const piece of readPieces(path, () => `row ${number}`)) {
      ({ bytesRead } = piece);
      if (piece.text !== "") yield* take(piece.text, false);
    }
    yield* take("", true);
  } catch (cause) {
    throw cause instanceof TableError ? new CommandError(`${path}: ${cause.message}`, { cause }) : cause;
  }
}

function columnsOf(cells: readonly string[]): readonly string[] {
  const names = cells.map((cell) => cell.trim());
  const twice = names.find((name, i) => name !== "" && names.indexOf(name) !== i);
  if (twice !== undefined) throw new TableError(`row 1: two columns are called ${twice}`);
  return names;
}

function named(head: readonly string[], cells: readonly string[]): Pick<Reading, "row" | "error"> {
  if (cells.length > head.length && cells.slice(head.length).some((cell) => cell.trim() !== "")) {
    return { error: problem("/errors/invalid-field", `the row has ${cells.length} cells, the head ${head.length}`) };
  }
  return { row: Object.fromEntries(head.map((name, i) => [name, cells[i] ?? ""])) };
}

function problem(type: string, detail: string): { type: string; detail: string } {
  return { type, detail };
}

/** An item ready to be sent, and the line that it came from. */
export type Entry = IngestEntry & { line: number };

/** A line that no item could be made of. */
type Rejected = { line: number; externalId: string; error: { type: string; detail: string } };

/**
 * Consecutive lines of a file: `firstLine` to `lastLine`, all of them either in `entries` or in `rejected`, or blank.
 */
export type Batch = {
  sequence: number;
  firstLine: number;
  lastLine: number;
  bytesRead: number;
  entries: Entry[];
  rejected: Rejected[];
  derived: Partial<Record<Derived | "cut", number>>;
};

/** Reads a file from `fromLine` on (1 is the first) and groups its items. Holds one batch at a time. */
export async function* readBatches(
  path: string,
  options: { mapping: Mapping; limits: BatchLimits; derive: boolean; fromLine?: number },
): AsyncGenerator<Batch> {
  const { mapping, limits, derive, fromLine = 1 } = options;
  const room = roomOf(limits);
  let sequence = 0;
  let bytes = 0;
  let batch = emptyBatch(sequence, fromLine);
  for await (const line of readRows(path)) {
    if (line.number < fromLine) continue;
    const made = makeEntry(line, { mapping, derive, room });
    const size = made?.entry === undefined ? 0 : byteLength(made.entry.json) + 1;
    if (batch.entries.length > 0 && (batch.entries.length >= limits.maxItems || bytes + size > room)) {
      yield batch;
      batch = emptyBatch(++sequence, line.number);
      bytes = 0;
    }
    batch.lastLine = line.number;
    batch.bytesRead = line.bytesRead;
    bytes += size;
    if (made?.entry !== undefined) batch.entries.push(made.entry);
    if (made?.rejected !== undefined) batch.rejected.push(made.rejected);
    for (const name of made?.derived ?? []) batch.derived[name] = (batch.derived[name] ?? 0) + 1;
  }
  if (batch.lastLine >= batch.firstLine) yield batch;
}

function emptyBatch(sequence: number, firstLine: number): Batch {
  return { sequence, firstLine, lastLine: firstLine - 1, bytesRead: 0, entries: [], rejected: [], derived: {} };
}

type Made = { entry?: Entry; rejected?: Rejected; derived?: (Derived | "cut")[] };

function makeEntry(
  reading: Reading,
  { mapping, derive, room }: { mapping: Mapping; derive: boolean; room: number },
): Made | undefined {
  const { number: line, row, error } = reading;
  if (error !== undefined) return { rejected: { line, externalId: "", error } };
  if (row === undefined) return undefined;
  const { item, derived } = mapRow(row, mapping, { derive });
  const externalId = item.external_id ?? "";
  const fitted = fitItem(item, room);
  if (fitted !== undefined) {
    return { entry: { line, externalId, json: fitted.json }, derived: fitted.cut ? [...derived, "cut"] : derived };
  }
  return {
    rejected: {
      line,
      externalId,
      error: { type: "/errors/payload-too-large", detail: `the item alone exceeds ${room} bytes` },
    },
  };
}
