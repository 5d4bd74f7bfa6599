import type { Logger } from "@isnad/lib/process";
import { InferenceError } from "@isnad/lib/inference";

/** What a worker does without this model; said in the log line. */
export type ModelTask = { task: string; without: string };

/** Starts a model. Where it cannot be used, that is said once, with its task and the file, and there is none: all else goes on. */
export async function openModel<T>(
  { task, without }: ModelTask,
  start: () => Promise<T>,
  logger: Pick<Logger, "error">,
): Promise<T | undefined> {
  try {
    return await start();
  } catch (error) {
    if (!(error instanceof InferenceError)) throw error;
    const { model, code, message } = error;
    logger.error({ task, model, code, reason: message }, `a model cannot be used: ${without}`);
    return undefined;
  }
}
