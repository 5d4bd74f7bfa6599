import { join } from "node:path";
import { fileURLToPath, URL } from "node:url";
import { createClassifier, openRegistry } from "@isnad/lib/models";
import { entriesHash } from "../corpus.ts";
import { evaluateCheckworthiness, readSet } from "../checkworthiness/evaluate.ts";
import { heldOutClaims, heldOutDebates } from "../checkworthiness/held-out.ts";
import type { Sentence } from "../checkworthiness/sentences.ts";
import type { EvalSet, EvalTask } from "../task.ts";

/** A diagnosis beside the plain error: what would be left of it if as many sentences were positive as in train. */
const EQUAL_SHARE = "ECE at train's share";

/** Our own sentences and posts, whose labels follow the rule that the model has learned for the news. */
const CLAIMS = fileURLToPath(new URL("../../nlp/lexicon/claims", import.meta.url));
const POSTS = fileURLToPath(new URL("../../nlp/lexicon/posts", import.meta.url));
const isOwn = (path: string): boolean => path === CLAIMS || path === POSTS;

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
      { set: "own sentences en, topics held out", path: CLAIMS, lang: "en", genre: "news", heldOut: true },
      { set: "own sentences ar, topics held out", path: CLAIMS, lang: "ar", genre: "news", heldOut: true },
      { set: "own posts ar, topics held out", path: POSTS, lang: "ar", genre: "news", heldOut: true },
      {
        set: "debates 2019, four held out",
        path: join(folder, "debates_2019/data/training"),
        lang: "en",
        heldOut: true,
      },
    ];
  },
  async load() {
    const registry = openRegistry({ dataDir: process.env.DATA_DIR ?? ".data" });
    const model = await createClassifier({ registry, maxQueue: 200_000, timeoutMs: 600_000 });
    return {
      async measure(given) {
        const { set, lang, genre } = given;
        const files = filesOf(given);
        const { evaluation, predictions } = await evaluateCheckworthiness(model, files, {
          name: set,
          ...(genre !== undefined && { genre }),
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
          ...(isOwn(given.path) && { corpus: entriesHash([...files.values()]) }),
        };
      },
      close: () => model.close(),
    };
  },
};

function filesOf({ path, lang, heldOut }: Pick<EvalSet, "path" | "lang" | "heldOut">): Map<string, Sentence[]> {
  if (heldOut !== true) return readSet(path);
  return isOwn(path) ? new Map([["own sentences", heldOutClaims(path, lang ?? "en")]]) : heldOutDebates(path);
}
