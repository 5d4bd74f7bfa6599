import { randomBytes } from "node:crypto";
import { mkdir, readdir, rm } from "node:fs/promises";
import { join } from "node:path";
import { tryExclusive } from "../../service/process/file-lock.ts";
import { errorMessage } from "../../std/mod.ts";
import { ArticleTable } from "./articles.ts";
import { VectorEngine } from "./engine.ts";
import { hashFile, renameDurably, sync, writeDurably } from "./files.ts";
import { Graph } from "./graph.ts";
import { type Manifest, readManifest, SNAPSHOT_VERSION, type SnapshotFile } from "./manifest.ts";
import { RowTable } from "./rows.ts";
import { fromSections, toSections } from "./sections.ts";

/** What a snapshot must be of to be of use. */
export type SnapshotKey = { modelId: string; dims: number };

/** The folder of a model's snapshot under `dir`, the folder of all vectors. */
export function modelDir(dir: string, modelId: string): string {
  return join(dir, encodeURIComponent(modelId));
}

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

/** What became of a snapshot: loaded, none there, or dropped for a reason. */
export type Loaded = { engine: VectorEngine } | { engine?: undefined; dropped?: string };

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
 * Whether it goes up to the same row of the log, and has no less in the graph. A higher number may be of another
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
