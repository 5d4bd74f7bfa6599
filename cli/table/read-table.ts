import { readFile, stat } from "node:fs/promises";
import { DelimitedReader, separatorOf } from "./delimited.ts";
import { type Row, TableError } from "./table.ts";
import { readXlsx } from "./xlsx.ts";

/** Corpora of dialects have some megabytes. */
const MAX_FILE = 256 * 1024 * 1024;

/**
 * The rows of a file, the head first: a workbook, or text with commas, semicolons or tabs, in UTF-8 or UTF-16 with a
 * byte order mark. What it is, is told by its bytes. Throws TableError for a file of another form
 * or of more than 256 MiB.
 */
export async function readTable(path: string): Promise<readonly Row[]> {
  const { size } = await stat(path);
  if (size > MAX_FILE) throw new TableError(`is larger than ${MAX_FILE} bytes`);
  const bytes = await readFile(path);
  if (bytes[0] === 0x50 && bytes[1] === 0x4b) return readXlsx(bytes);
  const text = decode(bytes);
  return new DelimitedReader(separatorOf(text)).read(text, { isLast: true });
}

function decode(bytes: Uint8Array): string {
  const [first, second] = bytes;
  const encoding =
    first === 0xff && second === 0xfe ? "utf-16le" : first === 0xfe && second === 0xff ? "utf-16be" : "utf-8";
  try {
    return new TextDecoder(encoding, { fatal: true }).decode(bytes);
  } catch (cause) {
    throw new TableError("is neither a workbook nor text in UTF-8; save it as UTF-8", { cause });
  }
}
