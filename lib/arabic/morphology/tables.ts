import { createHash } from "node:crypto";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath, URL } from "node:url";
import { z } from "zod";

/** Where the tables of the analyser are. */
export const TABLES = fileURLToPath(new URL("../../../nlp/lexicon/analyser/", import.meta.url));

const NAMES = ["lemmas.tsv", "places.tsv", "rules.json", "stems.tsv"] as const;
type TableName = (typeof NAMES)[number];

/** Holds the SHA-256 of each table: one that is cut short between two lines could be read as well as a whole one. */
const SUMS = "sums.json";
const Sums = z.record(z.enum(NAMES), z.string());

/** A table as text. Throws when it is missing or is not as it was built, and names it. */
export function readTable(name: TableName, folder = TABLES): string {
  const path = join(folder, name);
  const bytes = readFileSync(path);
  if (sumOf(bytes) !== Sums.parse(JSON.parse(readFileSync(join(folder, SUMS), "utf8")))[name]) {
    throw new Error(`${path} does not have the checksum of ${SUMS}; restore both, or build the tables again`);
  }
  return bytes.toString("utf8");
}

/** Writes down the checksums of tables that were built. */
export function sealTables(folder = TABLES): void {
  const sums = Object.fromEntries(NAMES.map((name) => [name, sumOf(readFileSync(join(folder, name)))]));
  writeFileSync(join(folder, SUMS), `${JSON.stringify(sums, undefined, 2)}\n`);
}

const sumOf = (bytes: Uint8Array): string => createHash("sha256").update(bytes).digest("hex");
