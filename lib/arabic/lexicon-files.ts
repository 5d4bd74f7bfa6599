import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { errorMessage } from "../std/mod.ts";
import type { z } from "zod";

/**
 * The entries of a folder of JSON lines, file after file by name. Throws when a file cannot be read or a line has
 * another form, and names them.
 */
export function readEntries<Schema extends z.ZodType>(folder: string, schema: Schema): z.output<Schema>[] {
  const files = readdirSync(folder).filter((name) => name.endsWith(".jsonl"));
  return files.sort().flatMap((name) =>
    readFileSync(join(folder, name), "utf8")
      .split("\n")
      .flatMap((line, place) => (line === "" ? [] : [entryOf(line, schema, `${join(folder, name)}:${place + 1}`)])),
  );
}

function entryOf<Schema extends z.ZodType>(line: string, schema: Schema, where: string): z.output<Schema> {
  try {
    return schema.parse(JSON.parse(line));
  } catch (cause) {
    throw new Error(`${where} is damaged: ${errorMessage(cause)}`, { cause });
  }
}
