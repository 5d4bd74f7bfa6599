import type { Embedder } from "@isnad/lib/models";
import type { KeywordIndex, VectorIndex } from "@isnad/lib/search";
import type { Store } from "@isnad/lib/store";

/** News in a database of its own, found by both branches, and what to ask of it. */
export type NewsCorpus = {
  store: Store;
  keyword: KeywordIndex;
  vectors: VectorIndex;
  embedder: Embedder;
  articles: number;
  /** Beginnings of titles, each once; some hundred in a row are of articles from all over the corpus. */
  queries: string[];
  /** Says where all this is, for services as processes. */
  env: { DATA_DIR: string; DATABASE_URL: string };
  close(): Promise<void>;
};

/** A passage of an article with its vector, and where the article stands. */
export type NewsChunk = { articleId: number; vector: Float32Array; lang: string; sourceId: string };
