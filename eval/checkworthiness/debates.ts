import type { Classifier } from "@isnad/lib/inference";
import { at } from "@isnad/lib/std";
import { fitLogistic, logit } from "./logistic.ts";
import { averagePrecision } from "./measures.ts";
import type { Sentence } from "./sentences.ts";

/** A debate as numbers: one row a sentence. */
export type Debate = { labels: readonly boolean[]; rows: readonly (readonly number[])[] };

/** Sentences on either side whose scores say what is spoken of. */
const AROUND = 3;

/**
 * What a debate's sentences are judged by: the classifier's English and Arabic scores as logits, those of the sentences
 * around, and the length.
 */
export async function debateRows(
  classifier: Pick<Classifier, "classify">,
  sentences: readonly Sentence[],
): Promise<Debate> {
  const texts = sentences.map(({ text }) => text);
  const [english, arabic] = [await logits(classifier, texts, "en"), await logits(classifier, texts, "ar")];
  const scoreAt = (i: number): number => at(english, Math.min(Math.max(i, 0), english.length - 1));
  return {
    labels: sentences.map(({ label }) => label === true),
    rows: texts.map((text, i) => {
      let around = 0;
      for (let step = 1; step <= AROUND; step++) around += (scoreAt(i - step) + scoreAt(i + step)) / (2 * AROUND);
      const length = Math.log1p(text.split(/\s+/).length);
      return [scoreAt(i), at(arabic, i), scoreAt(i - 1), scoreAt(i + 1), around, length];
    }),
  };
}

/** The mean of the debates' average precisions, each ranked by a logistic regression over the other debates. */
export function crossValidatedMap(debates: readonly Debate[]): number {
  const precisions = debates.map((held) => {
    const others = debates.filter((debate) => debate !== held);
    const weights = fitLogistic(
      others.flatMap(({ rows }) => rows),
      others.flatMap(({ labels }) => labels),
    );
    return averagePrecision(
      held.labels,
      held.rows.map((row) => logit(weights, row)),
    );
  });
  return precisions.reduce((sum, value) => sum + value, 0) / precisions.length;
}

async function logits(
  classifier: Pick<Classifier, "classify">,
  texts: readonly string[],
  lang: string,
): Promise<number[]> {
  return (await classifier.classify(texts, { lang })).map((p) => Math.log((p + 1e-6) / (1 - p + 1e-6)));
}
