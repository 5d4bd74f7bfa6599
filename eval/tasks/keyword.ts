import { indexCollection } from "../indexed.ts";
import { ndcgAt10, readCollection, retrievalSets } from "../retrieval-sets.ts";
import type { EvalTask } from "../task.ts";

/** Places of a ranking that are written out. */
const DEPTH = 10;

/** The keyword branch as it is in production. */
export const keyword: EvalTask = {
  name: "keyword",
  formats: "a BEIR folder: corpus.jsonl, queries.jsonl, qrels.tsv, plain or .gz",
  sets: retrievalSets,
  load: async () => ({
    async measure({ path }) {
      const collection = readCollection(path);
      await using indexed = await indexCollection(collection);
      const predictions: string[] = [];
      let sum = 0;
      for (const { id, text } of collection.queries) {
        const { hits } = await indexed.branches.keyword({ text, limit: DEPTH, typos: "auto" });
        const ranked = hits.map(({ articleId }) => collection.documents[articleId - 1]?.id ?? "");
        sum += ndcgAt10(ranked, collection.grades.get(id) ?? new Map());
        hits.forEach(({ score }, place) => {
          predictions.push(`${id}\t${ranked[place]}\t${place + 1}\t${score.toFixed(4)}`);
        });
      }
      const size = collection.queries.length;
      return { figures: { "nDCG@10": sum / size }, size, predictions };
    },
    close: async () => {},
  }),
};
