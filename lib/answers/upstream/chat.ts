import { isObject, parseJsonObject, readEvents, type StreamEvent } from "../../std/mod.ts";
import type { Fetcher } from "../../web/egress/mod.ts";
import { type ChatCall, type ChatModel, type ChatPart, LlmError, type Usage } from "../tasks.ts";
import { describeError, exchange, type OpenAnswer, retryOnce, type Upstream } from "./connection.ts";
import { createThinkingFilter, type ThinkingFilter } from "./thinking.ts";

/** Holds what an upstream counted, and whether it told how much of it was thinking, which is taken off. */
type UpstreamUsage = Usage & { isAnswerAlone: boolean };

/** Holds what a chunk of an answer says; servers leave out, or send as null, whatever they like. */
type ChatChunk = {
  text: string;
  /** True when it carries thinking in a field of its own, as of servers that tell it from the answer. */
  thinks: boolean;
  /** Undefined while the answer goes on: some send "" in place of null. */
  finishReason: string | undefined;
  usage: UpstreamUsage | undefined;
  /** The body of an error that came within a good answer; undefined where there is none. */
  error: unknown;
};

/** Reads a `chat.completion.chunk`, a whole `chat.completion`, or an error in their place. */
function readChatChunk(value: Record<string, unknown>): ChatChunk {
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
 * Returns a text, or the texts of its parts. What a model thought (`reasoning_content`, parts of type `thinking`) is
 * not its answer.
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

/** Longest text of an answer, in UTF-16 units: more than any model makes of the most tokens that can be asked for. */
const MAX_TEXT = 1_000_000;

/** Tokens that a model which thinks may have for that, beside those of its answer. */
const THINKING_TOKENS = 4096;

/** Holds what is known of a model by what it has sent. */
type Habits = {
  /** It has thought in sight: between tags, or in a field. */
  thinks: boolean;
  /** Its thinking has no opening tag. */
  beginsThinking: boolean;
  /** It has given a whole answer, and no thinking was in it. */
  answers: boolean;
};

/**
 * Returns a chat model behind `POST /chat/completions`; it is always asked for a stream, and an answer in one piece is
 * taken as well. A live answer comes as it is made once the model has given one without thinking: before that, its
 * beginning may be thinking whose opening tag is in the server's prompt. A model that thinks is given tokens for it.
 */
export function upstreamChat(upstream: Upstream, fetch: Fetcher): ChatModel {
  const habits: Habits = { thinks: false, beginsThinking: false, answers: false };
  const attempt = (call: ChatCall) => {
    const request = requestOf(upstream.model, call, habits.thinks ? THINKING_TOKENS : 0);
    const read = (answer: OpenAnswer) => parts(answer, { call, habits, key: upstream.key });
    return retryOnce(() => exchange({ ...upstream, fetch }, request, read), call.signal);
  };
  return {
    model: upstream.model,
    async *chat(call) {
      const { thinks } = habits;
      try {
        yield* withText(attempt(call));
      } catch (error) {
        // Its thinking took the tokens of its answer.
        if (thinks || !habits.thinks || !(error instanceof LlmError) || error.code !== "empty") throw error;
        yield* withText(attempt(call));
      }
    },
  };
}

/** Without parts that hold no text: they only say that an answer has begun. */
async function* withText(all: AsyncIterable<ChatPart>): AsyncGenerator<ChatPart> {
  for await (const part of all) if (part.kind === "end" || part.text !== "") yield part;
}

function requestOf(
  model: string,
  { messages, maxTokens, temperature, requestId, signal }: ChatCall,
  thinkingTokens: number,
) {
  const body = {
    model,
    messages,
    max_tokens: maxTokens + thinkingTokens,
    ...(temperature !== undefined && { temperature }),
    stream: true,
    stream_options: { include_usage: true },
  };
  return {
    path: "/chat/completions",
    headers: { "content-type": "application/json" },
    body: JSON.stringify(body),
    requestId,
    signal,
  };
}

/**
 * Returns the parts of an answer, without thinking, and no longer than was asked for. Throws {@link LlmError} for an
 * error within it, for an empty one, and for one that breaks off before it says that it is at its end.
 */
async function* parts(
  { contentType, pieces }: OpenAnswer,
  { call, habits, key }: { call: ChatCall; habits: Habits; key: string | undefined },
): AsyncGenerator<ChatPart> {
  const chunks = contentType.includes("json") ? whole(pieces) : streamed(pieces);
  const filter = createThinkingFilter({ mayBeginThinking: call.live !== true || habits.thinks || !habits.answers });
  let finishReason: string | undefined;
  let usage: UpstreamUsage | undefined;
  let length = 0;
  let given = 0;
  let isEmpty = true;
  for await (const chunk of chunks) {
    if (chunk === "done") {
      finishReason ??= "stop";
      break;
    }
    if (chunk.error !== undefined) {
      throw new LlmError("failed", `the upstream broke off: ${describeError({ error: chunk.error }, key)}`);
    }
    usage = chunk.usage ?? usage;
    if (chunk.thinks) filter.partedByServer();
    // What comes after the end is a count, or the whole text once more.
    if (finishReason === undefined && chunk.text !== "") {
      length += chunk.text.length;
      if (length > MAX_TEXT) throw new LlmError("bad-answer", `the answer is longer than ${MAX_TEXT} characters`);
      const text = pushed(filter, chunk.text, habits);
      isEmpty &&= text.trim() === "";
      yield { kind: "text", text };
      given += text === "" ? 0 : 1;
    } else if (chunk.thinks) yield { kind: "text", text: "" };
    finishReason ??= chunk.finishReason;
    // A piece is a token or more: the tokens for thinking are not for a longer answer.
    if (finishReason === undefined && habits.thinks && given >= call.maxTokens) {
      finishReason = "length";
      break;
    }
  }
  if (finishReason === undefined) throw new LlmError("unreachable", "the answer ended early");
  const rest = filter.end();
  learn(habits, filter);
  habits.answers ||= finishReason === "stop";
  // Cut within such thinking, it would pass for an answer.
  const isThinking = filter.unfinished || (habits.beginsThinking && !filter.thought && finishReason === "length");
  if (isThinking || (isEmpty && rest.trim() === "")) throw new LlmError("empty", "the upstream gave no answer");
  if (rest !== "") yield { kind: "text", text: rest };
  yield { kind: "end", finishReason, usage: countOf(usage, filter.thought) };
}

/** Passes on what the filter gives. */
function pushed(filter: ThinkingFilter, text: string, habits: Habits): string {
  try {
    return filter.push(text);
  } finally {
    learn(habits, filter);
  }
}

function learn(habits: Habits, { thought, beganThinking }: ThinkingFilter): void {
  habits.thinks ||= thought || beganThinking;
  habits.beginsThinking ||= beganThinking;
}

/** Returns a count in which there may be thinking is none of the answer. */
function countOf(usage: UpstreamUsage | undefined, thought: boolean): Usage | null {
  if (usage === undefined || (thought && !usage.isAnswerAlone)) return null;
  const { isAnswerAlone: _, ...counts } = usage;
  return counts;
}

async function* streamed(pieces: AsyncIterable<Uint8Array>): AsyncGenerator<ChatChunk | "done"> {
  let isStream = false;
  let isOther = false;
  for await (const event of readEvents(pieces)) {
    isStream ||= event.data !== "" || event.other.error !== undefined;
    isOther ||= Object.keys(event.other).length > 0;
    for (const payload of payloadsOf(event)) {
      if (payload.trim() === "") continue;
      if (payload.trim() === "[DONE]") {
        yield "done";
        return;
      }
      yield chunkOf(payload);
    }
  }
  if (isOther && !isStream) throw new LlmError("bad-answer", "the upstream sent something that is no stream of events");
}

/** Some servers put a line feed where a blank line belongs; llama.cpp long sent errors in a field `error`. */
function payloadsOf({ event, data, other }: StreamEvent): string[] {
  if (other.error !== undefined) return [`{"error": ${JSON.stringify(other.error)}}`];
  if (event === "error") return [`{"error": ${JSON.stringify(data)}}`];
  return parseJsonObject(data) === undefined ? data.split("\n") : [data];
}

async function* whole(pieces: AsyncIterable<Uint8Array>): AsyncGenerator<ChatChunk> {
  const bytes = Buffer.concat(await Array.fromAsync(pieces));
  yield chunkOf(bytes.toString("utf8"));
}

function chunkOf(payload: string): ChatChunk {
  const value = parseJsonObject(payload);
  if (value === undefined) throw new LlmError("bad-answer", "the upstream sent something that is no JSON object");
  return readChatChunk(value);
}
