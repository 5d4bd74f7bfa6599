import { closeSync, openSync, readSync } from "node:fs";
import { gunzipSync } from "node:zlib";
import { CommandError } from "@isnad/lib/service/cli";
import { errorMessage } from "@isnad/lib/std";
import { type DecodedText, decodeText } from "@isnad/lib/web/egress";

/** The largest file that is read, also after inflating. */
const MAX_FILE = 20_000_000;

/**
 * Reads a page, feed or OPML document from a file or pipe, plain or `.gz`, and decodes it by what it says of its
 * charset. Throws CommandError, also when it has more than 20 MB.
 */
export function readDocument(path: string): DecodedText {
  const inflated = readBytes(path);
  return decodeText(inflated);
}

function readBytes(path: string): Uint8Array {
  try {
    const bytes = readAtMost(path, MAX_FILE);
    const isGzip = bytes[0] === 0x1f && bytes[1] === 0x8b;
    return isGzip ? gunzipSync(bytes, { maxOutputLength: MAX_FILE }) : bytes;
  } catch (error) {
    if (error instanceof CommandError) throw error;
    throw new CommandError(`cannot read ${path}: ${errorMessage(error)}`, {
      cause: error,
    });
  }
}

/** A pipe or device does not say how large it is: it is read no further than the limit. */
function readAtMost(path: string, limit: number): Uint8Array {
  const file = openSync(path, "r");
  try {
    const chunks: Uint8Array[] = [];
    for (let size = 0; ; ) {
      const chunk = new Uint8Array(256 * 1024);
      const read = readSync(file, chunk, 0, chunk.length, null);
      if (read === 0) return Buffer.concat(chunks);
      size += read;
      if (size > limit) throw new CommandError(`${path} is larger than ${limit} bytes`);
      chunks.push(chunk.subarray(0, read));
    }
  } finally {
    closeSync(file);
  }
}

/** Tells whether an argument is an address, and no file. */
export function isWebAddress(from: string): boolean {
  return /^https?:\/\//i.test(from);
}
