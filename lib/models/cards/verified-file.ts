import { createHash } from "node:crypto";
import { createReadStream } from "node:fs";
import { readFile, stat } from "node:fs/promises";
import { join } from "node:path";
import type { ModelCard } from "./card.ts";
import { InferenceError } from "../runtime/errors.ts";

function missing(card: ModelCard, file: string, cause: unknown): InferenceError {
  return new InferenceError("model-missing", `${card.name}: ${file} is missing or unreadable`, {
    model: card.name,
    cause,
  });
}

function altered(card: ModelCard, file: string, what: string): InferenceError {
  return new InferenceError("model-altered", `${card.name}: ${file} ${what}; restore it or install the model again`, {
    model: card.name,
  });
}

function expectedOf(card: ModelCard, file: string): { sha256: string; bytes: number } {
  const expected = card.files[file];
  if (expected === undefined) {
    throw new InferenceError("model-invalid", `${card.name}: model.json names no ${file}`, { model: card.name });
  }
  return expected;
}

/** The bytes of a model's file, once length and SHA-256 agree with the card.
 * @throws InferenceError `model-missing`, `model-altered`, `model-invalid` (the card does not name the file) */
export async function readVerified(dir: string, card: ModelCard, file: string): Promise<Uint8Array<ArrayBuffer>> {
  const expected = expectedOf(card, file);
  const bytes = await readFile(join(dir, file)).catch((cause: unknown) => {
    throw missing(card, file, cause);
  });
  if (bytes.length !== expected.bytes) throw altered(card, file, `has ${bytes.length} bytes, not ${expected.bytes}`);
  const checksum = createHash("sha256").update(bytes).digest("hex");
  if (checksum !== expected.sha256) throw altered(card, file, "does not have the checksum of its card");
  return bytes;
}

/** Checks a file as {@link readVerified} does, in pieces, without keeping it in memory. */
export async function verifyFile(dir: string, card: ModelCard, file: string): Promise<void> {
  const expected = expectedOf(card, file);
  const path = join(dir, file);
  const { size } = await stat(path).catch((cause: unknown) => {
    throw missing(card, file, cause);
  });
  if (size !== expected.bytes) throw altered(card, file, `has ${size} bytes, not ${expected.bytes}`);
  const hash = createHash("sha256");
  for await (const piece of createReadStream(path)) hash.update(piece);
  if (hash.digest("hex") !== expected.sha256) throw altered(card, file, "does not have the checksum of its card");
}
