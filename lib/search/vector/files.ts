import { createHash } from "node:crypto";
import { open, rename } from "node:fs/promises";
import { dirname } from "node:path";

/** Bytes handled at a time, so that a thread gets to other work in between: hashing them takes about a millisecond. */
const PIECE = 1 << 20;

/** SHA-256 (hex) and length of a file. */
export async function hashFile(path: string): Promise<{ sha256: string; bytes: number }> {
  const hash = createHash("sha256");
  const file = await open(path, "r");
  try {
    const buffer = new Uint8Array(PIECE);
    let bytes = 0;
    for (;;) {
      const { bytesRead } = await file.read(buffer, 0, PIECE, null);
      if (bytesRead === 0) return { sha256: hash.digest("hex"), bytes };
      hash.update(buffer.subarray(0, bytesRead));
      bytes += bytesRead;
    }
  } finally {
    await file.close();
  }
}

/**
 * Writes the parts one after another, waits until they are on the disk. Returns SHA-256 (hex) and length of the whole.
 */
export async function writeDurably(
  path: string,
  parts: Iterable<Uint8Array>,
): Promise<{ sha256: string; bytes: number }> {
  const hash = createHash("sha256");
  const file = await open(path, "w");
  try {
    let bytes = 0;
    for (const part of parts) {
      for (let at = 0; at < part.length; at += PIECE) {
        const piece = part.subarray(at, at + PIECE);
        await file.writeFile(piece);
        hash.update(piece);
        bytes += piece.length;
      }
    }
    await file.sync();
    return { sha256: hash.digest("hex"), bytes };
  } finally {
    await file.close();
  }
}

/** Waits until what is in `path`, a file or the names in a folder, is on the disk. */
export async function sync(path: string): Promise<void> {
  const file = await open(path, "r");
  try {
    await file.sync();
  } finally {
    await file.close();
  }
}

/** Renames within a folder and waits until the name is on the disk. */
export async function renameDurably(from: string, to: string): Promise<void> {
  await rename(from, to);
  await sync(dirname(to));
}
