/**
 * `bun eval/rerank/dump.ts FOLDER…`: writes, beside each collection's folder (or in `--out`), its queries with the
 * candidates that the first stage finds; read by the reranker's training.
 */
import { createWriteStream } from "node:fs";
import { basename, join } from "node:path";
import { parseArgs } from "node:util";
import { createEmbedder, openRegistry } from "@isnad/lib/inference";
import { indexCollection } from "../hybrid/indexed.ts";
import { readCollection } from "../keyword/collection.ts";
import { candidates } from "./first-stage.ts";

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    both: { type: "boolean", default: false },
    most: { type: "string", default: "1000000" },
    count: { type: "string", default: "20" },
    out: { type: "string" },
  },
});

const embedder = await createEmbedder({ registry: openRegistry(), timeoutMs: 600_000 });

for (const folder of positionals) {
  const collection = readCollection(folder);
  await using indexed = await indexCollection(collection, embedder);
  const numbers = new Map<string, number>();
  const target = values.out === undefined ? folder : join(values.out, basename(folder));
  const passages = createWriteStream(`${target}.passages.jsonl`);
  const queries = createWriteStream(`${target}.queries.jsonl`);
  const asked = values.both ? collection.queries.flatMap((query) => [query, query]) : collection.queries;
  for (const [i, { id, text }] of asked.slice(0, Number(values.most)).entries()) {
    // every other query goes the other way: both orders are learned from
    const stage = i % 2 === 0 ? "keyword" : "hybrid";
    const found = await candidates(indexed.branches, collection, text, { stage, count: Number(values.count) });
    const grades = collection.grades.get(id) ?? new Map<string, number>();
    const gradeOf = (document: number): number => grades.get(collection.documents[document]?.id ?? "") ?? 0;
    if (!values.both && !found.some(({ document }) => gradeOf(document) > 0)) continue;
    const p = found.map(({ document, passage }) => {
      const key = `${document}\n${passage.text}`;
      const known = numbers.get(key) ?? numbers.size;
      if (known === numbers.size) passages.write(`${JSON.stringify([passage.title, passage.text])}\n`);
      numbers.set(key, known);
      return known;
    });
    const g = found.map(({ document }) => gradeOf(document));
    const k = found.map(({ passage }) => passage.keywordScore ?? 0);
    queries.write(`${JSON.stringify({ s: stage, t: text, p, g, all: [...grades.values()], k })}\n`);
  }
  await Promise.all([passages, queries].map((file) => new Promise((done) => file.end(done))));
  process.stdout.write(`${folder}: ${numbers.size} passages\n`);
}
await embedder.close();
