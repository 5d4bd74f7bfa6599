import type { ChatMessage, ChatPart } from "./chat-model.ts";
import type { Source } from "./grounding/source.ts";

/** A question within its conversation. */
export type Question = {
  conversation: readonly ChatMessage[];
  /** What was searched for: the last user message with what it refers to. */
  query: string;
  /** The passages to answer from; undefined for an answer from the conversation alone. */
  sources: readonly Source[] | undefined;
  /** Of the answer. */
  lang: "ar" | "en";
  maxTokens: number;
  temperature?: number | undefined;
  /** Whether parts are shown as they come. */
  live: boolean;
  requestId?: string | undefined;
  signal: AbortSignal;
};

/** Something that answers questions: a language model elsewhere, or the built-in one. */
export type Answerer = {
  readonly provider: "builtin" | "upstream";
  /** The name that answers carry. */
  readonly model: string;
  /**
   * The answer, part by part; it cites sources that exist, and no others. Throws {@link import("./error.ts").LlmError},
   * or what the models throw.
   */
  answer(question: Question): AsyncIterable<ChatPart>;
};
