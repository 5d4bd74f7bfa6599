/**
 * Computes the centres of the vectors that the reranking model makes of passages and of headlines as queries, of each
 * language, and writes them to `lib/models/tasks/rerank/centres.json`: `bun eval/floor/centres.ts`.
 */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { URL } from "node:url";
import { createPassageReader, modelId, openRegistry } from "@isnad/lib/models";
import { at } from "@isnad/lib/std";
import { chunkText } from "@isnad/lib/text";
import { dataFolder, isHeldOut } from "../retrieval-sets.ts";
import { readArticles } from "../tasks/known-item.ts";

const NEWS = { ar: "ant_v2_ar", en: "english" };
/** Articles that are read of each language, none of those that models are measured on. */
const ARTICLES = 500;
const HEADLINE_WORDS = 5;
/** Articles that are read at a time. */
const BATCH = 32;

const data = dataFolder(process.env);
if (data === undefined) throw new Error("there is no data folder at ISNAD_SHARED or ../shared");
const registry = openRegistry();
const name = registry.default("rerank");
const reader = await createPassageReader({ registry, model: name, timeoutMs: 600_000 });
if (reader === undefined) throw new Error(`${name} reads no passages by themselves`);
const { encoder } = reader;
const centres = { model: modelId(registry.card(name)), query: {}, passage: {} };
for (const [lang, file] of Object.entries(NEWS)) {
  const all = readArticles(join(data, `news/${file}.jsonl.gz`)).filter(({ text }) => !isHeldOut(text));
  const articles = Array.from({ length: ARTICLES }, (_, i) => at(all, Math.floor((i * all.length) / ARTICLES)));
  const passages = articles.flatMap(({ title, text }) => chunkText(title, text).slice(0, 1));
  const headlines = articles.map(({ title }) => title.split(/\s+/, HEADLINE_WORDS).join(" "));
  Object.assign(centres.passage, {
    [lang]: await centreOf(
      "passage",
      passages.map(({ text }) => text),
    ),
  });
  Object.assign(centres.query, { [lang]: await centreOf("query", headlines) });
}
await reader.close();
writeFileSync(new URL("../../lib/models/tasks/rerank/centres.json", import.meta.url), `${JSON.stringify(centres)}\n`);

async function centreOf(kind: "query" | "passage", texts: readonly string[]): Promise<number[]> {
  const sum = new Float64Array(encoder.dims);
  for (let from = 0; from < texts.length; from += BATCH) {
    const batch = texts.slice(from, from + BATCH).map((text) => ({ kind, text }));
    for (const vector of await encoder.read(batch)) {
      for (const [i, value] of vector.entries()) sum[i] = (sum[i] ?? 0) + value;
    }
  }
  return Array.from(sum, (value) => Math.round((value / texts.length) * 10_000) / 10_000);
}
