import { at } from "../../../std/collections.ts";
import { availableParallelism } from "node:os";
import { URL } from "node:url";
import { modelId } from "../../cards/card.ts";
import { createModelHost } from "../../runtime/model-host.ts";
import type { Pair } from "./cross-encoder-model.ts";
import type { CrossEncoderWorkerData } from "./cross-encoder-worker.ts";
import { passageText } from "./passage.ts";
import type { Reranker, RerankerOptions } from "./reranker.ts";

/** Pairs of one run: a call that is given up leaves no more than two runs behind it. */
const RUN_PAIRS = 8;

/**
 * Starts a thread with a model that reads each passage, title first, together with the query. Its scores are
 * probabilities, between 0 and 1; the order in which passages were found and their keyword scores do not count.
 * @throws InferenceError `model-missing`, `model-altered`, `model-invalid`, `worker-failed`
 */
export async function createCrossEncoder(name: string, options: Omit<RerankerOptions, "model">): Promise<Reranker> {
  const { registry, maxQueue = 1024, timeoutMs = 30_000, idleMs, logger } = options;
  const { threads = Math.max(1, availableParallelism() >> 1) } = options;
  const card = registry.card(name);
  const host = await createModelHost<Pair, number, Float32Array>({
    worker: new URL("./cross-encoder-worker.ts", import.meta.url),
    data: { dir: registry.dir(name), card, threads } satisfies CrossEncoderWorkerData,
    model: name,
    verify: () => registry.verify(name),
    isShipped: registry.isShipped(name),
    units: ({ query, passage }) => query.length + passage.length,
    unpack: (scores) => [...scores],
    maxBatch: RUN_PAIRS,
    maxQueue,
    timeoutMs,
    idleMs,
    logger,
  });
  return {
    modelId: modelId(card),
    dims: 0,
    async rerank(query, passages, options) {
      // pairs of like length share runs, so that little is padding
      const texts = passages.map(passageText);
      const order = texts.map((_, place) => place).sort((a, b) => lengthOf(texts, a) - lengthOf(texts, b));
      const sortedScores = await host.run(
        order.map((place) => ({ query, passage: texts[place] ?? "" })),
        options,
      );
      const scores = new Float32Array(passages.length);
      order.forEach((place, n) => {
        scores[place] = at(sortedScores, n);
      });
      return scores;
    },
    threads: () => host.threads(),
    close: () => host.close(),
  };
}

function lengthOf(texts: readonly string[], place: number): number {
  return texts[place]?.length ?? 0;
}
