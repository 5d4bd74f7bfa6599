import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { z } from "zod";

/**
 * The entries of a folder of JSON lines, file after file by name. Throws when a file cannot be read or a line has
 * another form.
 */
export function readEntries<Schema extends z.ZodType>(folder: string, schema: Schema): z.output<Schema>[] {
  const files = readdirSync(folder).filter((name) => name.endsWith(".jsonl"));
  return files.sort().flatMap((name) =>
    readFileSync(join(folder, name), "utf8")
      .split("\n")
      .filter((line) => line !== "")
      .map((line) => schema.parse(JSON.parse(line))),
  );
}
