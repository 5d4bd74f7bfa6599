import type { ThreadsState } from "@isnad/lib/threads";

/** Reads passages to vectors that the reranker compares with a query. */
export interface PassageReader {
  /** `name@revision`. */
  readonly modelId: string;
  /** A vector a passage, in order: `dims` int8; its direction alone counts. */
  read(passages: readonly string[], signal?: AbortSignal): Promise<Int8Array[]>;
  threads(): ThreadsState;
  close(): Promise<void>;
}
