import { join } from "node:path";
import { openRegistry } from "@isnad/lib/models";
import { measureAnswers } from "../answers/measure.ts";
import { readQuestions } from "../answers/questions.ts";
import { indexCollection } from "../hybrid/indexed.ts";
import { openRankingModels } from "../ranking-models.ts";
import type { EvalTask } from "../task.ts";

/** The built-in model's answers: how often what it shows contains what should have been answered. */
export const answers: EvalTask = {
  name: "answers",
  formats: "a JSON file in the format of SQuAD (TyDi QA, ARCD), plain or gzipped, or a folder of them as one pool",
  sets(data, { full }) {
    const path = join(data, "retrieval", "tydiqa-goldp", "arabic");
    return [full ? { set: "TyDi QA ar dev", path } : { set: "TyDi QA ar dev, every 8th", path, every: 8 }];
  },
  async load() {
    const registry = openRegistry({ dataDir: process.env.DATA_DIR ?? ".data" });
    const { embedder, reranker, reader, close } = await openRankingModels(registry);
    return {
      async measure({ path, every = 1 }) {
        const { passages, questions } = readQuestions(path);
        const set = { passages, questions: questions.filter((_, place) => place % every === 0) };
        await using indexed = await indexCollection({ documents: passages }, embedder);
        const { figures, predictions } = await measureAnswers({ ...indexed, embedder, reranker, reader }, set);
        return { figures, size: set.questions.length, predictions };
      },
      close,
    };
  },
};
