import { readFileSync } from "node:fs";
import { gunzipSync } from "node:zlib";
import { isObject, parseJsonObject } from "@isnad/lib/std";

/** An article and what an editor made of it. */
export type SummaryPair = { text: string; summary: string };

/**
 * Reads pairs from JSON lines, gzipped where the name says so: `text` with `summary` or `abstract`. Lines with another
 * `split` than `test`, and those without both texts, are left out.
 */
export function readPairs(path: string): SummaryPair[] {
  const bytes = readFileSync(path);
  const lines = (path.endsWith(".gz") ? gunzipSync(bytes) : bytes).toString("utf8").split("\n");
  return lines.flatMap((line) => {
    const row = parseJsonObject(line);
    if (!isObject(row) || (row.split !== undefined && row.split !== "test")) return [];
    const { text, summary = row.abstract } = row;
    return typeof text === "string" && typeof summary === "string" && text.trim() !== "" && summary.trim() !== ""
      ? [{ text, summary }]
      : [];
  });
}
