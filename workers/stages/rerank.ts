import {
  BACKGROUND_IDLE_MS,
  createPassageReader,
  loadOptional,
  type OptionalModel,
  type PassageReader,
  type PassageReaderOptions,
  passagesOf,
} from "@isnad/lib/models";
import type { Logger } from "@isnad/lib/service/process";
import type { ReadArticle, Store } from "@isnad/lib/store";
import type { Stage, StageFailure } from "@isnad/lib/work";

type RerankDeps = {
  store: Pick<Store, "articles" | "rerank">;
  /** The stage that it follows: what reads names is quicker, and who tells stories apart waits for both. */
  after?: "analysis" | "entities";
  /** Without a usable model articles wait. */
  reader: OptionalModel<Pick<PassageReader, "read" | "modelId">>;
};

/** Makes the stage `rerank`: reads articles for the reranker, once they can be searched. */
export function rerank({ store, after = "analysis", reader: { model } }: RerankDeps): Stage {
  return {
    name: "rerank",
    after,
    batch: 16,
    leaseS: 30,
    concurrency: 2,
    retry: { baseMs: 60_000, maxMs: 600_000 },
    version: model?.modelId,
    run:
      model &&
      (async (items, { signal, step }) => {
        const read: ReadArticle[] = [];
        const failures: StageFailure[] = [];
        const ids = items.map(({ articleId }) => articleId);
        // Not the texts kept for the other stages: an article that was changed since is read in its new words.
        for (const article of await store.articles.byIds(ids, ["articleId", "title", "content"])) {
          const { articleId } = article;
          try {
            read.push({ articleId, vectors: await model.read(passagesOf(article), signal) });
          } catch (error) {
            signal.throwIfAborted();
            failures.push({ articleId, error });
          }
        }
        const stored = await store.rerank.put(read, { modelId: model.modelId, step });
        return { counts: { read: stored.length }, failures };
      }),
  };
}

/** Loads the model that reads articles for the reranker; undefined where it is one that reads none beforehand. */
export async function openReader(
  options: PassageReaderOptions & { logger: Logger },
): Promise<OptionalModel<PassageReader> | undefined> {
  const { model, problem } = await loadOptional(
    {
      task: "rerank",
      without: "articles wait to be read for the reranker until it is whole and the workers are started again",
    },
    () => createPassageReader({ ...options, background: "idle", timeoutMs: 120_000, idleMs: BACKGROUND_IDLE_MS }),
    options.logger,
  );
  if (problem !== undefined) return { problem };
  return model && { model };
}
