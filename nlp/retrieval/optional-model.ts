import { AppError } from "@isnad/lib/http";
import type { Logger } from "@isnad/lib/process";
import { InferenceError } from "@isnad/lib/inference";

/** A model that the service can do without, or why it is not there. */
export type OptionalModel<T> = { model: T; problem?: undefined } | { model?: undefined; problem: InferenceError };

/** A model that nobody asked to load. */
export const NOT_LOADED: OptionalModel<never> = { problem: new InferenceError("model-unknown", "it was not loaded") };

/** Loads a model; when it is missing, altered or cannot be run, says so in the log and goes on without it. */
export async function loadOptional<T>(task: string, load: () => Promise<T>, logger: Logger): Promise<OptionalModel<T>> {
  try {
    return { model: await load() };
  } catch (problem) {
    if (!(problem instanceof InferenceError)) throw problem;
    const { model, code, message } = problem;
    logger.error(
      { task, model, code, reason: message },
      "a model cannot be used; its task answers 503, all else is served",
    );
    return { problem };
  }
}

/** The model. @throws AppError `model-not-installed`, naming the command that tells more */
export function installed<T>(optional: OptionalModel<T>): T {
  if (optional.problem === undefined) return optional.model;
  const { model, code } = optional.problem;
  const detail =
    code === "model-unknown" || model === undefined
      ? "No model for this is installed. `bun run models list` shows those at hand, `bun run models use` chooses one."
      : `The model ${model} cannot be used (${code}). \`bun run models verify\` shows what is wrong with its files.`;
  throw new AppError("model-not-installed", detail, { cause: optional.problem, retryable: false });
}
