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
  return readText(path)
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => JSON.parse(line));
}

const MARKS =
  /[\u0300-\u036f\u0610-\u061a\u0640\u064b-\u065f\u0670\u06d6-\u06dc\u06df-\u06e8\u06ea-\u06ed\u00ad\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufe00-\ufe0f\ufeff]/gu;
const LETTERS: readonly (readonly [RegExp, string])[] = [
  [/[\u0649\u06cc\u06d0]/gu, "\u064a"],
  [/[\u0629\u06c1\u06d5]/gu, "\u0647"],
  [/[\u06a9\u06af\u06ad]/gu, "\u0643"],
  [/\u0671/gu, "\u0627"],
  [/\u067e/gu, "\u0628"],
  [/\u0686/gu, "\u062c"],
  [/\u06a4/gu, "\u0641"],
  [/\u0698/gu, "\u0632"],
];

/** The folding of the training code (nlp/training/isnad_embed/fold.py), which the held-out split is keyed on. */
function foldForSplit(text: string): string {
  let folded = text.normalize("NFKD").replace(MARKS, "").toLowerCase();
  for (const [pattern, to] of LETTERS) folded = folded.replace(pattern, to);
  return folded
    .replace(/[\u0660-\u0669]/gu, (digit) => String(digit.charCodeAt(0) - 0x660))
    .replace(/[\u06f0-\u06f9]/gu, (digit) => String(digit.charCodeAt(0) - 0x6f0));
}

/** True for the one article in twenty that no model was trained on: by the SHA-1 of the first 200 folded characters. */
export function isHeldOut(body: string): boolean {
  const key = [...foldForSplit(body).replace(/\s+/gu, " ").trim()].slice(0, 200).join("");
  return Number.parseInt(createHash("sha1").update(key).digest("hex").slice(0, 8), 16) % 20 === 0;
}
