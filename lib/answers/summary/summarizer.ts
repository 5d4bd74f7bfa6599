/** A text that is to be summarised. Languages are `ar`, `en`, or `und` for one that was not recognised. */
export type SummaryCall = {
  text: string;
  sourceLang: string;
  targetLang: string;
  length: "short" | "medium" | "long";
  requestId?: string | undefined;
  signal: AbortSignal;
};

/** Something that summarises texts. */
export type Summarizer = {
  /** The name that summaries carry. */
  readonly model: string;
  /**
   * The points of a summary, in order, at least one; together they read as a paragraph. Throws {@link
   * import("../error.ts").LlmError}, {@link import("../error.ts").ModelNotInstalled} for a language that it cannot
   * write, or what the models throw.
   */
  summarize(call: SummaryCall): Promise<string[]>;
};
