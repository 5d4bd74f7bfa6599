/** A turn of a conversation. */
export type ChatMessage = { role: "system" | "user" | "assistant"; content: string };

/** What a model counted: tokens, or words where it has no tokens. */
export type Usage = { prompt_tokens: number; completion_tokens: number; total_tokens: number };

/**
 * A part of an answer as it comes: some text, or, once and at the end, why it ended. `usage` is null where nobody
 * counted.
 */
export type ChatPart = { kind: "text"; text: string } | { kind: "end"; finishReason: string; usage: Usage | null };

/** What a model is asked. */
export type ChatCall = {
  messages: readonly ChatMessage[];
  /** Tokens of the answer, at most. */
  maxTokens: number;
  temperature?: number | undefined;
  /**
   * Whether parts are shown as they come. Otherwise the text is held until it is certain what of it is the answer.
   * Default false.
   */
  live?: boolean | undefined;
  requestId?: string | undefined;
  signal: AbortSignal;
};

/** A language model that converses. */
export type ChatModel = {
  /** The name that answers carry. */
  readonly model: string;
  /**
   * The answer, part by part, the last one its end; what the model thinks is no part of it. Nothing is asked before the
   * first part is taken, and no further than parts are taken; giving up the iteration, or the signal, ends the work.
   * Throws {@link import("./error.ts").LlmError}, or the signal's reason.
   */
  chat(call: ChatCall): AsyncIterable<ChatPart>;
};
