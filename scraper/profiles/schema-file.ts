import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { loadTaxonomy } from "@isnad/lib/service/config";
import { z } from "@isnad/lib/service/http";
import { SCHEMA_FILE } from "./load-profiles.ts";
import { createProfileSchema } from "./schema.ts";

/** The folder of profiles that comes with the repository. */
export const SHIPPED_PROFILES = fileURLToPath(new URL("../../profiles", import.meta.url).href);

const LINE_WIDTH = 120;

/** The profile schema as JSON Schema (draft 2020-12), with the shipped categories, as the text of its file. */
export function schemaText(): string {
  const schema = z.toJSONSchema(createProfileSchema(loadTaxonomy().categories), { io: "input" });
  const titled = { ...schema, title: "Isnad scraper profile" };
  const text = JSON.stringify(titled, null, 2);
  return `${text.replace(SHORT_LIST, (list, offset: number) => asFormatted(list, text, offset))}\n`;
}

/** A list of scalars, over several lines. */
const SHORT_LIST = /\[[^[\]{}]*\]/g;

/** The repository's formatter puts a list on one line where it fits. */
function asFormatted(list: string, text: string, offset: number): string {
  const line = list
    .replace(/\s*\n\s*/g, " ")
    .replace("[ ", "[")
    .replace(" ]", "]");
  const before = offset - text.lastIndexOf("\n", offset) - 1;
  return before + line.length + 1 <= LINE_WIDTH ? line : list;
}

/** Whether the schema file of `dir` is what the validating schema says; with `write`, makes it so. */
export function syncSchemaFile(dir: string, { write = false } = {}): boolean {
  const path = join(dir, SCHEMA_FILE);
  if (write) writeFileSync(path, schemaText());
  return existsSync(path) && readFileSync(path, "utf8") === schemaText();
}
