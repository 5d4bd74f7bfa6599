import { createHash } from "node:crypto";
import { existsSync, readFileSync } from "node:fs";
import { fileURLToPath, URL } from "node:url";
import { gunzipSync } from "node:zlib";

/** Folder of the public data sets: ISNAD_SHARED, else ../shared beside the repository; undefined where it is absent. */
export function dataFolder(env: Record<string, string | undefined>): string | undefined {
  const shared = env.ISNAD_SHARED ?? fileURLToPath(new URL("../../../shared", import.meta.url));
  return existsSync(`${shared}/data/news`) ? `${shared}/data` : undefined;
}

/** A file as text, or its `.gz` beside it. */
export function readText(path: string): string {
  if (existsSync(path)) return readFileSync(path, "utf8");
  return gunzipSync(readFileSync(`${path}.gz`)).toString("utf8");
}

/** The rows of a JSON-lines file, as objects of text values. */
export function readJsonLines(path: string): Record<string, unknown>[] {
  return jsonLines(readText(path));
}

/** The rows of JSON lines. */
export function jsonLines(text: string): Record<string, unknown>[] {
  return text
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => JSON.parse(line));
}

/** True for the one article in twenty that no model was trained on: by the SHA-1 of the first 200 characters
 * (the rule of nlp/training/isnad_embed/corpus.py). */
export function isHeldOut(body: string): boolean {
  const begin = [...body].slice(0, 1000).join("");
  const folded = begin.replace(/[ \t\r\n]+/g, " ").replace(/^ | $/g, "");
  const key = [...folded].slice(0, 200).join("");
  return Number.parseInt(createHash("sha1").update(key).digest("hex").slice(0, 8), 16) % 20 === 0;
}
