import { readFileSync, statSync } from "node:fs";
import { gunzipSync } from "node:zlib";
import { CommandError } from "@isnad/lib/cli";
import { type DecodedText, decodeText } from "@isnad/lib/egress";
import { errorMessage } from "@isnad/lib/std";

/** The largest file that is read, also after inflating. */
export const MAX_FILE = 20_000_000;

/**
 * Reads a page or feed from a file, plain or `.gz`, and decodes it by what it says of its charset. Throws CommandError.
 */
export function readDocument(path: string): DecodedText {
  const inflated = readBytes(path);
  return decodeText(inflated);
}

function readBytes(path: string): Uint8Array {
  try {
    if (statSync(path).size > MAX_FILE) throw new CommandError(`${path} is larger than ${MAX_FILE} bytes`);
    const bytes = readFileSync(path);
    const isGzip = bytes[0] === 0x1f && bytes[1] === 0x8b;
    return isGzip ? gunzipSync(bytes, { maxOutputLength: MAX_FILE }) : bytes;
  } catch (error) {
    if (error instanceof CommandError) throw error;
    throw new CommandError(`cannot read ${path}: ${errorMessage(error)}`, {
      cause: error,
    });
  }
}
