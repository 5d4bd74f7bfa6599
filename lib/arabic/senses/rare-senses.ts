import { readFileSync } from "node:fs";
import { fileURLToPath, URL } from "node:url";

const FILE = new URL("../../../nlp/lexicon/rare-senses.txt", import.meta.url);

/** The ids of senses of frequent words that news hardly ever means. Throws when the file cannot be read. */
export function openRareSenses(path = fileURLToPath(FILE)): ReadonlySet<string> {
  return new Set(readFileSync(path, "utf8").trim().split("\n"));
}
