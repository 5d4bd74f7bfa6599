import type { Fetcher } from "../../web/egress/mod.ts";
import { parseJsonObject, readEvents, type StreamEvent } from "../../std/mod.ts";
import type { ChatCall, ChatModel, ChatPart, Usage } from "../chat-model.ts";
import { LlmError } from "../error.ts";
import { type ChatChunk, readChatChunk } from "./chat-chunk.ts";
import { exchange, type OpenAnswer } from "./connection.ts";
import { describeError } from "./describe-error.ts";
import { retryOnce } from "./retry-once.ts";
import type { Upstream } from "./upstream.ts";

/** Longest text of an answer, in UTF-16 units: more than any model makes of the most tokens that can be asked for. */
const MAX_TEXT = 1_000_000;

/**
 * A chat model behind `POST /chat/completions`; it is always asked for a stream, and an answer in one piece is taken as
 * well.
 */
export function upstreamChat(upstream: Upstream, fetch: Fetcher): ChatModel {
  return {
    model: upstream.model,
    chat: (call) =>
      retryOnce(
        () =>
          exchange({ ...upstream, fetch }, requestOf(upstream.model, call), (answer) => parts(answer, upstream.key)),
        call.signal,
      ),
  };
}

function requestOf(model: string, { messages, maxTokens, temperature, requestId, signal }: ChatCall) {
  const body = {
    model,
    messages,
    max_tokens: maxTokens,
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
 * The parts of an answer. Throws {@link LlmError} for an error within it, and for one that breaks off before it says
 * that it is at its end.
 */
async function* parts({ contentType, pieces }: OpenAnswer, key: string | undefined): AsyncGenerator<ChatPart> {
  const chunks = contentType.includes("json") ? whole(pieces) : streamed(pieces);
  let finishReason: string | undefined;
  let usage: Usage | null = null;
  let length = 0;
  for await (const chunk of chunks) {
    if (chunk === "done") {
      finishReason ??= "stop";
      break;
    }
    if (chunk.error !== undefined) {
      throw new LlmError("failed", `the upstream broke off: ${describeError({ error: chunk.error }, key)}`);
    }
    usage = chunk.usage ?? usage;
    // What comes after the end is a count, or the whole text once more.
    if (finishReason === undefined && chunk.text !== "") {
      length += chunk.text.length;
      if (length > MAX_TEXT) throw new LlmError("bad-answer", `the answer is longer than ${MAX_TEXT} characters`);
      yield { kind: "text", text: chunk.text };
    }
    finishReason ??= chunk.finishReason;
  }
  if (finishReason === undefined) throw new LlmError("unreachable", "the answer ended early");
  yield { kind: "end", finishReason, usage };
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
