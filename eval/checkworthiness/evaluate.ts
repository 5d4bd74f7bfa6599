import { readdirSync, readFileSync, statSync } from "node:fs";
import { basename, join } from "node:path";
import { type Classifier, type Genre, scriptLanguage } from "@isnad/lib/models";
import { at } from "@isnad/lib/std";
import { averagePrecision, type Measures, measure } from "./measures.ts";
import { readSentences, type Sentence } from "./sentences.ts";

/**
 * What was measured on one file, or on a folder of debates: then `map` is the mean of the debates' average precisions.
 */
export type Evaluation = Measures & { set: string; lang: "ar" | "en"; threshold: number; map: number | undefined };

/** One prediction, in the order of the set; `file`: its name, where the set is a folder of several. */
export type Prediction = { file: string | undefined; id: string; score: number; checkworthy: boolean };

/** Shares of positives in CheckThat! 2024 train, by language. */
const TRAIN_SHARE = { ar: 0.303, en: 0.241 };

/** The sentences of a file, or of each file (.tsv, .txt) of a folder, by file name. */
export function readSet(path: string): Map<string, Sentence[]> {
  const files = statSync(path).isDirectory()
    ? readdirSync(path)
        .filter((name) => /\.(?:tsv|txt)$/.test(name) && !/^readme/i.test(name))
        .sort()
        .map((name) => join(path, name))
    : [path];
  return new Map(files.map((file) => [basename(file), readSentences(readFileSync(file, "utf8"), file)]));
}

/** Scores every sentence of the files as the service does, and measures what is labelled. */
export async function evaluateCheckworthiness(
  classifier: Pick<Classifier, "classify" | "threshold">,
  files: ReadonlyMap<string, readonly Sentence[]>,
  { lang, genre = "debate", name }: { lang?: "ar" | "en"; genre?: Genre; name: string },
): Promise<{ evaluation: Evaluation; predictions: Prediction[] }> {
  const all = [...files].flatMap(([file, sentences]) =>
    sentences.map((sentence) => ({ ...sentence, file: files.size > 1 ? file : undefined })),
  );
  const read = lang ?? scriptLanguage(all.map(({ text }) => text).join("\n")) ?? "en";
  const threshold = classifier.threshold(read, genre);
  const scores = await classifier.classify(
    all.map(({ text }) => text),
    { lang: read, genre },
  );

  const labelled = all.flatMap(({ label }, i) => (label === undefined ? [] : [{ label, score: at(scores, i) }]));
  const precisions: number[] = [];
  let from = 0;
  for (const sentences of files.values()) {
    const labels = sentences.map(({ label }) => label === true);
    if (labels.includes(true)) precisions.push(averagePrecision(labels, scores.slice(from, from + sentences.length)));
    from += sentences.length;
  }
  const map = precisions.reduce((sum, value) => sum + value, 0) / precisions.length;
  const measures = measure(
    labelled.map(({ label }) => label),
    labelled.map(({ score }) => score),
    threshold,
    TRAIN_SHARE[read],
  );
  return {
    evaluation: { set: name, lang: read, threshold, ...measures, map: files.size > 1 ? map : undefined },
    predictions: all.map(({ file, id }, i) => {
      const score = at(scores, i);
      return { file, id, score, checkworthy: score >= threshold };
    }),
  };
}
