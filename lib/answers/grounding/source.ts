/** A passage that an answer may be made of and cites as `[n]`. */
export type Source = {
  /** From 1. */
  n: number;
  articleId: number;
  title: string;
  url: string;
  /** Plain text. */
  text: string;
  /** The reranker's score of the passage, higher is better; undefined without a reranker. */
  score?: number | undefined;
};
