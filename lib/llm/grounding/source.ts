/** A passage that an answer may be made of and cites as `[n]`. */
export type Source = {
  /** From 1. */
  n: number;
  articleId: number;
  title: string;
  url: string;
  /** Plain text. */
  text: string;
  /** How well it answers the question, by the reranker; higher is better. Undefined where none judged. */
  score?: number | undefined;
};
