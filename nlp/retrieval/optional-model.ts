import { AppError, type Logger } from "@isnad/lib/http";
import { InferenceError } from "@isnad/lib/inference";

/** A model that the service can do without, or why it is not there. */
export type OptionalModel<T> = { model: T; problem?: undefined } | { model?: undefined; problem: InferenceError };

/** A model that nobody asked to load. */
export const NOT_LOADED: OptionalModel<never> = { problem: new InferenceError("model-missing", "It was not loaded") };

/** Loads a model; when it is missing, altered or cannot be run, says so in the log and goes on without it. */
export async function loadOptional<T>(task: string, load: () => Promise<T>, logger: Logger): Promise<OptionalModel<T>> {
  try {
    return { model: await load() };
  } catch (problem) {
    if (!(problem instanceof InferenceError)) throw problem;
    logger.error({ task, model: problem.model, code: problem.code, reason: problem.message }, "a model is not usable");
    return { problem };
  }
}

/** The model. @throws AppError `model-not-installed`, saying what to do */
export function installed<T>(optional: OptionalModel<T>): T {
  if (optional.problem === undefined) return optional.model;
  const { model, message } = optional.problem;
  const name = model ?? "the model";
  throw new AppError(
    "model-not-installed",
    `${message}. \`bun run models verify\` shows what is wrong; put the files of ${name} back and restart the service.`,
    { cause: optional.problem },
  );
}
