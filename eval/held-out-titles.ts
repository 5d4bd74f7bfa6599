import { existsSync } from "node:fs";
import { join } from "node:path";
import { type Collection, isHeldOut, readJsonLines } from "./retrieval-sets.ts";

/** The shortest text that counts as one. */
const SHORTEST = 80;

const FILES = { ar: ["ant_v2_ar.jsonl", "ant_v1_ar.jsonl"], en: ["english.jsonl"] };

/** Marks that a search takes for syntax: what is quoted must be there, and it need not be in the body. */
const QUOTES = /["\u00ab\u00bb\u201c-\u201f\u2039\u203a]/g;

/**
 * Titles as queries, each for the body or the abstract of its article, over news that no model was trained on. Only
 * their words are asked for: quotation marks are left out.
 */
export function heldOutTitles(news: string, lang: "ar" | "en", part: "body" | "abstract"): Collection {
  const collection: Collection = { documents: [], queries: [], grades: new Map() };
  const seen = new Set<string>();
  for (const file of FILES[lang]) {
    const path = join(news, file);
    if (!existsSync(path) && !existsSync(`${path}.gz`)) continue;
    for (const row of readJsonLines(path)) {
      const body = String(row.text ?? "");
      const title = String(row.title ?? "").trim();
      const text = part === "body" ? body : String(row.abstract ?? "");
      if (title.length < 10 || text.length < SHORTEST || seen.has(title) || seen.has(text) || !isHeldOut(body))
        continue;
      seen.add(title).add(text);
      const id = String(collection.documents.length + 1);
      collection.documents.push({ id, title: "", text });
      collection.queries.push({ id, text: title.replace(QUOTES, " ").trim() });
      collection.grades.set(id, new Map([[id, 1]]));
    }
  }
  return collection;
}
