import type { Logger } from "../../service/process/logger.ts";
import { areResting } from "../../service/threads/mod.ts";
import { InferenceError } from "../runtime/errors.ts";

/** A model that a service can do without, or why it is not there. */
export type OptionalModel<T> = { model: T; problem?: undefined } | { model?: undefined; problem: InferenceError };

/**
 * Milliseconds after which a model that nobody uses is given back: the next use waits some hundred milliseconds longer.
 */
export const MODEL_IDLE_MS = 600_000;

/** Checks a model that is open; one that rests is well, and is not opened for a check. */
export async function checkIfOpen<T extends object>(model: T, check: (model: T) => Promise<unknown>): Promise<unknown> {
  return "threads" in model && typeof model.threads === "function" && areResting(model.threads())
    ? undefined
    : await check(model);
}

/** A model that nobody asked to load. */
export const NOT_LOADED: OptionalModel<never> = { problem: new InferenceError("model-unknown", "it was not loaded") };

/**
 * Loads the model of a task. When it is missing, altered or cannot be run, the log says so once, with `without` (what
 * happens in the meantime), and all else goes on.
 */
export async function loadOptional<T>(
  { task, without }: { task: string; without: string },
  load: () => Promise<T>,
  logger: Pick<Logger, "error">,
): Promise<OptionalModel<T>> {
  try {
    return { model: await load() };
  } catch (problem) {
    if (!(problem instanceof InferenceError)) throw problem;
    const { model, code, message } = problem;
    logger.error({ task, model, code, reason: message }, `a model cannot be used: ${without}`);
    return { problem };
  }
}
