import { join } from "node:path";
import { createClassifier, openRegistry } from "@isnad/lib/inference";
import { crossValidatedMap, debateRows } from "../checkworthiness/debates.ts";
import { evaluateCheckworthiness, readSet } from "../checkworthiness/evaluate.ts";
import { rememberScores } from "../checkworthiness/remember.ts";
import type { EvalTask } from "../task.ts";

/** A diagnosis beside the plain error: what would be left of it if as many sentences were positive as in train. */
const EQUAL_SHARE = "ECE at train's share";

/**
 * Not the classifier alone: each debate is ranked by a regression over its scores and their neighbours', fitted to the
 * other debates.
 */
const CROSS_VALIDATED = "debates 2019, cross-validated";

/** The classifier of check-worthiness, as the service scores. */
export const checkworthiness: EvalTask = {
  name: "checkworthiness",
  formats: "a CheckThat! TSV with or without header, a TSV of a debate, or a folder of debates",
  sets: (data) => {
    const folder = join(data, "checkworthiness");
    return [
      { set: "CheckThat! 2024 en dev-test", path: join(folder, "en/ct24_dev-test.tsv"), lang: "en" },
      { set: "CheckThat! 2024 ar dev", path: join(folder, "ar/ct24_dev.tsv"), lang: "ar" },
      { set: "CheckThat! 2024 ar dev-test", path: join(folder, "ar/ct24_dev-test.tsv"), lang: "ar" },
      { set: "debates 2019", path: join(folder, "debates_2019/data/training"), lang: "en" },
      { set: CROSS_VALIDATED, path: join(folder, "debates_2019/data/training"), lang: "en" },
    ];
  },
  async load() {
    const registry = openRegistry({ dataDir: process.env.DATA_DIR ?? ".data" });
    const model = await createClassifier({ registry, maxQueue: 200_000, timeoutMs: 600_000 });
    const classifier = rememberScores(model);
    return {
      async measure({ set, path, lang }) {
        if (set === CROSS_VALIDATED) {
          const debates = [];
          for (const sentences of readSet(path).values()) debates.push(await debateRows(classifier, sentences));
          const size = debates.reduce((sum, { labels }) => sum + labels.length, 0);
          return { figures: { MAP: crossValidatedMap(debates) }, size, predictions: [] };
        }
        const { evaluation, predictions } = await evaluateCheckworthiness(classifier, path, {
          name: set,
          ...(lang !== undefined && { lang }),
        });
        const { precision, recall, f1, accuracy, averagePrecision, map, ece, eceAtTrainShare } = evaluation;
        const debates = map !== undefined;
        const figures: Record<string, number> = debates
          ? { MAP: map }
          : {
              F1: f1,
              P: precision,
              R: recall,
              accuracy,
              AP: averagePrecision,
              ECE: ece,
              [EQUAL_SHARE]: eceAtTrainShare,
            };
        return {
          figures,
          size: evaluation.sentences,
          predictions: predictions.map(({ file, id, score, checkworthy }) =>
            [...(file === undefined ? [] : [file]), id, score, checkworthy ? "Yes" : "No"].join("\t"),
          ),
        };
      },
      close: () => model.close(),
    };
  },
};
