import { createHash } from "node:crypto";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath, URL } from "node:url";
import { gunzipSync } from "node:zlib";
import type { EvalSet } from "./task.ts";

/** Folder of the public data sets: ISNAD_SHARED, else ../shared beside the repository; undefined where it is absent. */
export function dataFolder(env: Record<string, string | undefined>): string | undefined {
  const shared = env.ISNAD_SHARED ?? fileURLToPath(new URL("../../shared", import.meta.url));
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

/** recall@10 and nDCG@10 (binary relevance) over a set of queries, each from 0 to 1. */
type Scores = { recall: number; ndcg: number };

/** Inner product of two vectors of one length. Throws RangeError for others. */
export function dot(a: Float32Array, b: Float32Array): number {
  if (a.length !== b.length) throw new RangeError(`vectors of ${a.length} and ${b.length} dimensions`);
  let sum = 0;
  for (let i = 0; i < a.length; i++) sum += (a[i] ?? 0) * (b[i] ?? 0);
  return sum;
}

/** The indexes of the `k` best documents for `query`, best first, without those that `skip` names. */
export function nearest(query: Float32Array, documents: readonly Float32Array[], k: number, skip = -1): number[] {
  const best: { index: number; score: number }[] = [];
  documents.forEach((document, index) => {
    const score = dot(query, document);
    const last = best.at(-1);
    if (index === skip || (best.length === k && last !== undefined && score <= last.score)) return;
    let place = best.length;
    while (place > 0 && (best[place - 1]?.score ?? 0) < score) place--;
    best.splice(place, 0, { index, score });
    if (best.length > k) best.pop();
  });
  return best.map((hit) => hit.index);
}

/** The scores of rankings, indexes best first; `wanted[i]` holds the indexes that answer query `i`. */
export function scoresOf(rankings: readonly (readonly number[])[], wanted: readonly ReadonlySet<number>[]): Scores {
  let recall = 0;
  let ndcg = 0;
  rankings.forEach((ranking, i) => {
    const right = wanted[i] ?? new Set<number>();
    const hits = ranking.slice(0, 10).map((index) => right.has(index));
    const gain = hits.reduce((sum, hit, place) => sum + (hit ? 1 / Math.log2(place + 2) : 0), 0);
    let ideal = 0;
    for (let place = 0; place < Math.min(10, right.size); place++) ideal += 1 / Math.log2(place + 2);
    recall += hits.filter(Boolean).length / right.size;
    ndcg += gain / ideal;
  });
  return { recall: recall / rankings.length, ndcg: ndcg / rankings.length };
}

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
export function readCollection(folder: string): Collection {
  const documents = jsonLines(readText(`${folder}/corpus.jsonl`)).map((row) => ({
    id: String(row._id),
    title: String(row.title ?? ""),
    text: String(row.text ?? ""),
  }));
  const grades = new Map<string, Map<string, number>>();
  for (const line of readFirst(folder, ["qrels.tsv", "qrels.test.tsv", "qrels/test.tsv"]).split("\n")) {
    const columns = line.trim().split(/\s+/);
    const [query, , document] = columns.length === 4 ? columns : [columns[0], "", columns[1]];
    const grade = Number(columns.at(-1));
    if (query === undefined || document === undefined || Number.isNaN(grade)) continue;
    const judged = grades.get(query) ?? new Map<string, number>();
    grades.set(query, judged.set(document, grade));
  }
  const queries = jsonLines(readFirst(folder, ["queries.jsonl", "queries.test.jsonl"]))
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

/** The test collections of the data folder. */
export function retrievalSets(data: string): EvalSet[] {
  return [
    { set: "TyDi QA ar dev", path: "tydiqa-goldp/beir-ar-dev" },
    { set: "ARCD train", path: "arcd-train" },
    { set: "TyDi QA en", path: "tydiqa-goldp/beir-en" },
    { set: "Cranfield", path: "cranfield" },
    { set: "CISI", path: "cisi" },
    { set: "CheckThat! en 2020", path: "checkthat-en2020" },
  ].map(({ set, path }) => ({ set, path: join(data, "retrieval", path) }));
}
