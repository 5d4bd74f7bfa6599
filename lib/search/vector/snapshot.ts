import { randomBytes } from "node:crypto";
import { mkdir, open, readdir, readFile, rm } from "node:fs/promises";
import { join } from "node:path";
import { ARTICLE_FILTER_FIELDS, isNumeric } from "../../contract/filter-table.ts";
import { hashFile, renameDurably, sync, tryExclusive, writeDurably } from "../../service/process/files.ts";
import { errorMessage, isObject } from "../../std/mod.ts";
import { type ArticleColumns, ArticleTable } from "./articles.ts";
import { VectorEngine } from "./engine.ts";
import { Graph } from "./graph.ts";
import { type RowColumns, RowTable, SEGMENT_ROWS } from "./rows.ts";

/** Raised whenever a file's layout changes; a snapshot of another version is dropped. */
export const SNAPSHOT_VERSION = 3;

/** A file of a snapshot, with what it must look like. */
type SnapshotFile = { name: string; bytes: number; sha256: string };

/** A column inside the tables file: where it starts is where the one before it ends. */
type Section = { name: string; bytes: number };

/** Holds what a snapshot holds. It is written last, so that a snapshot without it does not exist. */
export type Manifest = {
  version: number;
  modelId: string;
  dims: number;
  /** The position in the log up to which the snapshot goes. */
  seq: number;
  mark: string;
  rows: number;
  linked: number;
  depth: number | null;
  recall: number | null;
  tables: SnapshotFile & { sections: Section[] };
  graph: SnapshotFile;
};

/** The folder's manifest, undefined when it has none. Throws when what is there is no manifest. */
export async function readManifest(dir: string): Promise<Manifest | undefined> {
  let text: string;
  try {
    text = await readFile(join(dir, "manifest.json"), "utf8");
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ENOENT") return undefined;
    throw error;
  }
  const parsed: unknown = JSON.parse(text);
  if (!isManifest(parsed)) throw new TypeError("manifest.json is no manifest");
  return parsed;
}

function isManifest(value: unknown): value is Manifest {
  if (!isObject(value) || value.version !== SNAPSHOT_VERSION || !isObject(value.tables)) return false;
  const { tables } = value;
  return (
    [value.modelId, value.mark].every((field) => typeof field === "string") &&
    [value.dims, value.seq, value.rows, value.linked].every(Number.isSafeInteger) &&
    [value.depth, value.recall].every((field) => field === null || typeof field === "number") &&
    isFile(tables) &&
    isFile(value.graph) &&
    Array.isArray(tables.sections) &&
    tables.sections.every((s) => isObject(s) && typeof s.name === "string" && Number.isSafeInteger(s.bytes))
  );
}

function isFile(value: unknown): boolean {
  // A bare name: a manifest must not lead out of its folder.
  return (
    isObject(value) &&
    typeof value.name === "string" &&
    /^[a-z0-9-]+\.[a-z]+$/.test(value.name) &&
    Number.isSafeInteger(value.bytes) &&
    typeof value.sha256 === "string"
  );
}

type Column = Uint8Array | Uint16Array | Uint32Array | Int32Array | Float64Array;

/** The tables' columns as named byte ranges, in the order of the file. Words are JSON. */
function toSections(articles: ArticleColumns, rows: RowColumns): { name: string; bytes: Uint8Array }[] {
  const fields = [...articles.fields];
  const words = Object.fromEntries(fields.map(([field, column]) => [field, column.words]));
  const columns: [string, Column][] = [
    ["article.ids", articles.ids],
    ...fields.map(([field, { values }]): [string, Column] => [`article.${field}`, values]),
    ["article.words", new TextEncoder().encode(JSON.stringify(words))],
    ["row.state", rows.state],
    ["row.article", rows.article],
    ["row.no", rows.no],
    ["row.start", rows.start],
    ["row.end", rows.end],
    ...rows.vectors.map((segment, i): [string, Column] => [`row.vectors.${i}`, segment]),
  ];
  return columns.map(([name, column]) => ({
    name,
    bytes: new Uint8Array(column.buffer, column.byteOffset, column.byteLength),
  }));
}

/** Reads the columns back. Throws {@link RangeError} when their lengths do not fit each other. */
async function fromSections(
  path: string,
  sections: readonly Section[],
  dims: number,
): Promise<{ articles: ArticleColumns; rows: RowColumns }> {
  const read = await readSections(path, sections);
  const take = (name: string): ArrayBuffer => {
    const section = read.get(name);
    if (section === undefined) throw new RangeError(`the snapshot has no section ${name}`);
    return section;
  };
  const ids = new Float64Array(take("article.ids"));
  const words: Record<string, readonly string[]> = JSON.parse(new TextDecoder().decode(take("article.words")));
  const fields = new Map(
    [...ARTICLE_FILTER_FIELDS].map(([field, type]) => {
      const bytes = take(`article.${field}`);
      const values = isNumeric(type) ? new Float64Array(bytes) : new Uint32Array(bytes);
      return [field, { values, words: words[field] ?? [] }];
    }),
  );
  const state = new Uint8Array(take("row.state"));
  const rows: RowColumns = {
    count: state.length,
    state,
    article: new Uint32Array(take("row.article")),
    no: new Int32Array(take("row.no")),
    start: new Int32Array(take("row.start")),
    end: new Int32Array(take("row.end")),
    vectors: Array.from(
      { length: Math.ceil(state.length / SEGMENT_ROWS) },
      (_, i) => new Uint16Array(take(`row.vectors.${i}`)),
    ),
  };
  const vectors = rows.vectors.reduce((length, segment) => length + segment.length, 0);
  const fits =
    [...fields.values()].every(({ values }) => values.length === ids.length) &&
    [rows.article, rows.no, rows.start, rows.end].every((column) => column.length === rows.count) &&
    vectors === rows.count * dims &&
    rows.article.every((ordinal) => ordinal < ids.length);
  if (!fits) throw new RangeError("the snapshot's columns do not fit each other");
  return { articles: { ids, fields }, rows };
}

async function readSections(path: string, sections: readonly Section[]): Promise<Map<string, ArrayBuffer>> {
  const file = await open(path, "r");
  try {
    const read = new Map<string, ArrayBuffer>();
    for (const { name, bytes } of sections) {
      const into = new Uint8Array(bytes);
      for (let at = 0; at < bytes; ) {
        const { bytesRead } = await file.read(into, at, bytes - at, null);
        if (bytesRead === 0) throw new RangeError(`the snapshot ends within ${name}`);
        at += bytesRead;
      }
      read.set(name, into.buffer);
    }
    return read;
  } finally {
    await file.close();
  }
}

/** Holds what a snapshot must be of to be of use. */
export type SnapshotKey = { modelId: string; dims: number };

/**
 * Writes the engine to `dir`, which must not change meanwhile. One process writes at a time: returns false when another
 * one does, or when what is there goes as far. A crash at any moment leaves the snapshot before or this one.
 */
export async function saveSnapshot(dir: string, engine: VectorEngine, key: SnapshotKey): Promise<boolean> {
  await mkdir(dir, { recursive: true });
  const lock = tryExclusive(join(dir, "lock"));
  if (lock === undefined) return false;
  try {
    const before = await readManifest(dir).catch(() => undefined);
    if (before !== undefined && isOf(before, key) && goesAsFar(before, engine)) return false;
    const name = `${engine.seq}-${randomBytes(4).toString("hex")}`;
    const sections = toSections(engine.articles.columns(), engine.rows.columns());
    const tables = await place(dir, `tables-${name}.bin`, (path) =>
      writeDurably(
        path,
        sections.map((section) => section.bytes),
      ),
    );
    const graph = await place(dir, `graph-${name}.usearch`, async (path) => {
      engine.graph.save(path);
      await sync(path);
      return await hashFile(path);
    });
    const manifest: Manifest = {
      version: SNAPSHOT_VERSION,
      ...key,
      seq: engine.seq,
      mark: engine.mark,
      rows: engine.rows.size,
      linked: engine.graph.size,
      depth: engine.calibration.depth ?? null,
      recall: Number.isNaN(engine.calibration.recall) ? null : engine.calibration.recall,
      tables: { ...tables, sections: sections.map((s) => ({ name: s.name, bytes: s.bytes.length })) },
      graph,
    };
    await place(dir, "manifest.json", (path) =>
      writeDurably(path, [new TextEncoder().encode(`${JSON.stringify(manifest, null, 2)}\n`)]),
    );
    await removeAllBut(dir, [tables.name, graph.name]);
    return true;
  } finally {
    lock.release();
  }
}

/** Holds what became of a snapshot: loaded, none there, or dropped for a reason. */
type Loaded = { engine: VectorEngine } | { engine?: undefined; dropped?: string };

/**
 * Reads the snapshot in `dir` after checking that it is whole and of `key`. One that is not is removed, and the reason
 * returned. Another process may replace it meanwhile: then the new one is read. The engine has `scannedPerCandidate`.
 */
export async function loadSnapshot(dir: string, key: SnapshotKey, scannedPerCandidate?: number): Promise<Loaded> {
  for (let attempt = 1; ; attempt++) {
    try {
      const manifest = await readManifest(dir);
      if (manifest === undefined) return {};
      const other = difference(manifest, key);
      if (other !== undefined) throw new TypeError(other);
      return { engine: await readSnapshot(dir, manifest, scannedPerCandidate) };
    } catch (error) {
      if (attempt < 3 && error instanceof Error && "code" in error && error.code === "ENOENT") continue;
      await dropSnapshot(dir);
      return { dropped: errorMessage(error) };
    }
  }
}

/** Removes the snapshot in `dir`, unless another process is writing one. */
async function dropSnapshot(dir: string): Promise<void> {
  await mkdir(dir, { recursive: true });
  const lock = tryExclusive(join(dir, "lock"));
  if (lock === undefined) return;
  try {
    await rm(join(dir, "manifest.json"), { force: true });
    await removeAllBut(dir, []);
  } finally {
    lock.release();
  }
}

async function readSnapshot(dir: string, manifest: Manifest, scannedPerCandidate?: number): Promise<VectorEngine> {
  for (const { name, bytes, sha256 } of [manifest.tables, manifest.graph]) {
    const found = await hashFile(join(dir, name));
    if (found.bytes !== bytes || found.sha256 !== sha256) throw new RangeError(`${name} is not what was written`);
  }
  const graph = Graph.load(join(dir, manifest.graph.name), manifest.dims, manifest.linked);
  const columns = await fromSections(join(dir, manifest.tables.name), manifest.tables.sections, manifest.dims);
  const articles = new ArticleTable();
  articles.restore(columns.articles);
  const rows = new RowTable(manifest.dims);
  rows.restore(columns.rows);
  const engine = new VectorEngine(manifest.dims, { articles, rows, graph }, scannedPerCandidate);
  engine.seq = manifest.seq;
  engine.mark = manifest.mark;
  const { depth, recall, linked } = manifest;
  if (recall !== null) engine.calibration.restore(depth ?? undefined, recall, linked);
  return engine;
}

/**
 * Tells whether it goes up to the same row of the log, and has no less in the graph. A higher number may be of another
 * history.
 */
function goesAsFar(manifest: Manifest, engine: VectorEngine): boolean {
  return manifest.seq === engine.seq && manifest.mark === engine.mark && manifest.linked >= engine.graph.size;
}

function isOf(manifest: Manifest, key: SnapshotKey): boolean {
  return difference(manifest, key) === undefined;
}

function difference(manifest: Manifest, key: SnapshotKey): string | undefined {
  for (const field of ["modelId", "dims"] as const) {
    if (manifest[field] !== key[field]) return `its ${field} is ${manifest[field]}, wanted is ${key[field]}`;
  }
  return undefined;
}

/** Writes a file under a temporary name and then gives it its own. */
async function place(
  dir: string,
  name: string,
  write: (path: string) => Promise<{ sha256: string; bytes: number }>,
): Promise<SnapshotFile> {
  const temporary = join(dir, `${name}.tmp`);
  const written = await write(temporary);
  await renameDurably(temporary, join(dir, name));
  return { name, ...written };
}

async function removeAllBut(dir: string, names: readonly string[]): Promise<void> {
  for (const name of await readdir(dir)) {
    if (/^(tables|graph)-/.test(name) && !names.includes(name)) await rm(join(dir, name), { force: true });
  }
}
