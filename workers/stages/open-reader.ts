import {
  createPassageReader,
  loadOptional,
  type OptionalModel,
  type PassageReader,
  type PassageReaderOptions,
} from "@isnad/lib/models";
import type { Logger } from "@isnad/lib/service/process";

/** Loads the model that reads articles for the reranker; undefined where it is one that reads none beforehand. */
export async function openReader(
  options: PassageReaderOptions & { logger: Logger },
): Promise<OptionalModel<PassageReader> | undefined> {
  const { model, problem } = await loadOptional(
    {
      task: "rerank",
      without: "articles wait to be read for the reranker until it is whole and the workers are started again",
    },
    () => createPassageReader({ ...options, background: "idle", timeoutMs: 120_000 }),
    options.logger,
  );
  if (problem !== undefined) return { problem };
  return model && { model };
}
