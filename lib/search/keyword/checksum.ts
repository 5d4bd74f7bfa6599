import { crc32 } from "node:zlib";
import { KeywordIndexError } from "./types.ts";

const NO_BYTES = new Uint8Array();

/** CRC-32 of a row: of its numbers and texts, and of its bytes. */
export function checksum(values: readonly (string | number | null)[], bytes: Uint8Array = NO_BYTES): number {
  return crc32(bytes, crc32(JSON.stringify(values)));
}

/** Throws a {@link KeywordIndexError} (`corrupt`) unless the row is what was written. */
export function verify(expected: unknown, values: readonly (string | number | null)[], bytes?: Uint8Array): void {
  if (checksum(values, bytes) !== expected) throw new KeywordIndexError("corrupt", "keyword index: a row is damaged");
}
