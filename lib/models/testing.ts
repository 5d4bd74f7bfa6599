import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openRegistry, SHIPPED_MODELS } from "./cards/registry.ts";
import { at } from "../std/mod.ts";

/** Name of the shipped embedding model. */
export const EMBED_MODEL: string = openRegistry({ dirs: [SHIPPED_MODELS] }).default("embed");

/** A folder of its own with a copy of the shipped embedding model, to be damaged by a test. */
export function copyOfModel(): { root: string; dir: string; remove(): void } {
  const root = mkdtempSync(join(tmpdir(), "isnad-models-"));
  const dir = join(root, EMBED_MODEL);
  cpSync(join(SHIPPED_MODELS, EMBED_MODEL), dir, { recursive: true });
  return { root, dir, remove: () => rmSync(root, { recursive: true, force: true }) };
}

/** A models folder with one model made of the given files; a card that fits them is written unless `card` is given. */
export function modelFolder(name: string, card: unknown): { root: string; dir: string; remove(): void } {
  const root = mkdtempSync(join(tmpdir(), "isnad-models-"));
  const dir = join(root, name);
  mkdirSync(dir);
  writeFileSync(join(dir, "model.json"), typeof card === "string" ? card : JSON.stringify(card));
  return { root, dir, remove: () => rmSync(root, { recursive: true, force: true }) };
}

/** Changes one bit in the middle of a file. */
export function flipBit(path: string): void {
  const bytes = readFileSync(path);
  const middle = bytes.length >> 1;
  bytes.writeUInt8(bytes.readUInt8(middle) ^ 1, middle);
  writeFileSync(path, bytes);
}

/** Cosine of two unit vectors. */
export function cosine(a: Float32Array | undefined, b: Float32Array | undefined): number {
  if (a === undefined || b === undefined) return Number.NaN;
  return a.reduce((sum, x, i) => sum + x * at(b, i), 0);
}
