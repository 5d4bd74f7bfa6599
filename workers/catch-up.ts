import { type Logger, pause } from "@isnad/lib/service/process";
import { backoffMs } from "@isnad/lib/std";
import type { Embedder, PassageReader } from "@isnad/lib/models";
import type { Store } from "@isnad/lib/store";
import { reembed } from "@isnad/lib/search/sync";
import { enlistAll } from "./stages/enlist.ts";

/** What the projections are brought up to date with. */
export type CatchUpDeps = {
  store: Pick<Store, "articles" | "chunks" | "indexing" | "rerank">;
  /** Without an embedder, vectors are not caught up. */
  embedder: Pick<Embedder, "embed" | "modelId"> | undefined;
  /** Without a reader, no articles are queued for the reranker. */
  reader?: Pick<PassageReader, "modelId"> | undefined;
  logger: Logger;
};

/** Where the catching up stands. */
export type CatchUpState = Record<"vectors" | "rerank", "behind" | "current">;

/**
 * Makes what articles lack, in the background and beside the stages: passages of the current embedding model. Beside
 * that, articles that the reranker's model has not read are put on the list of those to be read. What fails is begun
 * again after a while; what was done stays done.
 */
export async function catchUp(deps: CatchUpDeps, state: CatchUpState, signal: AbortSignal): Promise<void> {
  const { store, embedder, reader, logger } = deps;
  await Promise.all([projections(), rerank()]);

  async function projections(): Promise<void> {
    if (embedder === undefined) return;
    await step("vectors", async () => {
      const { embedded, broken } = await reembed({ store, embedder, signal });
      return { embedded, broken: broken.length, model: embedder.modelId };
    });
  }

  async function rerank(): Promise<void> {
    if (reader === undefined) return;
    const { modelId } = reader;
    await step("rerank", async () => ({ enlisted: await enlistAll({ store, modelId, signal }), model: modelId }));
  }

  async function step(name: keyof CatchUpState, work: () => Promise<object>): Promise<void> {
    for (let attempt = 1; state[name] !== "current" && !signal.aborted; attempt++) {
      const startedAt = performance.now();
      try {
        const done = await work();
        state[name] = "current";
        logger.info({ ...done, took_ms: Math.round(performance.now() - startedAt) }, `${name} caught up`);
      } catch (error) {
        if (signal.aborted) return;
        logger.warn({ err: error, attempt }, `${name} could not catch up`);
        await pause(backoffMs(attempt - 1, { baseMs: 1_000, maxMs: 60_000 }), signal);
      }
    }
  }
}
