import { isObject } from "../../std/mod.ts";
import type { Usage } from "../chat-model.ts";

/** What a chunk of an answer says; servers leave out, or send as null, whatever they like. */
export type ChatChunk = {
  text: string;
  /** Undefined while the answer goes on: some send "" in place of null. */
  finishReason: string | undefined;
  usage: Usage | undefined;
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

/** The counts, where they are numbers; some send an empty object with every chunk. */
function usageOf(value: unknown): Usage | undefined {
  if (!isObject(value)) return undefined;
  const { prompt_tokens: prompt, completion_tokens: completion, total_tokens: total } = value;
  if (!isCount(prompt) || !isCount(completion)) return undefined;
  return {
    prompt_tokens: prompt,
    completion_tokens: completion,
    total_tokens: isCount(total) ? total : prompt + completion,
  };
}

function isCount(value: unknown): value is number {
  return typeof value === "number" && Number.isInteger(value) && value >= 0;
}
