import { QueryVectorsResponse } from "@isnad/lib/contract";
import type { Embedder } from "@isnad/lib/models";
import type { WatchModel } from "@isnad/lib/search/watch";
import type { ServiceClient } from "@isnad/lib/service/http";
import type { Logger } from "@isnad/lib/service/process";

/** Time that the search service may take, in milliseconds. */
const TIMEOUT_MS = 10_000;

/**
 * Makes the vectors of saved searches as the search service makes those of searches, which knows the words of the other
 * language that articles have. While it is away they are made without these.
 */
export function watchModel({
  embedder,
  retrieval,
  logger,
}: {
  embedder: Pick<Embedder, "embed" | "modelId" | "dims">;
  retrieval: Pick<ServiceClient, "post">;
  logger: Pick<Logger, "warn">;
}): WatchModel {
  const { modelId, dims } = embedder;
  return {
    modelId,
    dims,
    async vectorsOf(texts) {
      try {
        const on = { requestId: crypto.randomUUID(), signal: AbortSignal.timeout(TIMEOUT_MS) };
        const answer = await retrieval.post("/query-vectors", { queries: texts }, QueryVectorsResponse, on);
        const vectors = answer.vectors.map(decoded);
        if (vectors.length === texts.length && vectors.every((vector) => vector.length === dims)) {
          return { vectors, whole: true };
        }
        logger.warn({ model: modelId }, "the search service has another model of meaning than the workers");
      } catch (error) {
        logger.warn({ err: error }, "saved searches are matched by meaning as they are written, for now");
      }
      return { vectors: await embedder.embed(texts, "query"), whole: false };
    },
  };
}

function decoded(text: string): Float32Array {
  const bytes = Uint8Array.from(Buffer.from(text, "base64"));
  return new Float32Array(bytes.buffer, 0, Math.floor(bytes.byteLength / 4));
}
