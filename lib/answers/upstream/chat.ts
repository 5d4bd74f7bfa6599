import type { Fetcher } from "../../web/egress/mod.ts";
import { parseJsonObject, readEvents, type StreamEvent } from "../../std/mod.ts";
import type { ChatCall, ChatModel, ChatPart, Usage } from "../chat-model.ts";
import { LlmError } from "../error.ts";
import { type ChatChunk, readChatChunk, type UpstreamUsage } from "./chat-chunk.ts";
import { exchange, type OpenAnswer } from "./connection.ts";
import { describeError } from "./describe-error.ts";
import { retryOnce } from "./retry-once.ts";
import { createThinkingFilter, type ThinkingFilter } from "./thinking.ts";
import type { Upstream } from "./upstream.ts";

/** Longest text of an answer, in UTF-16 units: more than any model makes of the most tokens that can be asked for. */
const MAX_TEXT = 1_000_000;

/** Tokens that a model which thinks may have for that, beside those of its answer. */
const THINKING_TOKENS = 4096;

/** What is known of a model by what it has sent. */
type Habits = {
  /** It has thought in sight: between tags, or in a field. */
  thinks: boolean;
  /** Its thinking has no opening tag. */
  beginsThinking: boolean;
  /** It has given a whole answer, and no thinking was in it. */
  answers: boolean;
};

/**
 * A chat model behind `POST /chat/completions`; it is always asked for a stream, and an answer in one piece is taken as
 * well. A live answer comes as it is made once the model has given one without thinking: before that, its beginning may
 * be thinking whose opening tag is in the server's prompt. A model that thinks is given tokens for it.
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
 * The parts of an answer, without thinking, and no longer than was asked for. Throws {@link LlmError} for an error
 * within it, for an empty one, and for one that breaks off before it says that it is at its end.
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

/** A count in which there may be thinking is none of the answer. */
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
