import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { isObject } from "../../std/mod.ts";

/** Raised whenever a file's layout changes; a snapshot of another version is dropped. */
export const SNAPSHOT_VERSION = 3;

/** A file of a snapshot, with what it must look like. */
export type SnapshotFile = { name: string; bytes: number; sha256: string };

/** A column inside the tables file: where it starts is where the one before it ends. */
export type Section = { name: string; bytes: number };

/** What a snapshot holds. It is written last, so that a snapshot without it does not exist. */
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
