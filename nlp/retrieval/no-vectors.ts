import type { OptionalModel } from "@isnad/lib/models";
import type { VectorSearch } from "@isnad/lib/search";
import type { Vectors } from "./deps.ts";
import { installed } from "./optional-model.ts";

/**
 * Returns what stands for the vector index where there is no embedding model: every call rejects with what {@link
 * installed} throws.
 */
export function noVectors(
  embedder: OptionalModel<unknown>,
): Vectors & Pick<VectorSearch, "status" | "close" | "follower"> & { threads(): undefined } {
  const refuse = async (): Promise<never> => {
    installed(embedder);
    throw new TypeError("there is an embedding model");
  };
  return {
    search: refuse,
    searchChunks: refuse,
    check: refuse,
    status: refuse,
    threads: () => undefined,
    close: async () => {},
  };
}
