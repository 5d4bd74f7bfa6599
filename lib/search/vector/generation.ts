import { randomUUID } from "node:crypto";
import { mkdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { renameDurably, writeDurably } from "./files.ts";
import { readManifest } from "./manifest.ts";

/** The folder of a model's snapshot under `dir`, the folder of all vectors. */
export function modelDir(dir: string, modelId: string): string {
  return join(dir, encodeURIComponent(modelId));
}

/** What snapshots under `dir` must be of: "" until a rebuild was asked for. */
export async function readGeneration(dir: string): Promise<string> {
  try {
    return (await readFile(join(dir, "generation"), "utf8")).trim();
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ENOENT") return "";
    throw error;
  }
}

/**
 * Asks every process that searches the vectors under `dir` (`DATA_DIR/vectors`) to read them from Postgres again, and
 * makes the snapshots there worthless. A running process serves what it has until the new index is complete.
 */
export async function requestVectorRebuild(dir: string): Promise<void> {
  await mkdir(dir, { recursive: true });
  const temporary = join(dir, `generation.${randomUUID()}.tmp`);
  await writeDurably(temporary, [new TextEncoder().encode(`${randomUUID()}\n`)]);
  await renameDurably(temporary, join(dir, "generation"));
}

/** Whether a rebuild was asked for and no process has finished and saved one yet. */
export async function vectorRebuildPending(dir: string, modelId: string): Promise<boolean> {
  const generation = await readGeneration(dir);
  if (generation === "") return false;
  const manifest = await readManifest(modelDir(dir, modelId)).catch(() => undefined);
  return manifest?.generation !== generation;
}
