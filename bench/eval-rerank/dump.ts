/** `bun bench/eval-rerank/dump.ts FOLDER…`: writes, beside each collection's folder, what the reranker is given of its queries' candidates; read by its training. */
import { createWriteStream, readFileSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { createEmbedder, openRegistry } from "@isnad/lib/inference";
import { createRerankEncoder } from "../../lib/inference/rerank/encoder.ts";
import { indexCollection } from "../eval-hybrid/indexed.ts";
import { readCollection } from "../eval-keyword/collection.ts";
import { candidates } from "./first-stage.ts";

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    both: { type: "boolean", default: false },
    most: { type: "string", default: "1000000" },
    count: { type: "string", default: "20" },
  },
});

const registry = openRegistry();
const embedder = await createEmbedder({ registry, timeoutMs: 600_000 });
const tokenizer = join(registry.dir(registry.default("embed")), "tokenizer.json");
const encode = createRerankEncoder(JSON.parse(readFileSync(tokenizer, "utf8")));

for (const folder of positionals) {
  const collection = readCollection(folder);
  const indexed = await indexCollection(collection, embedder);
  const numbers = new Map<string, number>();
  const passages = createWriteStream(`${folder}.passages`);
  const queries = createWriteStream(`${folder}.queries`);
  const asked = values.both ? collection.queries.flatMap((query) => [query, query]) : collection.queries;
  for (const [i, { id, text }] of asked.slice(0, Number(values.most)).entries()) {
    // every other query goes the other way: both orders are learned from
    const stage = i % 2 === 0 ? "keyword" : "hybrid";
    const found = await candidates(indexed.branches, collection, text, { stage, count: Number(values.count) });
    const grades = collection.grades.get(id) ?? new Map<string, number>();
    const gradeOf = (document: number): number => grades.get(collection.documents[document]?.id ?? "") ?? 0;
    if (!values.both && !found.some(({ document }) => gradeOf(document) > 0)) continue;
    const { length, ...encoded } = encode({ query: text, passages: found.map(({ passage }) => passage) });
    const p = found.map(({ document, passage }, place) => {
      const key = `${document}\n${passage.text}`;
      const known = numbers.get(key) ?? numbers.size;
      if (known === numbers.size) passages.write(`${rowOf(encoded, place, length).join(" ")}\n`);
      numbers.set(key, known);
      return known;
    });
    const g = found.map(({ document }) => gradeOf(document));
    const [k, v] = [
      found.map(({ passage }) => passage.keywordScore ?? 0),
      found.map(({ vector }) => Number(vector.toFixed(4))),
    ];
    const q = [...encoded.query].flatMap((id, i) =>
      Array<number>(Math.round((encoded.queryWeights[i] ?? 0) ** (1 / 0.85))).fill(id),
    );
    queries.write(`${JSON.stringify({ s: stage, q, p, g, all: [...grades.values()], k, v })}\n`);
  }
  await Promise.all([passages, queries].map((file) => new Promise((done) => file.end(done))));
  await indexed.close();
  process.stdout.write(`${folder}: ${numbers.size} passages\n`);
}
await embedder.close();

function rowOf(
  { passages, weights }: { passages: Int32Array; weights: Float32Array },
  row: number,
  length: number,
): number[] {
  const ids = [...passages.subarray(row * length, (row + 1) * length)];
  return ids.filter((_, i) => (weights[row * length + i] ?? 0) > 0);
}
