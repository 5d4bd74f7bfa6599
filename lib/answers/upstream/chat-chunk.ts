import { isObject } from "../../std/mod.ts";
import type { Usage } from "../chat-model.ts";

/** What an upstream counted, and whether it told how much of it was thinking, which is taken off. */
export type UpstreamUsage = Usage & { isAnswerAlone: boolean };

/** What a chunk of an answer says; servers leave out, or send as null, whatever they like. */
export type ChatChunk = {
  text: string;
  /** Whether it carries thinking in a field of its own, as of servers that tell it from the answer. */
  thinks: boolean;
  /** Undefined while the answer goes on: some send "" in place of null. */
  finishReason: string | undefined;
  usage: UpstreamUsage | undefined;
  /** The body of an error that came within a good answer; undefined where there is none. */
  error: unknown;
};

/** Reads a `chat.completion.chunk`, a whole `chat.completion`, or an error in their place. */
export function readChatChunk(value: Record<string, unknown>): ChatChunk {
  const choice = Array.isArray(value.choices) && isObject(value.choices[0]) ? value.choices[0] : {};
  const message = isObject(choice.delta) ? choice.delta : isObject(choice.message) ? choice.message : {};
  const finishReason =
    typeof choice.finish_reason === "string" && choice.finish_reason ? choice.finish_reason : undefined;
  return {
    text: textOf(message.content),
    thinks: thinksIn(message),
    finishReason,
    usage: usageOf(value.usage),
    error:
      errorOf(value) ?? errorOf(choice) ?? (finishReason === "error" ? { message: "the answer broke off" } : undefined),
  };
}

/** `{"error": …}` as most send it, and the bare error that vLLM sends. */
function errorOf(value: Record<string, unknown>): unknown {
  if (value.object === "error") return value;
  return value.error ?? undefined;
}

/**
 * A text, or the texts of its parts. What a model thought (`reasoning_content`, parts of type `thinking`) is not its
 * answer.
 */
function textOf(content: unknown): string {
  if (typeof content === "string") return content;
  if (!Array.isArray(content)) return "";
  return content.map((part) => (isObject(part) && typeof part.text === "string" ? part.text : "")).join("");
}

/** `reasoning_content` of most, `reasoning` of Ollama and OpenRouter, and parts of type `thinking`. */
function thinksIn({ reasoning_content, reasoning, thinking, content }: Record<string, unknown>): boolean {
  if ([reasoning_content, reasoning, thinking].some((text) => typeof text === "string" && text !== "")) return true;
  return Array.isArray(content) && content.some((part) => isObject(part) && part.type === "thinking");
}

/**
 * The counts, where they are numbers; some send an empty object with every chunk. Those of thinking are taken off where
 * they are told.
 */
function usageOf(value: unknown): UpstreamUsage | undefined {
  if (!isObject(value)) return undefined;
  const { prompt_tokens: prompt, completion_tokens: completion, total_tokens: total } = value;
  if (!isCount(prompt) || !isCount(completion)) return undefined;
  const details = isObject(value.completion_tokens_details) ? value.completion_tokens_details : {};
  const isTold = isCount(details.reasoning_tokens);
  const thinking = isCount(details.reasoning_tokens) ? Math.min(completion, details.reasoning_tokens) : 0;
  return {
    prompt_tokens: prompt,
    completion_tokens: completion - thinking,
    total_tokens: (isCount(total) ? total : prompt + completion) - thinking,
    isAnswerAlone: isTold,
  };
}

function isCount(value: unknown): value is number {
  return typeof value === "number" && Number.isInteger(value) && value >= 0;
}
