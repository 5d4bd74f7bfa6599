import type { Logger } from "@isnad/lib/http";
import { createTagger, InferenceError, type Registry, type Tagger } from "@isnad/lib/inference";

/** Starts the tagger. Where its model cannot be used, that is said once and there is none: articles then go without entities. */
export async function openTagger(
  registry: Registry,
  model: string | undefined,
  logger: Pick<Logger, "error">,
): Promise<Tagger | undefined> {
  try {
    return await createTagger({ registry, ...(model !== undefined && { model }), timeoutMs: 120_000 });
  } catch (error) {
    if (!(error instanceof InferenceError)) throw error;
    logger.error({ code: error.code, reason: error.message }, "no entities are found: the model cannot be used");
    return undefined;
  }
}
