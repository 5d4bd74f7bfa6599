import { readJsonLines } from "../embed/data.ts";
import { type Collection, readCollection } from "../keyword/collection.ts";

/** A language that is asked in, and the one of the passages. */
export type Direction = "ar-en" | "en-ar";

/** The collections of each language whose passages are searched, below the folder of the data. */
const PASSAGES: Record<Direction, readonly string[]> = {
  "ar-en": ["retrieval/tydiqa-goldp/beir-en"],
  "en-ar": ["retrieval/tydiqa-goldp/beir-ar-dev", "retrieval/arcd-train"],
};

/** The direction that the name of a file of questions says, as `test.ar-en.jsonl`; undefined for another name. */
export function directionOf(path: string): Direction | undefined {
  const name = /\.(ar-en|en-ar)\.jsonl$/.exec(path)?.[1];
  return name === "ar-en" || name === "en-ar" ? name : undefined;
}

/** All passages of the data folder in the language that is searched. */
export function passagesOf(data: string, direction: Direction): Collection["documents"] {
  const all = PASSAGES[direction].flatMap((folder) => readCollection(`${data}/${folder}`).documents);
  return [...new Map(all.map((document) => [document.id, document])).values()];
}

/** The questions of a file, each with the one passage that answers it. Throws where that is not among the passages. */
export function readQuestions(path: string, documents: Collection["documents"]): Collection {
  const ids = new Set(documents.map(({ id }) => id));
  const rows = readJsonLines(path).map((row) => ({
    id: String(row._id),
    text: String(row.text),
    passage: String(row.passage),
  }));
  const stray = rows.find(({ passage }) => !ids.has(passage));
  if (stray !== undefined) throw new Error(`${path}: ${stray.id}: there is no passage ${stray.passage}`);
  return {
    documents,
    queries: rows.map(({ id, text }) => ({ id, text })),
    grades: new Map(rows.map(({ id, passage }) => [id, new Map([[passage, 1]])])),
  };
}
