import {
  createEmbedder,
  createPassageReader,
  createReranker,
  type Embedder,
  type PassageReader,
  type Registry,
  type Reranker,
} from "@isnad/lib/models";

/** Milliseconds that a call to a model may take while a whole set is measured. */
const TIMEOUT_MS = 600_000;

/** The models of hybrid search with reranking; `reader` is undefined where the reranker reads texts alone. */
export type RankingModels = {
  embedder: Embedder;
  reranker: Reranker;
  reader: PassageReader | undefined;
  close(): Promise<void>;
};

/** Starts the default models of hybrid search with reranking. @throws InferenceError when one cannot be started */
export async function openRankingModels(registry: Registry): Promise<RankingModels> {
  await using opened = new AsyncDisposableStack();
  const embedder = await createEmbedder({ registry, timeoutMs: TIMEOUT_MS });
  opened.defer(() => embedder.close());
  const reranker = await createReranker({ registry, timeoutMs: TIMEOUT_MS });
  opened.defer(() => reranker.close());
  const reader = await createPassageReader({ registry, timeoutMs: TIMEOUT_MS });
  opened.defer(() => reader?.close());
  const models = opened.move();
  return { embedder, reranker, reader, close: () => models.disposeAsync() };
}
