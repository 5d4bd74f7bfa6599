import { invalidFields } from "@isnad/lib/service/http";
import { type Classifier, scriptLanguage } from "@isnad/lib/models";
import { at } from "@isnad/lib/std";
import { codePointSlice, sentences } from "@isnad/lib/text";
import { type CheckRequest, type CheckResponse, MAX_SENTENCES } from "./request.ts";

/** The sentences of a request. @throws AppError 422 when its text has too many */
export function sentencesOf(request: CheckRequest): readonly string[] {
  return request.sentences ?? split(request.text ?? "");
}

/** Scores the sentences of a request. @throws InferenceError */
export async function check(
  classifier: Pick<Classifier, "classify" | "threshold" | "modelId">,
  asked: readonly string[],
  request: Pick<CheckRequest, "lang" | "genre" | "threshold">,
  signal: AbortSignal,
): Promise<CheckResponse> {
  const lang = request.lang ?? undefined;
  const genre = request.genre ?? "debate";
  const threshold = request.threshold ?? classifier.threshold(lang ?? scriptLanguage(asked.join(" ")) ?? "en", genre);
  const scores = await classifier.classify(asked, { genre, signal, ...(lang !== undefined && { lang }) });
  return {
    results: asked.map((sentence, i) => {
      const score = at(scores, i);
      return { sentence, score, is_checkworthy: score >= threshold };
    }),
    model_id: classifier.modelId,
    threshold_used: threshold,
  };
}

function split(text: string): string[] {
  const found = sentences(text).map(({ start, end }) => codePointSlice(text, start, end));
  if (found.length > MAX_SENTENCES) {
    throw invalidFields({ text: [`must have at most ${MAX_SENTENCES} sentences; this one has ${found.length}`] });
  }
  return found;
}
