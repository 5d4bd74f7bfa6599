import type { AudioFormat } from "../models/audio/decode.ts";
import type { SmallTalk } from "./small-talk.ts";

/** A translation, and by which model where the translator has several. */
type Translation = { text: string; sourceLang: string; targetLang: string; model?: string };

/** Translates texts. Languages are tags such as `ar` and `en`. */
export type Translator = {
  /**
   * Throws {@link ModelNotInstalled} for languages that it cannot do, {@link LlmError}, or what the models throw.
   */
  translate(call: {
    text: string;
    sourceLang: string;
    targetLang: string;
    requestId?: string | undefined;
    signal: AbortSignal;
  }): Promise<Translation>;
};

/** A stretch of speech, in seconds from the beginning. */
type Segment = { start: number; end: number; text: string };

/** Holds what was said. `language` is a tag such as `ar`, null where nobody told. */
export type Transcript = { text: string; language: string | null; durationS: number | null; segments: Segment[] };

/** Makes text of speech. */
export type Transcriber = {
  /**
   * Throws {@link LlmError}, {@link import("../models/audio/pcm.ts").AudioError}, or what models
   * throw.
   */
  transcribe(call: {
    audio: Uint8Array;
    format: AudioFormat;
    /** Holds what is spoken, where that is known. */
    language?: string | undefined;
    requestId?: string | undefined;
    signal: AbortSignal;
  }): Promise<Transcript>;
};

/** A question within its conversation. */
export type Question = {
  conversation: readonly ChatMessage[];
  /** Holds what was searched for: the last user message with what it refers to. */
  query: string;
  /** The passages to answer from; undefined for an answer from the conversation alone. */
  sources: readonly Source[] | undefined;
  /** Says that the message asks nothing of the news: a greeting, or a question about the assistant. */
  smallTalk?: SmallTalk | undefined;
  /** Of the answer. */
  lang: "ar" | "en";
  maxTokens: number;
  temperature?: number | undefined;
  /** True when parts are shown as they come. */
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
   * Returns the answer, part by part; it cites sources that exist, and no others. Throws {@link LlmError}, or what the
   * models throw.
   */
  answer(question: Question): AsyncIterable<ChatPart>;
};

/** Something that models can do here: who does it, and how it is asked for; or why nobody does. */
export type Capability<T> = ReadyCapability<T> | { missing: ModelNotInstalled };

/** A capability that some model has. */
type ReadyCapability<T> = {
  missing?: undefined;
  provider: "builtin" | "upstream";
  /** The model's name. */
  model: string;
  use: T;
  /** Rejects while the model cannot answer. */
  check(signal: AbortSignal): Promise<unknown>;
};

/** Returns what the capability is for. @throws ModelNotInstalled when nobody has it */
export function available<T>(capability: Capability<T>): ReadyCapability<T> {
  if (capability.missing !== undefined) throw capability.missing;
  return capability;
}

/** A turn of a conversation. */
export type ChatMessage = { role: "system" | "user" | "assistant"; content: string };

/** Holds what a model counted: tokens, or words where it has no tokens. */
export type Usage = { prompt_tokens: number; completion_tokens: number; total_tokens: number };

/**
 * A part of an answer as it comes: some text, or, once and at the end, why it ended. `usage` is null where nobody
 * counted.
 */
export type ChatPart =
  | { kind: "text"; text: string }
  | { kind: "end"; finishReason: string; usage: Usage | null; citations?: readonly Citation[] };

/** Finish reason of an answer that says that the articles do not answer. */
export const NO_ANSWER = "no_answer";

/** Says which words of a source an answer rests on: code points of the article's content, null for a headline. */
export type Citation = {
  n: number;
  quote: string;
  offsets: { start: number; end: number } | null;
  /** Numbers and months of dates that the answer says there and the source does not. */
  unsupported?: string[];
};

/** Holds what a model is asked. */
export type ChatCall = {
  messages: readonly ChatMessage[];
  /** Tokens of the answer, at most. */
  maxTokens: number;
  temperature?: number | undefined;
  /**
   * True when parts are shown as they come. Otherwise the text is held until it is certain what of it is the answer.
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
   * Returns the answer, part by part, the last one its end; what the model thinks is no part of it. Nothing is asked
   * before the first part is taken, and no further than parts are taken; giving up the iteration, or the signal, ends
   * the work. Throws {@link LlmError}, or the signal's reason.
   */
  chat(call: ChatCall): AsyncIterable<ChatPart>;
};

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
   * Returns the points of a summary, in order, at least one; together they read as a paragraph. Throws {@link
   * LlmError}, {@link ModelNotInstalled} for a language that it cannot write, or what the models throw.
   */
  summarize(call: SummaryCall): Promise<string[]>;
};

/** A stretch of an article's content, which begins at this code point. */
type SourcePassage = { text: string; start: number };

/** An article that an answer may be made of and cites as `[n]`. */
export type Source = {
  /** From 1. */
  n: number;
  articleId: number;
  title: string;
  url: string;
  /** Stretches of it that were read, in its order. */
  passages: readonly SourcePassage[];
  /** The reranker's score of the article, higher is better; undefined without a reranker. */
  score?: number | undefined;
  /** Time of publication (RFC 3339), where that is known. */
  published?: string | undefined;
};

/** Holds what went wrong with a model of another server; each code is one thing that a caller can act on. */
export type LlmErrorCode =
  /** No connection, or it was lost before the answer was whole. */
  | "unreachable"
  | "timed-out"
  /** The key is missing, wrong, or not allowed to do this. */
  | "unauthorized"
  /** There is no such model or path. */
  | "not-found"
  /** The request was understood and not taken: too long for the model, for instance. */
  | "refused"
  /** Too many requests, or no capacity. */
  | "busy"
  /** The server failed. */
  | "failed"
  /** The answer is not what the protocol says. */
  | "bad-answer"
  /** The model said nothing, or nothing but its thinking. */
  | "empty";

const RETRYABLE: ReadonlySet<LlmErrorCode> = new Set(["unreachable", "timed-out", "busy", "failed"]);

/**
 * A model of another server gave no answer, or none that is whole. The message names no credential and no text of the
 * request.
 */
export class LlmError extends Error {
  override readonly name = "LlmError";
  readonly code: LlmErrorCode;
  /** The HTTP status, where there was an answer. */
  readonly status: number | undefined;
  /** Says how long the server asks to wait, in milliseconds. */
  readonly retryAfterMs: number | undefined;
  /** True when the same call may succeed later. */
  readonly retryable: boolean;

  /** Returns the same in whole seconds, 1 at the least. */
  get retryAfterS(): number | undefined {
    return this.retryAfterMs === undefined ? undefined : Math.max(1, Math.ceil(this.retryAfterMs / 1000));
  }

  constructor(
    code: LlmErrorCode,
    message: string,
    options: { status?: number | undefined; retryAfterMs?: number | undefined; cause?: unknown } = {},
  ) {
    super(message, { cause: options.cause });
    this.code = code;
    this.status = options.status;
    this.retryAfterMs = options.retryAfterMs;
    this.retryable = RETRYABLE.has(code);
  }
}

/** Returns the code that an HTTP status stands for. */
export function codeOfStatus(status: number): LlmErrorCode {
  if (status === 401 || status === 403) return "unauthorized";
  if (status === 404) return "not-found";
  if (status === 408 || status === 504) return "timed-out";
  if (status === 429) return "busy";
  if (status >= 400 && status < 500) return "refused";
  return status >= 500 ? "failed" : "bad-answer";
}

/**
 * No model that is installed or configured can do what was asked; the message says what would, by command and by
 * setting.
 */
export class ModelNotInstalled extends Error {
  override readonly name = "ModelNotInstalled";

  constructor(what: string, remedy: string, options?: ErrorOptions) {
    super(`No model for this is installed: ${what}. ${remedy}`, options);
  }
}
