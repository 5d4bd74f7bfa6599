import { createEmbedder, openRegistry } from "@isnad/lib/inference";
import { dataFolder } from "./data.ts";
import pairs from "./pairs.json" with { type: "json" };
import { rank } from "./ranking.ts";
import { handWritten, heldOutNews, parallelSentences, questionSet, type RetrievalSet } from "./sets.ts";

const model = process.argv[2];
const registry = openRegistry({ dataDir: process.env.DATA_DIR ?? ".data" });
const embedder = await createEmbedder({ registry, ...(model === undefined ? {} : { model }), timeoutMs: 600_000 });
process.stdout.write(`${embedder.modelId}, ${embedder.dims} dimensions\n`);
process.stdout.write(`${"set".padEnd(34)}${"queries".padStart(9)}${"of".padStart(7)}  recall@10  nDCG@10\n`);

async function measure(set: RetrievalSet): Promise<void> {
  const documents = await embedder.embed(set.documents, "passage");
  const queries = await embedder.embed(set.queries, "query");
  const { recall, ndcg } = rank(queries, documents, set.wanted, set.skip);
  const size = `${String(queries.length).padStart(9)}${String(documents.length).padStart(7)}`;
  process.stdout.write(
    `${set.name.padEnd(34)}${size}${recall.toFixed(4).padStart(11)}${ndcg.toFixed(4).padStart(9)}\n`,
  );
}

for (const set of handWritten(pairs)) await measure(set);
const data = dataFolder(process.env);
if (data === undefined) {
  process.stdout.write("the public sets are skipped: no data folder at ISNAD_SHARED or ../shared\n");
} else {
  for (const set of [...heldOutNews(data), ...parallelSentences(data)]) await measure(set);
  await measure(questionSet(data, "TyDi QA ar dev", "tydiqa-goldp/beir-ar-dev"));
  await measure(questionSet(data, "TyDi QA en", "tydiqa-goldp/beir-en"));
  await measure(questionSet(data, "ARCD train", "arcd-train"));
}
await embedder.close();
