import { existsSync } from "node:fs";
import { jsonLines, readText } from "../embed/data.ts";

/** A test collection in the BEIR layout. Grades by query and document; above 0 is relevant. */
export type Collection = {
  documents: { id: string; title: string; text: string }[];
  queries: { id: string; text: string }[];
  grades: Map<string, Map<string, number>>;
};

/**
 * Reads a folder with corpus.jsonl, queries.jsonl and qrels.tsv (or qrels/test.tsv; or the two of one split,
 * qrels.test.tsv and queries.test.jsonl), each plain or `.gz`. Queries without a relevant document are left out. A
 * judgement is query, document, grade; TREC's four columns are read too.
 */
export function readCollection(folder: string, split = "test"): Collection {
  const documents = jsonLines(readText(`${folder}/corpus.jsonl`)).map((row) => ({
    id: String(row._id),
    title: String(row.title ?? ""),
    text: String(row.text ?? ""),
  }));
  const grades = new Map<string, Map<string, number>>();
  for (const line of readFirst(folder, ["qrels.tsv", `qrels.${split}.tsv`, `qrels/${split}.tsv`]).split("\n")) {
    const columns = line.trim().split(/\s+/);
    const [query, , document] = columns.length === 4 ? columns : [columns[0], "", columns[1]];
    const grade = Number(columns.at(-1));
    if (query === undefined || document === undefined || Number.isNaN(grade)) continue;
    const judged = grades.get(query) ?? new Map<string, number>();
    grades.set(query, judged.set(document, grade));
  }
  const queries = jsonLines(readFirst(folder, ["queries.jsonl", `queries.${split}.jsonl`]))
    .map((row) => ({ id: String(row._id), text: String(row.text ?? "") }))
    .filter(({ id }) => [...(grades.get(id)?.values() ?? [])].some((grade) => grade > 0));
  return { documents, queries, grades };
}

/** The first of these files that is there, plain or `.gz`. Throws an error that names them all when none is. */
function readFirst(folder: string, names: readonly string[]): string {
  const name = names.find((each) => existsSync(`${folder}/${each}`) || existsSync(`${folder}/${each}.gz`));
  if (name === undefined) throw new Error(`${folder}: none of ${names.join(", ")} is there`);
  return readText(`${folder}/${name}`);
}

/**
 * nDCG@10 of a ranked list of documents with linear gains (Järvelin and Kekäläinen, 2002; as trec_eval computes it).
 */
export function ndcgAt10(ranked: readonly string[], grades: ReadonlyMap<string, number>): number {
  const gain = (values: readonly number[]) =>
    values.slice(0, 10).reduce((sum, value, place) => sum + Math.max(0, value) / Math.log2(place + 2), 0);
  const ideal = gain([...grades.values()].sort((a, b) => b - a));
  return ideal === 0 ? 0 : gain(ranked.map((id) => grades.get(id) ?? 0)) / ideal;
}
