/** `bun run eval:keyword [--data FOLDER] [--json]`: nDCG@10 of the keyword index as it is in production, over BEIR folders. */
import { parseArgs } from "node:util";
import { dataFolder } from "../embed/data.ts";
import { indexCollection } from "../hybrid/indexed.ts";
import { type Collection, ndcgAt10, readCollection } from "./collection.ts";

/** The sets of the data folder, and the score that the project promises of some. */
const SETS: { name: string; folder: string; floor?: number }[] = [
  { name: "TyDi QA ar dev", folder: "tydiqa-goldp/beir-ar-dev", floor: 0.9 },
  { name: "ARCD train", folder: "arcd-train", floor: 0.82 },
  { name: "TyDi QA en", folder: "tydiqa-goldp/beir-en" },
  { name: "Cranfield", folder: "cranfield" },
  { name: "CISI", folder: "cisi" },
];

/** Mean nDCG@10 over the queries of a collection. */
async function measure(collection: Collection): Promise<number> {
  const { documents, queries, grades } = collection;
  const { branches, close } = await indexCollection(collection);
  try {
    let sum = 0;
    for (const { id, text } of queries) {
      const hits = await branches.keyword({ text, limit: 10 });
      const ranked = hits.map(({ articleId }) => documents[articleId - 1]?.id ?? "");
      sum += ndcgAt10(ranked, grades.get(id) ?? new Map());
    }
    return sum / queries.length;
  } finally {
    await close();
  }
}

const { values } = parseArgs({ options: { data: { type: "string" }, json: { type: "boolean", default: false } } });
const data = dataFolder(process.env);
if (values.data === undefined && data === undefined) {
  process.stdout.write("nothing to measure: no --data, and no data folder at ISNAD_SHARED or ../shared\n");
  process.exit(0);
}
const sets =
  values.data === undefined
    ? SETS.map((set) => ({ ...set, folder: `${data}/retrieval/${set.folder}` }))
    : [{ name: values.data, folder: values.data }];
let missed = false;
for (const { name, folder, floor } of sets) {
  const collection = readCollection(folder);
  const ndcg = await measure(collection);
  missed ||= floor !== undefined && ndcg < floor;
  const line = values.json
    ? JSON.stringify({ set: name, documents: collection.documents.length, queries: collection.queries.length, ndcg })
    : `${name.padEnd(20)}${String(collection.queries.length).padStart(6)} queries  nDCG@10 ${ndcg.toFixed(4)}${floor === undefined ? "" : `  (>= ${floor})`}`;
  process.stdout.write(`${line}\n`);
}
process.exit(missed ? 1 : 0);
