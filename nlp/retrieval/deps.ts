import type { ClaimMatcher } from "@isnad/lib/claims";
import type { ChunkCondition } from "@isnad/lib/contract";
import type { Classifier, Embedder, OptionalModel, Reranker } from "@isnad/lib/models";
import type { Follower } from "@isnad/lib/projection";
import type { Filters, KeywordIndex } from "@isnad/lib/search";
import type { Config } from "@isnad/lib/service/config";
import { AppError } from "@isnad/lib/service/http";
import type { ClassifyMetrics, Histogram, Logger, Registry as MetricsRegistry } from "@isnad/lib/service/process";
import type { ThreadStates } from "@isnad/lib/service/threads";
import type { Store } from "@isnad/lib/store";

/**
 * Articles found, best first, in columns; `chunks` holds number, start and end of each article's nearest chunk,
 * `candidates` is how many articles pass the filters.
 */
export type VectorHits = {
  articleIds: Float64Array;
  scores: Float64Array;
  chunks: Int32Array;
  candidates: number;
};

/** The vector index as this service uses it. */
export type Vectors = {
  /** The `k` articles nearest to `vector` among those that pass the filters. Rejects while nothing is loaded. */
  search(vector: Float32Array, k: number, filters: Filters): Promise<VectorHits>;
  /**
   * The `k` chunks nearest to `vector` among those whose articles meet the conditions. Rejects while nothing is loaded.
   */
  searchChunks(vector: Float32Array, k: number, conditions: readonly ChunkCondition[]): Promise<VectorHits>;
  /** Rejects while the index cannot answer. */
  check(): Promise<void>;
};

/** Holds what judges passages. */
export type Judge = Pick<Reranker, "rerank" | "likeness" | "dims" | "modelId">;

/** Says where the vectors are that articles were read to beforehand. */
export type RerankStore = { rerank: Pick<Store["rerank"], "vectorsOf"> };

/** Holds what the retrieval service stands on. */
export type RetrievalDeps = {
  config: Config;
  logger: Logger;
  metrics: MetricsRegistry;
  store: Pick<Store, "articles" | "ping" | "keys" | "rateLimits" | "walks" | "hits" | "chunks" | "copies"> & {
    stories: Pick<Store["stories"], "idsOf" | "keysOf" | "byIds" | "count">;
    entities: Pick<Store["entities"], "articlesNaming" | "mostNamed">;
  } & RerankStore;
  keyword: Pick<
    KeywordIndex,
    "search" | "allowed" | "survey" | "status" | "reading" | "suggest" | "supports" | "lackingBegun"
  >;
  vectors: Vectors;
  /** Holds what keeps the indexes of this process equal to the log. */
  followers: readonly Follower[];
  /** Rejects until the indexes of remote engines have held what the database held; nothing where there are none. */
  remoteCaughtUp?: () => Promise<void>;
  embedder: OptionalModel<Pick<Embedder, "embed"> & Partial<Pick<Embedder, "modelId">>>;
  classifier: OptionalModel<Pick<Classifier, "classify" | "threshold" | "modelId">>;
  reranker: OptionalModel<Judge>;
  /** Matches texts with reviews and claims; undefined without an embedder. */
  claims: Pick<ClaimMatcher, "match"> | undefined;
  taxonomyVersion: string;
  /** Says how the threads of the indexes and models stand. */
  threads: () => ThreadStates;
};

/** Holds what this service measures beside its requests. */
export type RetrievalMetrics = { rrfMs: Histogram; classified: ClassifyMetrics };

/** The model. @throws AppError `model-not-installed`, naming the command that tells more */
export function installed<T>(optional: OptionalModel<T>): T {
  if (optional.problem === undefined) return optional.model;
  const { model, code } = optional.problem;
  const detail =
    code === "model-unknown" || model === undefined
      ? "No model for this is installed. `bun run models list` shows those at hand, `bun run models use` chooses one."
      : `The model ${model} cannot be used (${code}). \`bun run models verify\` shows what is wrong with its files.`;
  throw new AppError("model-not-installed", detail, { cause: optional.problem, retryable: false });
}
