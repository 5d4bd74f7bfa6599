import { randomBytes } from "node:crypto";
import { mkdir, open, readdir, readFile, rm } from "node:fs/promises";
import { join } from "node:path";
import { z } from "zod";
import { ARTICLE_FILTER_FIELDS } from "../../contract/filter-table.ts";
import { hashFile, renameDurably, tryExclusive, writeDurably } from "../../service/process/files.ts";
import { errorMessage } from "../../std/mod.ts";
import type { LogPosition } from "../../store/mod.ts";
import { ANALYSER_VERSION } from "../../text/mod.ts";
import { Forward } from "./forward.ts";
import type { Segment } from "./postings.ts";
import { Projection } from "./projection.ts";
import { Words } from "./words.ts";

/** An index in memory: its words, its documents, and up to where they go in the log. */
export type MemoryIndex = {
  words: Words;
  projection: Projection;
  position: LogPosition;
  /** Whether it has held everything that the log had. */
  complete: boolean;
};

/** Changes whenever a snapshot written before could not be read, or would be searched wrongly. */
const VERSION = `2/${ANALYSER_VERSION}/${[...ARTICLE_FILTER_FIELDS.keys()].join()}`;

const KINDS = {
  u8: Uint8Array,
  u16: Uint16Array,
  u32: Uint32Array,
  f64: Float64Array,
} as const;
type Kind = keyof typeof KINDS;
type Column = Uint8Array | Uint16Array | Uint32Array | Float64Array;

/** A column of the tables file: where it starts is where the one before it ends. */
const Section = z.object({ name: z.string(), kind: z.enum(["u8", "u16", "u32", "f64"]), bytes: z.int().min(0) });

/** What a snapshot holds. It is written last, so that a snapshot without it does not exist. */
const Manifest = z.object({
  version: z.literal(VERSION),
  position: z.object({ seq: z.int(), mark: z.string() }),
  // A bare name: a manifest must not lead out of its folder.
  file: z.object({ name: z.string().regex(/^[a-z0-9-]+\.bin$/), bytes: z.int(), sha256: z.string() }),
  sections: z.array(Section),
  tiers: z.array(z.tuple([z.string(), z.number()])),
  count: z.int(),
  length: z.int(),
  changes: z.int(),
  segments: z.array(
    z.object({
      ...{ latin: z.int(), size: z.int(), inArabic: z.int() },
      ...{ words: z.array(z.array(z.string())), authors: z.array(z.string()) },
    }),
  ),
});
type Manifest = z.output<typeof Manifest>;

/**
 * Writes an index to `dir`; it may change meanwhile. One process writes at a time: returns false when another one does.
 * A crash at any moment leaves the snapshot before or this one.
 */
export async function saveSnapshot(dir: string, index: MemoryIndex): Promise<boolean> {
  await mkdir(dir, { recursive: true });
  const lock = tryExclusive(join(dir, "lock"));
  if (lock === undefined) return false;
  try {
    const { projection, position } = index;
    // All of it is taken at one moment; what can change later is copied.
    const segments = [...projection.segments];
    const columns = [...wordColumns(index), ...segments.flatMap(segmentColumns)];
    const head = {
      ...{ version: VERSION, position, tiers: [...projection.tiers] },
      ...{ count: projection.count, length: projection.length, changes: projection.changes },
      segments: segments.map(({ latin, size, inArabic, forward }) => {
        const words = forward.columns.map((column) => [...column.data(forward.count).words]);
        return { latin, size, inArabic, words, authors: [...forward.authors.texts()] };
      }),
    };
    const name = `keyword-${position.seq}-${randomBytes(4).toString("hex")}.bin`;
    const parts = columns.map(([, column]) => new Uint8Array(column.buffer, column.byteOffset, column.byteLength));
    const written = await place(dir, name, parts);
    const sections = columns.map(([name, column]) => ({ name, kind: kindOf(column), bytes: column.byteLength }));
    const manifest: Manifest = { ...head, file: { name, ...written }, sections };
    await place(dir, "manifest.json", [new TextEncoder().encode(JSON.stringify(manifest))]);
    await removeAllBut(dir, name);
    return true;
  } finally {
    lock.release();
  }
}

/**
 * Reads the snapshot in `dir` after checking that it is whole and of this version. One that is not is removed, and
 * the reason returned.
 */
export async function loadSnapshot(dir: string): Promise<{ index?: MemoryIndex; dropped?: string }> {
  for (let attempt = 1; ; attempt++) {
    try {
      const text = await readText(join(dir, "manifest.json"));
      if (text === undefined) return {};
      const manifest = Manifest.parse(JSON.parse(text));
      return { index: await readIndex(dir, manifest) };
    } catch (error) {
      // Another process has put a newer one in its place.
      if (attempt < 3 && isMissing(error)) continue;
      await dropSnapshot(dir);
      const reason = error instanceof z.ZodError ? "it is of another version" : errorMessage(error);
      return { dropped: reason };
    }
  }
}

async function dropSnapshot(dir: string): Promise<void> {
  const lock = tryExclusive(join(dir, "lock"));
  if (lock === undefined) return;
  try {
    await rm(join(dir, "manifest.json"), { force: true });
    await removeAllBut(dir);
  } finally {
    lock.release();
  }
}

async function readIndex(dir: string, manifest: Manifest): Promise<MemoryIndex> {
  const path = join(dir, manifest.file.name);
  const { sha256, bytes } = await hashFile(path);
  if (bytes !== manifest.file.bytes || sha256 !== manifest.file.sha256) {
    throw new RangeError(`${manifest.file.name} is not what was written`);
  }
  const columns = await readColumns(path, manifest.sections);
  const u8 = (name: string) => take(columns, name, Uint8Array);
  const u32 = (name: string) => take(columns, name, Uint32Array);
  const texts = (name: string) => ({ bytes: u8(`${name}.bytes`), ends: u32(`${name}.ends`) });
  const words = new Words();
  words.restore({
    ...{ forms: texts("forms"), terms: texts("terms"), sounds: texts("sounds") },
    trie: {
      units: take(columns, "trie.units", Uint16Array),
      children: u32("trie.children"),
      siblings: u32("trie.siblings"),
      forms: u32("trie.forms"),
    },
    ...{ soundOf: u32("soundOf"), stems: u32("stems"), roots: u32("roots"), several: u32("several") },
  });
  const projection = new Projection(words.vocabulary);
  projection.segments = manifest.segments.map((segment, i) => restoreSegment(columns, segment, i));
  projection.documents = u32("documents");
  projection.uses = u32("uses");
  projection.count = manifest.count;
  projection.length = manifest.length;
  projection.changes = manifest.changes;
  projection.tiers = new Map(manifest.tiers);
  return { words, projection, position: manifest.position, complete: true };
}

function wordColumns({ words, projection }: MemoryIndex): [string, Column][] {
  const { forms, terms, sounds, trie, ...rest } = words.columns();
  const texts = Object.entries({ forms, terms, sounds }).flatMap(([name, { bytes, ends }]): [string, Column][] => [
    [`${name}.bytes`, bytes],
    [`${name}.ends`, ends],
  ]);
  const nodes = Object.entries(trie).map(([name, column]): [string, Column] => [`trie.${name}`, column]);
  return [
    ...texts,
    ...Object.entries(rest),
    ...nodes,
    ["documents", projection.documents.slice()],
    ["uses", projection.uses.slice()],
  ];
}

function segmentColumns(segment: Segment, i: number): [string, Column][] {
  const { forward, terms, offsets, docs, freqs, lengths, titles, byId, live } = segment;
  const { ids, seqs, times, words, starts, columns, count } = forward;
  const own = {
    ids,
    seqs,
    times,
    words,
    starts,
    authors: forward.authors.data().values,
    terms,
    offsets,
    docs,
    freqs,
    lengths,
    titles,
    byId,
    live: live.slice(),
  };
  return [
    ...Object.entries(own).map(([name, column]): [string, Column] => [`${i}.${name}`, column]),
    ...columns.map((column, at): [string, Column] => [`${i}.field.${at}`, column.data(count).values]),
  ];
}

function restoreSegment(
  columns: ReadonlyMap<string, Column>,
  { words: texts, authors, ...counts }: Manifest["segments"][number],
  i: number,
): Segment {
  const u16 = (name: string) => take(columns, `${i}.${name}`, Uint16Array);
  const u32 = (name: string) => take(columns, `${i}.${name}`, Uint32Array);
  const forward = Forward.restore({
    ...{ ids: take(columns, `${i}.ids`, Float64Array), seqs: take(columns, `${i}.seqs`, Float64Array) },
    ...{ times: take(columns, `${i}.times`, Float64Array), words: u16("words"), starts: u32("starts") },
    authors: { values: u32("authors"), words: authors },
    fields: texts.map((words, at) => {
      const values = columns.get(`${i}.field.${at}`);
      if (values instanceof Uint32Array || values instanceof Float64Array) return { values, words };
      throw new RangeError(`the snapshot has no field ${at}`);
    }),
  });
  return {
    ...{ forward, ...counts, terms: u32("terms"), offsets: u32("offsets"), docs: u16("docs") },
    ...{ freqs: take(columns, `${i}.freqs`, Uint8Array), lengths: u32("lengths"), titles: u32("titles") },
    ...{ byId: u16("byId"), live: take(columns, `${i}.live`, Uint8Array) },
  };
}

function take<T extends Column>(
  columns: ReadonlyMap<string, Column>,
  name: string,
  kind: new (length: number) => T,
): T {
  const column = columns.get(name);
  if (column instanceof kind) return column;
  throw new RangeError(`the snapshot has no column ${name}`);
}

function kindOf(column: Column): Kind {
  if (column instanceof Uint8Array) return "u8";
  if (column instanceof Uint16Array) return "u16";
  return column instanceof Uint32Array ? "u32" : "f64";
}

async function readColumns(path: string, sections: Manifest["sections"]): Promise<Map<string, Column>> {
  const file = await open(path, "r");
  try {
    const read = new Map<string, Column>();
    for (const { name, kind, bytes } of sections) {
      const column = new KINDS[kind](bytes / KINDS[kind].BYTES_PER_ELEMENT);
      const into = new Uint8Array(column.buffer);
      for (let at = 0; at < bytes; ) {
        const { bytesRead } = await file.read(into, at, bytes - at, null);
        if (bytesRead === 0) throw new RangeError(`the snapshot ends within ${name}`);
        at += bytesRead;
      }
      read.set(name, column);
    }
    return read;
  } finally {
    await file.close();
  }
}

/** Writes a file under a temporary name and then gives it its own. */
async function place(dir: string, name: string, parts: Iterable<Uint8Array>) {
  const temporary = join(dir, `${name}.tmp`);
  const written = await writeDurably(temporary, parts);
  await renameDurably(temporary, join(dir, name));
  return written;
}

/** Removes all files of snapshots but one. */
async function removeAllBut(dir: string, kept?: string): Promise<void> {
  for (const name of await readdir(dir)) {
    if (/^keyword-.*\.bin(\.tmp)?$/.test(name) && name !== kept) await rm(join(dir, name), { force: true });
  }
}

async function readText(path: string): Promise<string | undefined> {
  try {
    return await readFile(path, "utf8");
  } catch (error) {
    if (isMissing(error)) return undefined;
    throw error;
  }
}

function isMissing(error: unknown): boolean {
  return error instanceof Error && "code" in error && error.code === "ENOENT";
}
