import { createReadStream } from "node:fs";
import { open, stat } from "node:fs/promises";
import { pipeline } from "node:stream";
import { createGunzip } from "node:zlib";
import { CommandError } from "@isnad/lib/service/cli";

/** A line of a file: its number from 1, and how many bytes of the file (as stored) had been read by then. */
export type Line = { number: number; text: string; bytesRead: number };

/** The longest line that is read, in UTF-16 code units; a longer one ends the import rather than the memory. */
export const MAX_LINE = 16 * 1024 * 1024;

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
export async function* readPieces(
  path: string,
  place: () => string,
): AsyncGenerator<{ text: string; bytesRead: number }> {
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

/** The size of a file in bytes and when it was last changed. Throws CommandError when it cannot be read. */
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
